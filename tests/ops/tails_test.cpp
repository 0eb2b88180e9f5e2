// SPDX-License-Identifier: MIT
// Operators that fall like e^(-x^2): far out a rounding error of the exponent is many digits of the result.
#include <doctest/doctest.h>

#include "oracle.hpp"
#include "support.hpp"

using namespace croton;

namespace {

template <class T, class Op> void check_tail(double low, double high) {
    auto f = function<cpu>([](vector<T> x) { return detail::elementwise<Op>(x); });
    constexpr std::int64_t count = 20'011;
    array<T, 1> x(count);
    for (std::int64_t i = 0; i < count; ++i) x(i) = static_cast<T>(low + (high - low) * static_cast<double>(i) / static_cast<double>(count));
    const array<T, 1> y = f(x);
    double worst = 0;
    T at = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const double off = oracle::distance_in_ulps(y(i), oracle::formula<Op>::value(static_cast<oracle::real>(x(i))));
        if (off > worst) {
            worst = off;
            at = x(i);
        }
    }
    CHECK_MESSAGE(worst <= oracle::formula<Op>::ulps, Op::name, " of ", at, ": ", worst, " ulps");
}

}  // namespace

TEST_CASE("what falls like e^(-x^2) keeps its digits far out") {
    check_tail<float, op::erfc>(0, 10);
    check_tail<float, op::ndtr>(-13, 0);
    check_tail<float, op::gelu>(-13, 0);
    check_tail<double, op::erfc>(0, 26);
    check_tail<double, op::ndtr>(-37, 0);
}
