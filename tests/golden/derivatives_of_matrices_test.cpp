// SPDX-License-Identifier: MIT
// Derivatives of functions of linear algebra and loops, beside JAX's: make_derivatives.py.
#include "golden/derivatives.hpp"

using namespace golden;

constexpr double tolerance = 1e-11;

TEST_CASE("derivatives of solve, inv and slogdet") {
    check_derivatives<m, v, v>("solve", [](auto x, auto w) {
        const auto a = x + 3 * eye<3>(x);
        return solve(a, w) * slogdet(a).logabsdet + dot(inv(a), sin(w));
    }, tolerance);
}
TEST_CASE("derivatives of Cholesky factors and triangles") {
    check_derivatives<m, v, v>("cholesky", [](auto x, auto w) {
        const auto l = cholesky(matmul(x, transpose(x)) + 2 * eye<3>(x));
        return dot(l, solve_triangular(l, dot(sin(l), w), {.lower = true}));
    }, tolerance);
}
TEST_CASE("derivatives of a loop") {
    check_derivatives<m, m, m>("scan", [](auto x, auto w) {
        auto [last, given] = scan([&](auto h, auto e) {
            auto next = tanh(dot(w, h) + e);
            return step(next, next * e);
        }, ones_like(x(0)), x);
        return concatenate<0>(given, newaxis<0>(last));
    }, tolerance);
}
