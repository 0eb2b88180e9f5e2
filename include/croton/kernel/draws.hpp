// SPDX-License-Identifier: MIT
// Random numbers as functions of a position, a key and a counter: what kernels compute for each element of a draw.
#ifndef CROTON_KERNEL_DRAWS_HPP
#define CROTON_KERNEL_DRAWS_HPP

#include <cmath>
#include <cstdint>
#include <type_traits>

#include <croton/core/philox.hpp>
#include <croton/kernel/special.hpp>

namespace croton::inline v0_1::kernel {

/// What is made of the bits of a position.
enum class law : std::uint8_t {
    bits,    // the bits
    unit,    // a number from 0 to 1, 1 not among them: 24 bits for float, 53 for double
    coarse,  // one of 16 bits between 0 and 1: an odd multiple of 2^-17, as `random::coarse_word` has them
    truth,   // a bit, as a truth value
    inner,   // one between 0 and 1, neither among them: 23 bits and 52, and a half of the last one
    normal,  // a number of the standard normal distribution: its inverse distribution function of a number between 0 and 1
};

/// The word whose bits a number of `T` is made of.
template <class T, law L>
using word_of = std::conditional_t<L == law::coarse, std::uint16_t,
                                   std::conditional_t<L == law::truth, bool, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

/// How many positions share 32 counters, which are computed together.
template <class T, law L> constexpr int positions_together() {
    if constexpr (L == law::coarse) return random::coarse_together;
    else return random::positions_together<word_of<T, L>>;
}

/// A position holds the number of the turn above so many bits.
inline constexpr int position_bits = 34;

/// `counter`: the stream in its low 16 bits, the number of the call above.
CROTON_HD constexpr random::stream_of stream_at(std::int64_t position, std::uint64_t key, std::uint64_t counter) {
    const auto turn = static_cast<std::uint32_t>(static_cast<std::uint64_t>(position) >> position_bits);
    return {key, static_cast<std::uint32_t>(counter & 0xffff), counter >> 16, turn};
}
CROTON_HD constexpr std::uint64_t place_in_turn(std::int64_t position) {
    return static_cast<std::uint64_t>(position) & ((std::uint64_t{1} << position_bits) - 1);
}

/// How far from 0 the normal distribution leaves `rest` / 2 beyond on either side, for size = 1 - rest: the inverse of erf by polynomials in w =
/// -log(1 - size^2) and in its root, through their values at Chebyshev's points (after Giles, Approximating the erfinv function, 2012). For floats,
/// with an error of the polynomials below 2e-8, down to rest = 2^-32, which is 6.3. Of one number or of lanes; what no lane needs is not computed.
template <class V> CROTON_HD V normal_beyond(V size, V rest) {
    using std::log;
    using std::sqrt;
    const double near[] = {2.123313480222768, 0.3488020276665524, -0.00590772565947359, -0.001771622653190994, 0.0003087926633565399,
                           -7.0320633614988545e-06, -4.898814945450031e-06, 6.620377011510136e-07, 3.300204131009672e-08, -1.2631650830857498e-08};
    const double far[] = {4.633052445055722, 1.4240566195349555, 0.005185069403317894, -0.0033274895075362044, 0.0018635771711448539,
                          -0.0011668195625538593, 0.0007533473763510968, -0.00043042017271755634, 0.00011096463915393589,
                          5.3241218190859044e-05, -3.150121725967301e-05};
    const V w = -log(rest * (constant<V>(1) + size));
    V ratio = series(w - constant<V>(2.5), near);
    const auto inside = w < constant<V>(5);
    if (in_any_lane(!inside)) ratio = select(inside, ratio, series(sqrt(w) - constant<V>(3.441), far));
    return size * ratio;
}

/// A double between -1 and 1 that is an odd multiple of 2^-52.
CROTON_HD constexpr double odd_number(std::uint64_t word) {
    return (__builtin_bit_cast(double, word >> 12 | 0x3ff0000000000000u) - 1.5 + 0x1p-53) * 2;
}

/// The number of law `L` that a word makes.
template <class T, law L> CROTON_HD T made_of(word_of<T, L> word) {
    if constexpr (L == law::bits || L == law::truth) {
        return word;
    } else if constexpr (L == law::unit) {
        return random::unit_number(word);
    } else if constexpr (L == law::coarse) {
        return (static_cast<T>(word) + T(0.5)) * T(0x1p-16);
    } else if constexpr (L == law::inner && sizeof(T) == 4) {
        return (static_cast<float>(static_cast<std::int32_t>(word >> 9)) + 0.5f) * 0x1p-23f;
    } else if constexpr (L == law::inner) {
        return __builtin_bit_cast(double, word >> 12 | 0x3ff0000000000000u) - 1 + 0x1p-53;
    } else if constexpr (sizeof(T) == 4) {
        const auto number = static_cast<std::int32_t>(word), size = number ^ number >> 31;
        const float beyond = normal_beyond((static_cast<float>(size) + 0.5f) * 0x1p-31f, (static_cast<float>(0x7fffffff - size) + 0.5f) * 0x1p-31f);
        return number < 0 ? -beyond : beyond;
    } else {
        return 1.4142135623730950488 * inverse_erf(odd_number(word));
    }
}

/// The number of law `L` at a position of a draw.
template <class T, law L> CROTON_HD T drawn(std::int64_t position, std::uint64_t key, std::uint64_t counter) {
    const random::stream_of s = stream_at(position, key, counter);
    if constexpr (L == law::coarse) return made_of<T, L>(random::coarse_word(s, place_in_turn(position)));
    else return made_of<T, L>(random::random_word<word_of<T, L>>(s, place_in_turn(position)));
}

}  // namespace croton::inline v0_1::kernel

#endif
