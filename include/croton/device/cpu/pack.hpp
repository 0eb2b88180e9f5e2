// SPDX-License-Identifier: MIT
// N numbers or N truth values in SIMD registers: memory and conversion.
#ifndef CROTON_DEVICE_CPU_PACK_HPP
#define CROTON_DEVICE_CPU_PACK_HPP

#include <croton/config.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#if CROTON_HAS_XSIMD
#include <croton/device/cpu/avx2.hpp>
#include <croton/device/cpu/masks.hpp>
#include <croton/device/cpu/stored.hpp>
#include <croton/device/cpu/truth_bytes.hpp>
#endif

namespace croton::inline v0_1::simd {

#if CROTON_HAS_XSIMD

/// The lane policy of a kernel on this instruction set: how a value of each element type is held, read and written.
template <int N, class A> struct pack_lanes {
    static constexpr int size = N;
    static constexpr std::size_t lane_count = N;
    using arch = A;
    // Truth values take the form of the type that fills one register.
    static constexpr bool is_narrow = N > static_cast<int>(xsimd::batch<float, A>::size);
    using mask_element = std::conditional_t<N == static_cast<int>(xsimd::batch<float, A>::size), float, double>;
    using truth = std::conditional_t<is_narrow, flags<signed_of<std::size_t{is_narrow ? register_bytes<A> / N : 1}>, N, A>, mask<mask_element, N, A>>;
    template <class T>
    using value = std::conditional_t<std::is_same_v<T, bool>, truth, std::conditional_t<is_vector_integer<T>, integers<T, N, A>, pack<arithmetic_t<T>, N, A>>>;

    /// Keeps a value in its registers, from where all instructions take it.
    template <class T, int M> CROTON_INLINE static void hold([[maybe_unused]] pack<T, M, A>& v) {
#if CROTON_HAS_REPEATED_READS
        for (auto& part : v.part) asm("" : "+v"(part.data));
#endif
    }
    template <class V> CROTON_INLINE static void hold(V&) {}

    // Truth values of every origin are kept in one form, so that operators meet one type of them.
    template <class V> struct form {
        using type = V;
    };
    template <class T> struct form<mask<T, N, A>> {
        using type = truth;
    };
    template <class I> struct form<flags<I, N, A>> {
        using type = truth;
    };
    template <class V> using kept = typename form<V>::type;
    template <class V> CROTON_INLINE static const V& keep(const V& v) { return v; }
    template <class T> CROTON_INLINE static truth keep(const mask<T, N, A>& v) { return mask_cast<mask_element>(v); }
    template <class I> CROTON_INLINE static truth keep(const flags<I, N, A>& v) {
        if constexpr (is_narrow) return flags_cast<typename truth::batch::value_type>(v);
        else return as_mask<mask_element>(v);
    }

    template <class T> CROTON_INLINE static value<T> broadcast(T v) {
        if constexpr (is_vector_integer<T>) {
            return value<T>::all(v);
        } else if constexpr (std::is_same_v<T, bool> && is_narrow) {
            using number = typename truth::batch::value_type;
            return {truth::all(static_cast<number>(v ? 1 : 0))};
        } else if constexpr (std::is_same_v<T, bool>) {
            const typename truth::batch b(v);
            if constexpr (truth::parts == 1) return {{b}};
            else return {{b, b}};
        } else {
            const xsimd::batch<T, A> b(v);
            if constexpr (value<T>::parts == 1) return {{b}};
            else return {{b, b}};
        }
    }

    /// first, first + 1, ...
    template <class T> CROTON_INLINE static value<T> iota(T first) {
        if constexpr (is_vector_integer<T>) {
            T steps[lane_count];
            for (int i = 0; i < N; ++i) steps[i] = static_cast<T>(i);
            return value<T>::load(steps) + value<T>::all(first);
        } else {
            return iota_in_registers(first);
        }
    }
    template <class T> CROTON_INLINE static pack<T, N, A> iota_in_registers(T first) {
        alignas(64) static constexpr T steps[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
        value<T> result;
        for (std::size_t i = 0; i < value<T>::parts; ++i)
            result.part[i] = xsimd::batch<T, A>::load_aligned(steps + i * value<T>::width) + xsimd::batch<T, A>(first);
        return result;
    }

    template <class T, class I, std::size_t... K> CROTON_INLINE static xsimd::batch<T, A> gathered(const T* p, const I* at, std::index_sequence<K...>) {
        // Compilers know more ways to join numbers than to join words.
        using number = std::conditional_t<sizeof(T) == 8, double, float>;
        using numbers = typename xsimd::batch<number, A>::register_type;
        const auto element = [&](I i) CROTON_INLINED {
            number v;
            std::memcpy(&v, p + i, sizeof v);
            return v;
        };
        return xsimd::batch<T, A>(__builtin_bit_cast(typename xsimd::batch<T, A>::register_type, numbers{element(at[K])...}));
    }
    /// The elements at such places among `extent`: from the end where they are negative, the nearest where there is none. `behind`: how many elements behind `p` those of each lane
    /// begin, or null.
    template <class T, class I, class Behind> CROTON_INLINE static value<T> gather(const T* p, const pack<I, N, A>& places, I extent, Behind behind) {
        using indices = xsimd::batch<I, A>;
        pack<I, N, A> from_start;
        for (std::size_t i = 0; i < pack<I, N, A>::parts; ++i) {
            const indices place = places.part[i], zero(I(0));
            from_start.part[i] = xsimd::min(xsimd::max(xsimd::select(place < zero, place + indices(extent), place), zero), indices(static_cast<I>(extent - 1)));
        }
        // One by one: where microcode distrusts the instruction for it, it takes twice as long (Intel Xeon, AVX-512 and AVX2).
        constexpr bool moves = !std::is_null_pointer_v<Behind>;
        alignas(64) std::conditional_t<moves, std::int64_t, I> at[lane_count];
        if constexpr (moves) store(at, convert<std::int64_t>(from_start) + load(behind));
        else store(at, from_start);
        value<T> result;
        for (std::size_t i = 0; i < value<T>::parts; ++i) result.part[i] = gathered(p, at + i * value<T>::width, std::make_index_sequence<value<T>::width>{});
        return result;
    }

    template <class T> CROTON_INLINE static value<T> load(const T* p) {
        using v = value<T>;
        if constexpr (is_storage<T>) {
            if constexpr (v::parts == 1) return {{stored<T, A>::load(p)}};
            else return {{stored<T, A>::load(p), stored<T, A>::load(p + v::width)}};
        } else if constexpr (is_vector_integer<T>) {
            return v::load(p);
        } else if constexpr (std::is_same_v<T, bool> && is_narrow) {
            // Any byte but 0 is true.
            using bytes = integers<std::uint8_t, N, A>;
            const bytes ones = minimum(bytes::load(reinterpret_cast<const std::uint8_t*>(p)), bytes::all(std::uint8_t{1}));
            return keep(flags<std::int8_t, N, A>{resized<std::int8_t>(ones)});
        } else if constexpr (!std::is_same_v<T, bool>) {
            if constexpr (v::parts == 1) return {{v::batch::load_unaligned(p)}};
            else return {{v::batch::load_unaligned(p), v::batch::load_unaligned(p + v::width)}};
        } else if constexpr (has_avx512<A> && N == 16) {
            return detail::from_bits<truth>(avx512<A>::load_16_bytes(p));
        } else if constexpr (has_avx512<A>) {
            return detail::from_bits<truth>(avx512<A>::load_8_bytes(p));
        } else if constexpr (has_truth_bytes<A>) {
            using bytes = truth_bytes<A>;
            if constexpr (truth::parts == 1) return {{bytes::template load<mask_element>(p)}};
            else return {{bytes::template load<mask_element>(p), bytes::template load<mask_element>(p + truth::width)}};
        } else {
            // Widening bytes to numbers is a loop that compilers vectorise; loading a batch_bool is not.
            mask_element lanes[lane_count];
            for (int i = 0; i < N; ++i) lanes[i] = p[i] ? mask_element(1) : mask_element(0);
            return load<mask_element>(lanes) != broadcast(mask_element(0));
        }
    }

    template <class T, class V> CROTON_INLINE static void store(T* p, const V& v) {
        if constexpr (is_storage<T>) {
            for (std::size_t i = 0; i < v.parts; ++i) stored<T, A>::store(p + i * v.width, v.part[i]);
        } else if constexpr (is_vector_integer<T>) {
            static_assert(std::is_same_v<V, value<T>>);
            v.store(p);
        } else if constexpr (std::is_same_v<T, bool> && is_narrow) {
            flags_cast<std::int8_t>(v).store(reinterpret_cast<std::int8_t*>(p));
        } else if constexpr (!std::is_same_v<T, bool>) {
            static_assert(std::is_same_v<V, value<T>>);
            for (std::size_t i = 0; i < v.parts; ++i) v.part[i].store_unaligned(p + i * v.width);
        } else if constexpr (has_avx512<A> && N == 16) {
            avx512<A>::store_16_bytes(p, detail::bits_of(v));
        } else if constexpr (has_avx512<A>) {
            avx512<A>::store_8_bytes(p, detail::bits_of(v));
        } else if constexpr (has_truth_bytes<A>) {
            for (std::size_t i = 0; i < v.parts; ++i) truth_bytes<A>::store(p + i * v.width, v.part[i]);
        } else {
            mask_element lanes[lane_count];
            store(lanes, select(v, broadcast(mask_element(1)), broadcast(mask_element(0))));
            for (int i = 0; i < N; ++i) p[i] = lanes[i] != mask_element(0);
        }
    }

    /// Reads the first `count` numbers and nothing behind them; the other lanes are zero.
    template <class T> CROTON_INLINE static value<T> load(const T* p, int count) {
        using v = value<T>;
        if constexpr (has_avx512<A> && sizeof(T) >= 4 && !is_vector_integer<T>) {
            const std::uint32_t lanes = (std::uint32_t{1} << count) - 1;
            if constexpr (v::parts == 1) return {{avx512<A>::load(p, lanes)}};
            else return {{avx512<A>::load(p, lanes), avx512<A>::load(p + v::width, lanes >> v::width)}};
        } else if constexpr (masks_by_avx2<A, T> && !is_vector_integer<T>) {
            if constexpr (v::parts == 1) return {{avx2<A>::load(p, count)}};
            else return {{avx2<A>::load(p, count), avx2<A>::load(p + v::width, count - static_cast<int>(v::width))}};
        } else {
            return load_few<T>(p, count);
        }
    }
    // A function of its own, which every read of the last elements of a run calls: a kernel has one for each slot, and only there.
    template <class T> [[gnu::noinline]] static value<T> load_few(const T* p, int count) {
        alignas(64) T lanes[lane_count] = {};
        copy_few<true>(lanes, p, count);
        return load<T>(lanes);
    }

    /// Writes the first `count` lanes.
    template <class T, class V> CROTON_INLINE static void store(T* p, const V& v, int count) {
        if constexpr (has_avx512<A> && sizeof(T) >= 4 && !is_vector_integer<T>) {
            const std::uint32_t lanes = (std::uint32_t{1} << count) - 1;
            avx512<A>::store(p, v.part[0], lanes);
            if constexpr (V::parts == 2) avx512<A>::store(p + V::width, v.part[1], lanes >> V::width);
        } else {
            store_few<T, V>(p, v, count);
        }
    }
    template <class T, class V> [[gnu::noinline]] static void store_few(T* p, V v, int count) {
        if constexpr (masks_by_avx2<A, T> && !is_vector_integer<T> && V::parts == 1) {
            avx2<A>::store(p, v.part[0], count);
        } else {
            alignas(64) T lanes[lane_count];
            store(lanes, v);
            copy_few<false>(p, lanes, count);
        }
    }
    // Of a register of bytes or of half words many are left, elsewhere fewer than a call is worth. Where masks know bytes no loop is needed, whose numbers a register would wait for.
    template <bool Reads, class T> CROTON_INLINE static void copy_few(T* to, const T* from, int count) {
        constexpr int unit = static_cast<int>(sizeof(T));
#if CROTON_HAS_AVX512_BYTES
        if constexpr (has_avx512_words<A>) {
            if constexpr (Reads) return avx512<A>::template read_few<N * unit>(reinterpret_cast<std::byte*>(to), from, count * unit);
            else return avx512<A>::template write_few<N * unit>(to, reinterpret_cast<const std::byte*>(from), count * unit);
        }
#endif
        if constexpr (unit <= 2) std::memcpy(to, from, static_cast<std::size_t>(count * unit));
        else
            for (int i = 0; i < count; ++i) to[i] = from[i];
    }

    /// Whether one register is all of these lanes of `T`, and half as many numbers are a register as well.
    template <class T> static constexpr bool fills = std::is_floating_point_v<T> && N > 1 && lane_count * sizeof(T) == register_bytes<A>;

    template <class T> using lane_number = std::make_unsigned_t<signed_of<sizeof(T)>>;

    /// True in the first `count` lanes.
    template <class T> CROTON_INLINE static auto first(int count) {
        if constexpr (is_narrow || is_vector_integer<T>) return iota<lane_number<T>>(0) < integers<lane_number<T>, N, A>::all(static_cast<lane_number<T>>(count));
        else if constexpr (std::is_same_v<T, bool>) return first<mask_element>(count);
        else if constexpr (has_avx512<A>) return detail::from_bits<mask<T, N, A>>((std::uint32_t{1} << count) - 1);
        else return iota<T>(T(0)) < broadcast(static_cast<T>(count));
    }

    template <class T> CROTON_INLINE static bool any(const mask<T, N, A>& m) {
        if constexpr (mask<T, N, A>::parts == 1) return xsimd::any(m.part[0]);
        else return xsimd::any(m.part[0] | m.part[1]);
    }

    /// `static_cast<T>` in each lane.
    template <class T, class U> CROTON_INLINE static value<T> convert(const pack<U, N, A>& v) {
        if constexpr (is_storage<T>) {
            static_assert(std::is_same_v<U, float>);
            T lanes[lane_count];
            store(lanes, v);
            return load<T>(lanes);
        } else if constexpr (std::is_same_v<T, U>) {
            return v;
        } else if constexpr (is_vector_integer<T>) {
            if constexpr (std::is_floating_point_v<U>) return cut_off<T>(v);
            else return resized<T>(as_vectors(v));
        } else if constexpr (std::is_same_v<T, bool>) {
            return mask_cast<mask_element>(v != broadcast(U(0)));
        } else if constexpr (std::is_same_v<U, std::int32_t> && std::is_same_v<T, float>) {
            return detail::each<value<T>>([](const auto& p) CROTON_INLINED { return xsimd::to_float(p); }, v);
        } else if constexpr (std::is_same_v<U, float> && std::is_same_v<T, std::int32_t>) {
            return detail::each<value<T>>([](const auto& p) CROTON_INLINED { return xsimd::to_int(p); }, v);
        } else if constexpr (has_avx512<A> && std::is_same_v<U, float> && std::is_same_v<T, double>) {
            return {{avx512<A>::lower_as_double(v.part[0]), avx512<A>::upper_as_double(v.part[0])}};
        } else if constexpr (has_avx512<A> && std::is_same_v<U, double> && std::is_same_v<T, float> && pack<U, N, A>::parts == 2) {
            return {{avx512<A>::as_float(v.part[0], v.part[1])}};
        } else if constexpr (std::is_integral_v<U> == std::is_integral_v<T>) {
            return as_pack(resized<T>(as_vectors(v)));
        } else {
            // Of small numbers by way of ints, for which there are instructions everywhere.
            if constexpr (std::is_same_v<U, float> && std::is_same_v<T, std::int64_t> && !has_avx512<A>) {
                const auto small = abs(v) < broadcast(U(2147483648.0));
                bool whole = true;
                for (const auto& part : small.part) whole = whole && xsimd::all(part);
                if (whole) return convert<T>(convert<std::int32_t>(v));
            }
            alignas(64) U from[lane_count];
            alignas(64) T to[lane_count];
            store(from, v);
            for (int i = 0; i < N; ++i) to[i] = static_cast<T>(from[i]);
            return load<T>(to);
        }
    }
    template <class T, class U> CROTON_INLINE static value<T> convert(const integers<U, N, A>& v) {
        if constexpr (is_storage<T>) return convert<T>(convert<float>(v));
        else if constexpr (std::is_same_v<T, bool>) return keep(v != integers<U, N, A>::all(U(0)));
        else if constexpr (std::is_same_v<T, U>) return v;
        else if constexpr (is_vector_integer<T>) return resized<T>(v);
        else return as_pack(resized<T>(v));
    }
    template <class T, class I> CROTON_INLINE static value<T> convert(const flags<I, N, A>& v) {
        if constexpr (std::is_same_v<T, bool>) return keep(v);
        else return select(v, broadcast(T(1)), broadcast(T(0)));
    }
    template <class T, class M> CROTON_INLINE static value<T> convert(const mask<M, N, A>& v) {
        if constexpr (std::is_same_v<T, bool>) return mask_cast<mask_element>(v);
        else return select(v, broadcast(T(1)), broadcast(T(0)));
    }
};

#else

struct native {};

#endif

}  // namespace croton::inline v0_1::simd

#if CROTON_HAS_XSIMD
#include <croton/device/cpu/draws.hpp>
#include <croton/device/cpu/mixed.hpp>
#include <croton/device/cpu/more_functions.hpp>
#endif

#endif
