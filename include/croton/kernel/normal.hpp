// SPDX-License-Identifier: MIT
// The distribution function of the normal distribution for one number; that of SIMD lanes lies beside their other functions.
#ifndef CROTON_KERNEL_NORMAL_HPP
#define CROTON_KERNEL_NORMAL_HPP

#include <cmath>
#include <type_traits>

#include <croton/config.hpp>

namespace croton::inline v0_1::kernel {

/// The share of the normal distribution below x: erfc(-x / sqrt(2)) / 2. Its digits are those of erfc, also far below 0.
template <class T>
    requires std::is_floating_point_v<T>
CROTON_HD T normal_cdf(T x) {
    using std::erfc;
    using std::exp;
    using std::fma;
    // 1 / sqrt(2) as a number of T and what that leaves.
    constexpr T root = static_cast<T>(0.7071067811865475244L), rest = static_cast<T>(0.7071067811865475244L - root);
    const T z = -x * root;
    // erfc multiplies what rounding took from z by 2 z: the first term of Taylor's series puts it back.
    const T lost = z > T(0) && z < T(40) ? fma(-x, root, -z) - x * rest : T(0);
    const T share = T(0.5) * (erfc(z) - T(1.1283791670955125739) * lost * exp(-z * z));
    return share <= T(0) ? T(0) : share;
}

}  // namespace croton::inline v0_1::kernel

#endif
