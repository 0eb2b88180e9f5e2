// SPDX-License-Identifier: MIT
// What a device makes of special numbers by the functions of one element, against NumPy, SciPy and PyTorch: make_functions.py.
#ifndef CROTON_TESTS_GOLDEN_FUNCTIONS_HPP
#define CROTON_TESTS_GOLDEN_FUNCTIONS_HPP

#include "golden/special.hpp"

namespace golden {

template <class Device, class T> void check_functions() {
    auto f = function<Device>([](vector<T> x) {
        return std::tuple(exp2(x), log2(x), log10(x), cbrt(x), rsqrt(x), reciprocal(x), sin(x), cos(x), tan(x), asin(x), acos(x), atan(x), sinh(x), cosh(x), asinh(x),
                          acosh(x), atanh(x), erfc(x), erfinv(x), lgamma(x), digamma(x), logit(x), degrees(x), radians(x), floor(x), ceil(x), trunc(x), round(x),
                          isinf(x), isfinite(x), nan_to_num(x));
    });
    check_table<1, T>(f, load<T, 2>("functions"), 8, "exp2", "log2", "log10", "cbrt", "rsqrt", "reciprocal", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
                      "asinh", "acosh", "atanh", "erfc", "erfinv", "lgamma", "digamma", "logit", "degrees", "radians", "floor", "ceil", "trunc", "round", "isinf",
                      "isfinite", "nan_to_num");
    auto g = function<Device>([](vector<T, dim("n")> x, vector<T, dim("n")> y) {
        return std::tuple(atan2(x, y), hypot(x, y), fmod(x, y), x % y, floor_divide(x, y), copysign(x, y), heaviside(x, y), nextafter(x, y));
    });
    check_table<2, T>(g, load<T, 2>("divided"), 4, "atan2", "hypot", "fmod", "%", "floor_divide", "copysign", "heaviside", "nextafter");
}

template <class X, class Y> constexpr auto with_slope(const X& x, const Y& y) { return std::tuple(y, grad(sum(y), x)); }

template <class Device, class T> void check_activations() {
    auto f = function<Device>([](vector<T> x, scalar<T> a) {
        return std::tuple_cat(with_slope(x, elu(x)), with_slope(x, elu(x, 2)), with_slope(x, selu(x)), with_slope(x, celu(x, 2)), with_slope(x, silu(x)),
                              with_slope(x, mish(x)), with_slope(x, leaky_relu(x)), with_slope(x, leaky_relu(x, 0.2)), with_slope(x, prelu(x, a)),
                              with_slope(x, hard_sigmoid(x)), with_slope(x, hard_swish(x)), with_slope(x, softsign(x)));
    });
    const auto table = load<T, 2>("activations");
    const std::string names[] = {"elu", "elu 2", "selu", "celu 2", "silu", "mish", "leaky_relu", "leaky_relu 0.2", "prelu", "hard_sigmoid", "hard_swish", "softsign"};
    std::apply([&](const auto&... result) {
        int row = 0;
        const auto check = [&](const auto& got) {
            for (std::int64_t i = 0; i < got.size(); ++i) {
                const T x = got(i), want = table(1 + row, i);
                // A slope made of a result loses digits where it is small: elu's of e^x - 1.
                const bool near = same(x, want, 16, false) || (row % 2 == 1 && std::fabs(x - want) <= 4 * std::numeric_limits<T>::epsilon());
                CHECK_MESSAGE(near, std::string(row % 2 == 1 ? "slope of " : "") << names[row / 2] << "(" << table(0, i) << ") is " << x << " and not " << want);
            }
            ++row;
        };
        (check(result), ...);
        REQUIRE(row + 1 == table.extent(0));
    }, f(table[0], T(0.25)));
}

template <class Device, class T> void check_bits() {
    auto f = function<Device>([](vector<T, dim("n")> x, vector<T, dim("n")> y) {
        return std::tuple(fmod(x, y), x % y, floor_divide(x, y), x & y, x | y, x ^ y, ~x, x << y, x >> y);
    });
    check_table<2, T>(f, load<T, 2>("bits"), 0, "fmod", "%", "floor_divide", "&", "|", "^", "~", "<<", ">>");
}

}  // namespace golden

#endif
