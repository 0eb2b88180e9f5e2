// SPDX-License-Identifier: MIT
// Arithmetic on finite numbers while the program compiles.
#ifndef CROTON_GRAPH_FINITE_HPP
#define CROTON_GRAPH_FINITE_HPP

#include <limits>

namespace croton::inline v0_1::detail {

/// Arithmetic of finite numbers that is infinite where it overflows: in a constant expression the operators may not.
struct finite {
    static constexpr double magnitude(double v) { return v < 0 ? -v : v; }
    static constexpr double times(double a, double b) {
        constexpr double most = std::numeric_limits<double>::max(), infinity = std::numeric_limits<double>::infinity();
        return magnitude(a) > 1 && magnitude(b) > most / magnitude(a) ? ((a < 0) == (b < 0) ? infinity : -infinity) : a * b;
    }
    static constexpr double over(double a, double b) {
        constexpr double most = std::numeric_limits<double>::max(), infinity = std::numeric_limits<double>::infinity();
        return magnitude(b) < 1 && magnitude(a) > most * magnitude(b) ? ((a < 0) == (b < 0) ? infinity : -infinity) : a / b;
    }
    static constexpr double plus(double a, double b) {
        constexpr double most = std::numeric_limits<double>::max(), infinity = std::numeric_limits<double>::infinity();
        return (a < 0) == (b < 0) && magnitude(a) > most - magnitude(b) ? (a < 0 ? -infinity : infinity) : a + b;
    }

    /// A number that is left to the run.
    static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    /// `result`, unless it has lost all of its digits: it is 0 where `is_zero` says that it is not.
    static constexpr double exactly_zero(double result, bool is_zero) { return result == 0 && !is_zero ? unknown : result; }
};

}  // namespace croton::inline v0_1::detail

#endif
