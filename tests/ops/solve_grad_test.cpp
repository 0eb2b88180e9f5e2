// SPDX-License-Identifier: MIT
// The slopes of systems of equations against differences, the second ones too.
#include <doctest/doctest.h>

#include <croton/croton.hpp>

#include "ops/support.hpp"

using namespace croton;

namespace {

array<double, 2> well_conditioned(std::uint64_t seed, std::int64_t n) {
    auto a = support::numbers(seed).fill<double, 2>({n, n}, -1, 1);
    for (std::int64_t i = 0; i < n; ++i) a(i, i) += 3;
    return a;
}

using square = matrix<double, dim("n"), dim("n")>;
using sides = matrix<double, dim("n"), dynamic>;

}  // namespace

TEST_CASE("solve, inv and determinants") {
    const auto a = well_conditioned(1, 3);
    const auto b = support::numbers(2).fill<double, 2>({3, 2});
    CHECK_NOTHROW(verify_grad([](square x, sides y) { return solve(x, y); }, a, b));
    CHECK_NOTHROW(verify_grad([](square x, vector<double, dim("n")> y) { return solve(x, y); }, a, array<double, 1>{1, -2, 3}));
    CHECK_NOTHROW(verify_grad([](square x) { return std::tuple(inv(x), det(x)); }, a));
    CHECK_NOTHROW(verify_grad([](square x) {
        auto [sign, logabsdet] = slogdet(x);
        return std::tuple(sign * logabsdet, grad(det(x), x), grad(sum(sqr(inv(x))), x));
    }, a));
    CHECK_NOTHROW(verify_grad([](square x, sides y) { return grad(sum(sqr(solve(x, y))), x); }, a, b));
}

TEST_CASE("triangles") {
    const auto a = well_conditioned(3, 3);
    const auto b = support::numbers(4).fill<double, 2>({3, 2});
    CHECK_NOTHROW(verify_grad([](square x, sides y) { return std::tuple(solve_triangular(x, y), solve_triangular(x, y, {.lower = true})); }, a, b));
    CHECK_NOTHROW(verify_grad([](square x, sides y) {
        return std::tuple(solve_triangular(x, y, {.transposed = true}), solve_triangular(x, y, {.lower = true, .transposed = true, .unit_diagonal = true}));
    }, a, b));
    CHECK_NOTHROW(verify_grad([](square x, sides y) { return grad(sum(sqr(solve_triangular(x, y, {.lower = true, .unit_diagonal = true}))), x); }, a, b));
}

TEST_CASE("cholesky") {
    const auto a = well_conditioned(5, 3);
    // Of a matrix that is made symmetric: its gradient is that of both triangles.
    CHECK_NOTHROW(verify_grad([](square x) { return cholesky(dot(x, transpose(x))); }, a));
    CHECK_NOTHROW(verify_grad([](square x) {
        auto l = cholesky(dot(x, transpose(x)));
        return grad(sum(log(diagonal(l))) + sum(sqr(l)), x);
    }, a));
}

TEST_CASE("batches") {
    auto a = support::numbers(6).fill<double, 3>({2, 2, 2}, -1, 1);
    for (int k = 0; k < 2; ++k) a(k, 0, 0) += 3, a(k, 1, 1) += 3;
    const auto b = support::numbers(7).fill<double, 2>({2, 2});
    using batch = tensor<double, dynamic, dynamic, dynamic>;
    CHECK_NOTHROW(verify_grad([](batch x, matrix<double> y) { return std::tuple(solve(x, y), det(x)); }, a, b));
    CHECK_NOTHROW(verify_grad([](batch x, matrix<double> y) {
        auto [sign, logabsdet] = slogdet(x);
        return std::tuple(solve_triangular(x, y), cholesky(matmul(x, swapaxes<1, 2>(x))), logabsdet);
    }, a, b));
}
