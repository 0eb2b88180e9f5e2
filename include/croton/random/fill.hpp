// SPDX-License-Identifier: MIT
// Fills memory with random numbers, a block of Philox's counters after the other.
#ifndef CROTON_RANDOM_FILL_HPP
#define CROTON_RANDOM_FILL_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <croton/array/array.hpp>
#include <croton/config.hpp>
#include <croton/core/philox.hpp>
#include <croton/device/cpu/draws.hpp>
#include <croton/kernel/draws.hpp>

namespace croton::inline v0_1::detail {

/// The numbers of law `L` at the positions from `first` on, which begins a block.
template <class T, kernel::law L> void draw_block(T* to, std::int64_t first, const random::stream_of& s) {
    constexpr int together = kernel::positions_together<T, L>();
#if CROTON_HAS_XSIMD
    const auto position = static_cast<std::int64_t>(static_cast<std::uint64_t>(first) | std::uint64_t{s.turn} << kernel::position_bits);
    const std::uint64_t counter = s.calls << 16 | s.stream;
    if constexpr (L != kernel::law::normal) {
        simd::detail::fill_block<T, L, simd::native>(to, position, s.key, counter);
    } else {
        constexpr int width = static_cast<int>(xsimd::batch<T, simd::native>::size);
        using lanes = simd::pack_lanes<width, simd::native>;
        alignas(64) simd::detail::kept_of_word<T, L> kept[std::size_t{together}];
        simd::detail::fill_block<T, L, simd::native>(kept, position, s.key, counter);
        for (int i = 0; i < together; i += width) {
            if constexpr (sizeof(T) == 4) lanes::store(to + i, simd::detail::normal_of<width, simd::native>(lanes::load(kept + i)));
            else lanes::store(to + i, lanes::broadcast(1.4142135623730950488) * kernel::inverse_erf(lanes::load(kept + i)));
        }
    }
#else
    std::uint64_t bits[64];
    for (std::uint32_t c = 0; c < 32; ++c) {
        const random::philox_block drawn = random::philox4x32(s.counter(static_cast<std::uint32_t>(first / together) * 32 + c), s.key);
        std::uint64_t* const at = bits + c / 8 * 16 + c % 8;
        at[0] = std::uint64_t{drawn.word[0]} << 32 | drawn.word[1];
        at[8] = std::uint64_t{drawn.word[2]} << 32 | drawn.word[3];
    }
    kernel::word_of<T, L> words[together];
    std::memcpy(words, bits, sizeof words);
    for (int i = 0; i < together; ++i) to[i] = kernel::made_of<T, L>(words[i]);
#endif
}

/// What `f`, a function of one number or of lanes, makes of each.
template <class T, std::size_t N, class F> CROTON_LAYERED void map_block(T (&numbers)[N], const F& f) {
#if CROTON_HAS_XSIMD
    constexpr int width = static_cast<int>(xsimd::batch<T, simd::native>::size);
    using lanes = simd::pack_lanes<width, simd::native>;
    for (std::size_t i = 0; i < N; i += width) lanes::store(numbers + i, f(lanes::load(static_cast<const T*>(numbers) + i)));
#else
    for (T& x : numbers) x = f(x);
#endif
}

struct as_drawn {};

/// Writes what `f` makes of the numbers of law `L` in row-major order; `last` makes an element of each.
template <class U, kernel::law L, class T, class F, class Last>
void draw_dense(T* to, std::int64_t size, const random::stream_of& s, const F& f, const Last& last) {
    constexpr std::int64_t together = kernel::positions_together<U, L>();
    alignas(64) U numbers[std::size_t{together}];
    for (std::int64_t first = 0; first < size; first += together) {
        constexpr bool direct = std::is_same_v<T, U> && std::is_same_v<F, as_drawn> && std::is_same_v<Last, as_drawn>;
        if (direct && size - first >= together) {
            if constexpr (direct) draw_block<U, L>(to + first, first, s);
            continue;
        }
        draw_block<U, L>(numbers, first, s);
        if constexpr (!std::is_same_v<F, as_drawn>) map_block(numbers, f);
        const auto element = [&](U x) {
            if constexpr (std::is_same_v<Last, as_drawn>) return static_cast<T>(x);
            else return static_cast<T>(last(x));
        };
        // Of a whole block the compiler knows the size.
        if (size - first >= together)
            for (std::int64_t i = 0; i < together; ++i) to[first + i] = element(numbers[i]);
        else
            for (std::int64_t i = 0; i < size - first; ++i) to[first + i] = element(numbers[i]);
    }
}

/// A struct, so that what is wrong is said once.
template <class T> struct takes_numbers {
    static constexpr bool value = !std::is_const_v<T>;
    static_assert(value, "croton: random numbers are written into an array or a view whose elements are not const");
};

/// `write(data, size)` for the elements of an array or a view in row-major order. What does not lie so, or not on the host, is written through a
/// copy.
template <class To, class Write> void write_elements(To&& to, const Write& write) {
    using target = std::remove_cvref_t<To>;
    using T = typename target::value_type;
    constexpr bool writable = takes_numbers<std::remove_pointer_t<decltype(to.data())>>::value;
    const auto copied = [&](const auto& give) {
        auto dense = array<T, target::rank>::uninitialized(to.extents());
        write(dense.data(), dense.size());
        give(dense);
    };
    if constexpr (!writable) {
        return;
    } else if constexpr (requires { to.is_contiguous(); }) {
        if (to.is_contiguous()) write(to.data(), to.size());
        else copied([&](const auto& dense) { to.copy_from(dense); });
    } else if constexpr (requires { to.as_view(); }) {
        write(to.data(), to.size());
    } else {
        copied([&](const auto& dense) {
            memory<typename target::device>::copy_from_host(to.data(), dense.data(), static_cast<std::size_t>(dense.size()) * sizeof(T));
        });
    }
}

/// The numbers of law `L` in an array or a view: `f` as in `map_block`, `last` of a single number.
template <class U, kernel::law L, class To, class F = as_drawn, class Last = as_drawn>
void draw_into(To&& to, const random::stream_of& s, const F& f = {}, const Last& last = {}) {
    write_elements(to, [&](auto* data, std::int64_t size) { draw_dense<U, L>(data, size, s, f, last); });
}

/// What numbers of the element type are made of.
template <class T> using drawn_as = std::conditional_t<std::is_same_v<T, double>, double, float>;

}  // namespace croton::inline v0_1::detail

#endif
