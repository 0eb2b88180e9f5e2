// SPDX-License-Identifier: MIT
// Derivatives of functions of products, sums along axes, choices, orders and spreads, beside JAX's: make_derivatives.py.
#include "golden/derivatives.hpp"

using namespace golden;

constexpr double tolerance = 1e-12;

TEST_CASE("derivatives of einsum") {
    check_derivatives<m, m, m>("einsum", [](auto x, auto w) { return tanh(einsum<"ij,jk,il->kl">(x, w, x)); }, tolerance);
}
TEST_CASE("derivatives of sums and products along an axis") {
    check_derivatives<m, v, m>("cumulated", [](auto x, auto w) { return cumsum<1>(x * w) + cumprod<0>(x); }, tolerance);
}
TEST_CASE("derivatives of choices") {
    check_derivatives<m, v, m>("where", [](auto x, auto w) {
        return where(x > w, x * w, sin(x)) + maximum(x, 0.2 * w) * clip(x, -0.5, 0.7) + abs(x);
    }, tolerance);
}
TEST_CASE("derivatives of what is sorted") {
    check_derivatives<m, v, m>("sort", [](auto x, auto w) { return sort<1>(x * x * x) * w + flip<1>(x); }, tolerance);
}
TEST_CASE("derivatives of norms") {
    check_derivatives<m, v, m>("norm", [](auto x, auto w) { return x / norm<1>(x, keepdims) * w + norm<0>(x * w, 1); }, tolerance);
}
