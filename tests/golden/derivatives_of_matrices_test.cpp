// SPDX-License-Identifier: MIT
// Derivatives of functions of spreads, gathered elements, linear algebra and loops, beside JAX's: make_derivatives.py.
#include "golden/derivatives.hpp"

using namespace golden;

constexpr double tolerance = 1e-11;

TEST_CASE("derivatives of spreads") {
    check_derivatives<m, v, v>("spreads", [](auto x, auto w) {
        return var<1>(x, ddof(1)) * quantile<1>(x, 0.3) + logsumexp<1>(x * w) + max<1>(x) * prod<1>(x);
    }, tolerance);
}
TEST_CASE("derivatives of what is picked and added") {
    check_derivatives<m, tensor<double, 4>, v>("picked", [](auto x, auto w) {
        const auto rows = stack<0>(x(2), x(0), x(2));
        const auto places = where(arange<3>(w) < 2, 1, 3);
        return dot(softmax<1>(rows), add_at<0>(w, cast<int>(places), x(1, slice(0, 3))));
    }, tolerance);
}
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
