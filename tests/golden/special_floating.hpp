// SPDX-License-Identifier: MIT
// What a device makes of special numbers of one floating type, against NumPy.
#ifndef CROTON_TESTS_GOLDEN_SPECIAL_FLOATING_HPP
#define CROTON_TESTS_GOLDEN_SPECIAL_FLOATING_HPP

#include "golden/special.hpp"

namespace golden {

template <class Device, class T> void check_unary() {
    auto f = function<Device>([](vector<T> x) {
        return std::tuple(-x, abs(x), sign(x), exp(x), expm1(x), log(x), log1p(x), sqrt(x), sqr(x), tanh(x), isnan(x), relu(x), softplus(x), sigmoid(x), erf(x),
                          ndtr(x), gelu(x), gelu(x, approximate::tanh), log1mexp(x));
    });
    check_table<1, T>(f, load<T, 2>("unary"), 32, "-", "abs", "sign", "exp", "expm1", "log", "log1p", "sqrt", "sqr", "tanh", "isnan", "relu", "softplus", "sigmoid",
                   "erf", "ndtr", "gelu", "gelu_tanh", "log1mexp");
}

template <class Device, class T> void check_binary() {
    auto f = function<Device>([](vector<T, dim("n")> x, vector<T, dim("n")> y) {
        return std::tuple(x + y, x - y, x * y, x / y, pow(x, y), logaddexp(x, y), maximum(x, y), minimum(x, y), xlogy(x, y), xlog1py(x, y), x == y, x != y, x < y,
                          x <= y, x > y, x >= y, where(x < y, x, y), clip(x, y, 1), clip(x, -1, y));
    });
    check_table<2, T>(f, load<T, 2>("binary"), 8, "+", "-", "*", "/", "pow", "logaddexp", "maximum", "minimum", "xlogy", "xlog1py", "==", "!=", "<", "<=", ">", ">=",
                   "where", "clip to y and 1", "clip to -1 and y");
}

template <class Device, class T> void check_rows() {
    auto f = function<Device>([](matrix<T> x) {
        return std::tuple(sum<1>(x), prod<1>(x), max<1>(x), min<1>(x), mean<1>(x), argmax<1>(x), argmin<1>(x), all<1>(x > 0), any<1>(x > 0), logsumexp<1>(x));
    });
    auto g = function<Device>([](matrix<T> x) { return std::tuple(softmax<1>(x), log_softmax<1>(x)); });
    const auto x = load<T, 2>("rows"), want = load<T, 2>("reduced");
    const auto row = [](std::int64_t i) { return " of row " + std::to_string(i); };
    const std::string names[] = {"sum", "prod", "max", "min", "mean", "argmax", "argmin", "all", "any", "logsumexp"};
    std::apply([&](const auto&... result) {
        int i = 0;
        ((check_row<std::remove_cvref_t<decltype(result)>, T>(names[i], result, want[i], 64, row), ++i), ...);
    }, f(x));
    // Where a row has an infinite element, softmax is what exp(x) / sum(exp(x)) and exp(log_softmax(x)) are: NaN there and 0 elsewhere.
    // exp(x - max(x)) / sum(exp(x - max(x))), as SciPy has it, is NaN everywhere.
    const auto [p, log_p] = g(x);
    const auto want_p = load<T, 2>("softmax"), want_log_p = load<T, 2>("log_softmax");
    for (std::int64_t i = 0; i < x.extent(0); ++i) {
        check_row<array<T, 1>, T>("softmax", array<T, 1>(p[i]), want_p[i], 64, [&](std::int64_t) { return row(i); });
        check_row<array<T, 1>, T>("log_softmax", array<T, 1>(log_p[i]), want_log_p[i], 64, [&](std::int64_t) { return row(i); });
    }
}

template <class Device, class T> void check_products() {
    auto f = function<Device>([](matrix<T, dim("n"), dim("n")> a, matrix<T, dim("n"), dim("n")> b, scalar<T> zero) {
        return std::tuple(dot(a, b), zero * dot(a, b) + b);
    });
    for (const std::string size : {"3", "40"}) {
        const auto all = load<T, 3>("product_" + size);
        const auto [product, scaled] = f(all[0], all[1], T(0));
        for (std::int64_t i = 0; i < product.extent(0); ++i) {
            const auto row = [&](std::int64_t j) { return " of size " + size + " at " + std::to_string(i) + ", " + std::to_string(j); };
            check_row<array<T, 1>, T>("a b", array<T, 1>(product[i]), all[2][i], 1000, row);
            check_row<array<T, 1>, T>("0 (a b) + b", array<T, 1>(scaled[i]), all[3][i], 0, row);
        }
    }
}

}  // namespace golden

#endif
