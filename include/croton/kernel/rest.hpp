// SPDX-License-Identifier: MIT
// Division with a rest, of one number or of lanes: as NumPy has it.
#ifndef CROTON_KERNEL_REST_HPP
#define CROTON_KERNEL_REST_HPP

#include <cmath>
#include <type_traits>

#include <croton/kernel/kernel.hpp>

namespace croton::inline v0_1::kernel {

/// The rest of a / b with the sign of a; of integers by 0 it is 0.
template <class V> CROTON_INLINE CROTON_HD V truncated_rest(V a, V b) {
    if constexpr (std::is_integral_v<lane_type<V>>) {
        return select(b == constant<V>(0), b, minus(a, times(quotient(a, b), b)));
    } else {
        using std::fmod;
        return fmod(a, b);
    }
}

/// Lanes of integers that know their quotients rounded down.
template <class V>
concept floors_quotients = requires(V a) { floored(a, a); };

/// The rest with the sign of b; a rest of 0 has it too.
template <class V> CROTON_INLINE CROTON_HD V floored_rest(V a, V b) {
    if constexpr (std::is_unsigned_v<lane_type<V>>) {
        return truncated_rest(a, b);
    } else if constexpr (floors_quotients<V>) {
        return select(b == constant<V>(0), b, minus(a, times(floored(a, b), b)));
    } else {
        const V zero = constant<V>(0), rest = truncated_rest(a, b);
        const V moved = select((rest < zero) != (b < zero), plus(rest, b), rest);
        if constexpr (std::is_integral_v<lane_type<V>>) {
            return select(rest == zero, zero, moved);
        } else {
            using std::copysign;
            return select(rest == zero, copysign(zero, b), moved);
        }
    }
}

/// The whole number below a / b; of integers by 0 it is 0. The quotient of floating-point numbers is that of what the rest leaves,
/// which is whole, but for its rounding; one of 0 has the sign of a / b.
template <class V> CROTON_INLINE CROTON_HD V floored_quotient(V a, V b) {
    if constexpr (std::is_unsigned_v<lane_type<V>>) {
        return quotient(a, b);
    } else if constexpr (floors_quotients<V>) {
        return floored(a, b);
    } else if constexpr (std::is_integral_v<lane_type<V>>) {
        const V zero = constant<V>(0), down = quotient(a, b), rest = minus(a, times(down, b));
        return select(((rest < zero) != (b < zero)) && (rest != zero) && (b != zero), minus(down, constant<V>(1)), down);
    } else {
        using std::copysign;
        using std::fmod;
        using std::rint;
        const V zero = constant<V>(0), rest = fmod(a, b), ratio = a / b;
        const V exact = rint((a - rest) / b);
        const V down = select(((rest < zero) != (b < zero)) && (rest != zero), exact - constant<V>(1), exact);
        return select(b == zero, ratio, select(down == zero, copysign(zero, ratio), down));
    }
}

}  // namespace croton::inline v0_1::kernel

#endif
