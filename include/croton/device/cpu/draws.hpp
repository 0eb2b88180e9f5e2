// SPDX-License-Identifier: MIT
// Random numbers in SIMD registers: a block of Philox's words is computed together and kept until neighbours have read it.
#ifndef CROTON_DEVICE_CPU_DRAWS_HPP
#define CROTON_DEVICE_CPU_DRAWS_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/device/cpu/functions.hpp>
#include <croton/device/cpu/mixed.hpp>
#include <croton/device/cpu/philox.hpp>
#include <croton/kernel/draws.hpp>

namespace croton::inline v0_1::op {
template <class T, kernel::law L> struct draw;
}

namespace croton::inline v0_1::simd {

namespace detail {

/// What is kept of a word: what a loop of the compiler makes of it. A normal number needs functions of lanes, and what is short is kept short; of truth
/// values 64 are one number.
template <class T> using kept_of_normal = std::conditional_t<sizeof(T) == 4, std::int32_t, double>;
template <class T> using kept_of_truth = std::conditional_t<std::is_same_v<T, bool>, std::uint64_t, T>;
template <class T, kernel::law L>
using kept_of_word = std::conditional_t<L == kernel::law::coarse, std::uint16_t, std::conditional_t<L == kernel::law::normal, kept_of_normal<T>, kept_of_truth<T>>>;
template <class T, kernel::law L> CROTON_INLINE kept_of_word<T, L> kept(kernel::word_of<T, L> word) {
    if constexpr (L == kernel::law::unit && sizeof(T) == 8) {
        // 52 bits as those of a double from 1 to 2, and the last one, because not every instruction set converts 64 bits.
        const double last = __builtin_bit_cast(double, (std::uint64_t{0} - (word >> 11 & 1)) & 0x3ca0000000000000u);
        return __builtin_bit_cast(double, word >> 12 | 0x3ff0000000000000u) - 1 + last;
    } else if constexpr (L != kernel::law::normal) {
        return kernel::made_of<T, L>(word);
    } else if constexpr (sizeof(T) == 4) {
        return static_cast<std::int32_t>(word);
    } else {
        return kernel::odd_number(word);
    }
}

/// Whether a register of words is as many words of the numbers that are kept of them, without another pass.
template <class T, kernel::law L>
inline constexpr bool is_kept_at_once = L == kernel::law::coarse || L == kernel::law::bits || L == kernel::law::truth ||
                                        (L == kernel::law::normal && sizeof(T) == 4) || (L == kernel::law::unit && std::is_same_v<T, float>);

/// Writes the numbers of 16 bits of some counters, as `random::coarse_word` has them: `words` are theirs from word `q` of the block on, `behind` those
/// from `q` + 8 on.
template <class V> CROTON_INLINE void store_coarse(std::uint16_t* to, std::size_t q, const V& words, const V& behind) {
    using shorts = vector_t<std::uint16_t, sizeof(V) / 2>;
    V all = words ^ behind;
    all ^= all << 32 | all >> 32;
    all ^= all << 16 | all >> 48;
    all ^= all << 8 | all >> 56;
    const shorts shared = __builtin_bit_cast(shorts, all) & 0xff;
    const auto store = [&](std::uint16_t* run, const V& of) CROTON_INLINED {
        const shorts own = __builtin_bit_cast(shorts, of), upper = (own & 0xff00) | shared, lower = own << 8 | shared;
        std::memcpy(run, &upper, sizeof upper);
        std::memcpy(run + 32, &lower, sizeof lower);
    };
    std::uint16_t* const run = to + q / 8 * 64 + q % 8 * 4;
    store(run, words);
    store(run + 64, behind);
}

/// The numbers of one block: those of 32 counters. `position`: that of the first of them.
template <class T, kernel::law L, class A>
[[gnu::noinline]] void fill_block(kept_of_word<T, L>* to, std::int64_t position, std::uint64_t key, std::uint64_t counter) {
    using word = kernel::word_of<T, L>;
    constexpr std::size_t together = kernel::positions_together<T, L>();
    const auto block = static_cast<std::uint32_t>(kernel::place_in_turn(position) / together);
    const random::philox_block first = kernel::stream_at(position, key, counter).counter(block * 32);
    if constexpr (is_kept_at_once<T, L>) {
        const auto store = [&](std::size_t q, const auto& words) CROTON_INLINED {
            constexpr std::size_t bytes = sizeof(words);
            if constexpr (L == kernel::law::unit) {
                constexpr std::size_t width = bytes / sizeof(float);
                const auto upper = __builtin_bit_cast(vector_t<std::uint32_t, width>, words) >> 8;
                const auto made = vector_cast<float, std::int32_t, width>(__builtin_bit_cast(vector_t<std::int32_t, width>, upper)) * 0x1p-24f;
                std::memcpy(to + 2 * q, &made, bytes);
            } else {
                std::memcpy(to + q * sizeof(std::uint64_t) / sizeof *to, &words, bytes);
            }
        };
        philox_words<A>(first, key, [&](std::size_t q, const auto& words, const auto& behind) CROTON_INLINED {
            if constexpr (L == kernel::law::coarse) {
                store_coarse(to, q, words, behind);
            } else {
                store(q, words);
                store(q + 8, behind);
            }
        });
    } else {
        alignas(64) std::uint64_t bits[64];
        philox_words<A>(bits, first, key);
        alignas(64) word words[together];
        std::memcpy(words, bits, sizeof words);
        for (std::size_t i = 0; i < together; ++i) to[i] = kept<T, L>(words[i]);
    }
}

/// Two neighbouring blocks of a draw, of which the second one is computed when it is asked for.
template <class T, kernel::law L, class A> struct drawn_blocks {
    static constexpr std::int64_t together = kernel::positions_together<T, L>(), in_one = L == kernel::law::truth ? 64 : 1, kept = together / in_one;
    std::uint64_t key = 0, counter = 0;
    std::int64_t first = -(std::int64_t{1} << 62);  // the position of the first number
    std::int64_t count = together;
    alignas(64) kept_of_word<T, L> numbers[2 * kept + (in_one > 1 ? 1 : 0)] = {};  // behind bits there is memory to read

    /// Makes `wanted` numbers from `position` on be there.
    [[gnu::noinline]] void hold(std::int64_t position, std::int64_t wanted, std::uint64_t of_key, std::uint64_t of_counter) {
        const std::int64_t start = position & -together;
        const bool same = key == of_key && counter == of_counter;
        if (same && start == first + together && count == 2 * together) {
            for (std::int64_t i = 0; i < kept; ++i) numbers[i] = numbers[kept + i];
            count = together;
        } else if (!same || start != first) {
            fill_block<T, L, A>(numbers, start, of_key, of_counter);
            count = together;
        }
        first = start;
        key = of_key;
        counter = of_counter;
        if (position + wanted > start + count) {
            fill_block<T, L, A>(numbers + kept, start + together, key, counter);
            count = 2 * together;
        }
    }
};

/// Those that a thread has read last, by the low bits of their streams.
inline constexpr std::size_t drawn_streams = 8;
template <class T, kernel::law L, class A> inline drawn_blocks<T, L, A>& blocks_of(std::uint64_t counter) {
    static thread_local constinit drawn_blocks<T, L, A> blocks[drawn_streams];
    return blocks[counter % drawn_streams];
}

template <class T, int N, class A> CROTON_INLINE T first_lane(const pack<T, N, A>& v) {
    typedef T vector __attribute__((vector_size(sizeof(v.part[0].data))));
    return __builtin_bit_cast(vector, v.part[0].data)[0];
}
template <int N, class A> CROTON_INLINE bool are_neighbours(const pack<std::int64_t, N, A>& positions, std::int64_t first) {
    const auto expected = pack_lanes<N, A>::template iota<std::int64_t>(first);
    auto same = positions.part[0] == expected.part[0];
    if constexpr (pack<std::int64_t, N, A>::parts == 2) same = same & (positions.part[1] == expected.part[1]);
    return xsimd::all(same);
}

/// The lanes of arguments of which one at least is no single number.
template <class... V> struct lanes_of_any {};
template <class T, int N, class A, class... More> struct lanes_of_any<pack<T, N, A>, More...> {
    using type = pack_lanes<N, A>;
};
template <class T, int N, class A, class... More> struct lanes_of_any<integers<T, N, A>, More...> {
    using type = pack_lanes<N, A>;
};
template <class Number, class... More> struct lanes_of_any<Number, More...> : lanes_of_any<More...> {};

/// Numbers of 16 bits, as `kernel::made_of` has them.
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> coarse_of(const std::uint16_t* words) {
    using lanes = pack_lanes<N, A>;
    pack<T, N, A> numbers;
    if constexpr (has_avx512<A> && sizeof(T) == 4 && N == 16) numbers = {{avx512<A>::floats_of_words(words)}};
    else numbers = lanes::template convert<T>(lanes::load(words));
    return numbers * lanes::broadcast(T(0x1p-16)) + lanes::broadcast(T(0x1p-17));
}

/// `N` bits from bit `first` on as truth values.
template <int N, class A> CROTON_INLINE auto truths_of(const std::uint64_t* words, std::int64_t first) {
    using lanes = pack_lanes<N, A>;
    static_assert(N <= 57, "as many lie in any eight bytes, whichever bit is the first");
    std::uint64_t bits;
    std::memcpy(&bits, reinterpret_cast<const char*>(words) + first / 8, sizeof bits);
    bits >>= first % 8;
    if constexpr (has_avx512<A> && !lanes::is_narrow) {
        return from_bits<typename lanes::truth>(static_cast<std::uint32_t>(bits & ((std::uint64_t{1} << N) - 1)));
    } else {
        bool each[std::size_t{N}];
        for (int i = 0; i < N; ++i) each[i] = (bits >> i & 1) != 0;
        return lanes::load(static_cast<const bool*>(each));
    }
}

/// The normal numbers of words, as `kernel::made_of` has them.
template <int N, class A> CROTON_INLINE pack<float, N, A> normal_of(const pack<std::int32_t, N, A>& words) {
    using floats = xsimd::batch<float, A>;
    using ints = xsimd::batch<std::int32_t, A>;
    pack<float, N, A> size, rest;
    for (std::size_t i = 0; i < words.parts; ++i) {
        const ints bits = words.part[i] ^ (words.part[i] >> 31);
        size.part[i] = (xsimd::to_float(bits) + floats(0.5f)) * floats(0x1p-31f);
        rest.part[i] = (xsimd::to_float(ints(0x7fffffff) - bits) + floats(0.5f)) * floats(0x1p-31f);
    }
    pack<float, N, A> beyond = kernel::normal_beyond(size, rest);
    for (std::size_t i = 0; i < words.parts; ++i) {
        const auto below = xsimd::bool_cast(words.part[i] < ints(0));
        beyond.part[i] = xsimd::select(below, -beyond.part[i], beyond.part[i]);
    }
    return beyond;
}

}  // namespace detail

/// Positions of `N` lanes that lie side by side.
template <int N, class A> struct neighbours {
    std::int64_t first;
};

/// The numbers at neighbouring positions, out of blocks.
template <class T, kernel::law L, int N, class A>
CROTON_INLINE auto drawn_in_lanes(op::draw<T, L>, const neighbours<N, A>& positions, std::uint64_t key, std::uint64_t counter) ->
    typename pack_lanes<N, A>::template value<T> {
    using lanes = pack_lanes<N, A>;
    const std::int64_t first = positions.first;
    auto& blocks = detail::blocks_of<T, L, A>(counter);
    const bool there = static_cast<std::uint64_t>(first - blocks.first) <= static_cast<std::uint64_t>(blocks.count - N);
    if (!there || blocks.key != key || blocks.counter != counter) [[unlikely]]
        blocks.hold(first, N, key, counter);
    const std::int64_t at = first - blocks.first;
    if constexpr (L == kernel::law::truth) return detail::truths_of<N, A>(blocks.numbers, at);
    else if constexpr (L == kernel::law::coarse) return detail::coarse_of<T, N, A>(blocks.numbers + at);
    else if constexpr (L != kernel::law::normal) return lanes::load(blocks.numbers + at);
    else if constexpr (sizeof(T) == 4) return detail::normal_of<N, A>(lanes::load(blocks.numbers + at));
    else return lanes::broadcast(1.4142135623730950488) * kernel::inverse_erf(lanes::load(blocks.numbers + at));
}
/// The numbers at any positions, which are neighbours in most loops.
template <class T, kernel::law L, int N, class A>
CROTON_INLINE auto drawn_in_lanes(op::draw<T, L> draw, const pack<std::int64_t, N, A>& positions, std::uint64_t key, std::uint64_t counter) ->
    typename pack_lanes<N, A>::template value<T> {
    const std::int64_t first = detail::first_lane(positions);
    if (!detail::are_neighbours(positions, first)) [[unlikely]]
        return drawn_in_lanes(draw, positions, integers<std::uint64_t, N, A>::all(key), counter);
    return drawn_in_lanes(draw, neighbours<N, A>{first}, key, counter);
}
/// The same one by one, for keys and counters that differ from lane to lane as well.
template <class T, kernel::law L, class P, class K, class C>
CROTON_INLINE auto drawn_in_lanes(op::draw<T, L>, const P& positions, const K& keys, const C& counters) {
    using lanes = typename detail::lanes_of_any<P, K, C>::type;
    constexpr std::size_t count = lanes::lane_count;
    std::int64_t position[count];
    std::uint64_t key[count], counter[count];
    T result[count];
    const auto spill = [](auto* to, const auto& v) {
        if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(v)>>)
            for (std::size_t i = 0; i < count; ++i) to[i] = v;
        else lanes::store(to, v);
    };
    spill(position, positions);
    spill(key, keys);
    spill(counter, counters);
    for (std::size_t i = 0; i < count; ++i) result[i] = kernel::drawn<T, L>(position[i], key[i], counter[i]);
    return lanes::load(static_cast<const T*>(result));
}

}  // namespace croton::inline v0_1::simd

#endif

#endif
