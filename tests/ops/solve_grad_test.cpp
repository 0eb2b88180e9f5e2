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

TEST_CASE("for each of many: vmap and jacobians") {
    auto a = support::numbers(8).fill<double, 3>({3, 2, 2}, -1, 1);
    for (int k = 0; k < 3; ++k) a(k, 0, 0) += 3, a(k, 1, 1) += 3;
    const auto b = support::numbers(9).fill<double, 3>({3, 2, 2});
    const auto f = function<cpu>([](tensor<double, 3, 2, 2> x, tensor<double, 3, 2, 2> y) {
        auto one = x(0);
        auto each = vmap([&](const auto& p, const auto& q) { return std::tuple(solve(p, q) + solve_triangular(p, q), det(p) + trace(cholesky(dot(p, transpose(p)))), solve(one, q) - solve_triangular(one, q, {.lower = true})); }, x, y);
        auto s = y(1);
        return std::tuple_cat(each, std::tuple(jacobian(solve(one, s), s), jacobian(inv(one), one)));
    });
    const auto once = function<cpu>([](matrix<double> p, matrix<double> q, matrix<double> one) {
        return outputs(solve(p, q) + solve_triangular(p, q), det(p) + trace(cholesky(dot(p, transpose(p)))), solve(one, q) - solve_triangular(one, q, {.lower = true}), inv(p));
    });
    const auto [equations, numbers, of_one, slopes, slopes_of_inverse] = f(a, b);
    for (int k = 0; k < 3; ++k) {
        const auto [e, n, o, i] = once(a[k], b[k], a[0]);
        CHECK(numbers(k) == doctest::Approx(n()));
        for (int r = 0; r < 2; ++r)
            for (int c = 0; c < 2; ++c) {
                CHECK(equations(k, r, c) == doctest::Approx(e(r, c)));
                CHECK(of_one(k, r, c) == doctest::Approx(o(r, c)));
                // d (A^-1 B)_rc / d B_kl = (A^-1)_rk where l is c; d (A^-1)_rc / d A_kl = -(A^-1)_rk (A^-1)_lc.
                for (int m = 0; k == 0 && m < 2; ++m)
                    for (int l = 0; l < 2; ++l) {
                        CHECK(slopes(r, c, m, l) == doctest::Approx(l == c ? i(r, m) : 0));
                        CHECK(slopes_of_inverse(r, c, m, l) == doctest::Approx(-i(r, m) * i(l, c)));
                    }
            }
    }
}
