// SPDX-License-Identifier: MIT
// The slopes of decompositions against differences, of what does not depend on the choice of signs; the second ones too.
#include <doctest/doctest.h>

#include <croton/croton.hpp>

#include "ops/support.hpp"

using namespace croton;

namespace {

using sized = matrix<double, dim("m"), dim("n")>;
array<double, 2> drawn(std::uint64_t seed, std::int64_t m, std::int64_t n) { return support::numbers(seed).fill<double, 2>({m, n}); }

}  // namespace

TEST_CASE("qr, tall, square and wide") {
    for (const std::pair<int, int>& size : {std::pair{4, 2}, std::pair{3, 3}, std::pair{2, 4}}) {
        const int m = size.first, n = size.second;
        CAPTURE(m);
        CHECK_NOTHROW(verify_grad([](sized x) {
            auto [q, r] = qr(x);
            return std::tuple(q, r);
        }, drawn(1, m, n)));
    }
    CHECK_NOTHROW(verify_grad([](sized x) {
        auto [q, r] = qr(x);
        return grad(sum(sqr(r) * r) + sum(q * q * q), x);
    }, drawn(2, 3, 2)));
}

TEST_CASE("eigh") {
    CHECK_NOTHROW(verify_grad([](sized x) {
        auto [w, v] = eigh(dot(transpose(x), x));
        return std::tuple(w, sqr(v), dot(v * exp(w * 0.1), transpose(v)));
    }, drawn(3, 4, 3)));
    CHECK_NOTHROW(verify_grad([](matrix<double> x) {
        auto [w, v] = eigh(x + transpose(x));
        return grad(sum(w * sqr(w)) + sum(sqr(v) * w), x);
    }, drawn(4, 3, 3)));
    // Of eigenvalues that are equal what depends on both alike has its slope.
    const auto f = function<cpu>([](matrix<double> x) {
        auto [w, v] = eigh(x);
        return grad(sum(sqr(w)), x);
    });
    CHECK(f(array<double, 2>{{2, 0}, {0, 2}}) == array<double, 2>{{4, 0}, {0, 4}});
}

TEST_CASE("svd, tall, square and wide") {
    for (const std::pair<int, int>& size : {std::pair{4, 2}, std::pair{3, 3}, std::pair{2, 4}}) {
        const int m = size.first, n = size.second;
        CAPTURE(m);
        CHECK_NOTHROW(verify_grad([](sized x) {
            auto [u, s, vt] = svd(x);
            return std::tuple(s, sqr(u), dot(u * exp(-s), vt));
        }, drawn(5, m, n)));
    }
    CHECK_NOTHROW(verify_grad([](sized x) {
        auto [u, s, vt] = svd(x);
        return grad(sum(s * sqr(s)) + sum(sqr(vt) * newaxis<1>(s)), x);
    }, drawn(6, 3, 2)));
}

TEST_CASE("lstsq, with too many equations and with too few") {
    for (const std::pair<int, int>& size : {std::pair{4, 2}, std::pair{2, 3}}) {
        const int m = size.first, n = size.second;
        CAPTURE(m);
        CHECK_NOTHROW(verify_grad([](sized x, matrix<double, dim("m"), dynamic> y) { return lstsq(x, y).x; }, drawn(7, m, n), drawn(8, m, 2)));
    }
    CHECK_NOTHROW(verify_grad([](sized x, vector<double, dim("m")> y) { return lstsq(x, y).residuals; }, drawn(7, 4, 2), array<double, 1>{1, 2, -1, 3}));
    CHECK_NOTHROW(verify_grad([](sized x, vector<double, dim("m")> y) { return grad(sum(sqr(lstsq(x, y).x)), x); }, drawn(9, 3, 2), array<double, 1>{1, 2, -1}));
}

TEST_CASE("pinv, cond and cho_solve") {
    for (const std::pair<int, int>& size : {std::pair{4, 2}, std::pair{2, 3}, std::pair{3, 3}}) {
        const int m = size.first, n = size.second;
        CAPTURE(m);
        CHECK_NOTHROW(verify_grad([](sized x) { return pinv(x); }, drawn(7, m, n)));
        CHECK_NOTHROW(verify_grad([](sized x) { return cond(x); }, drawn(8, m, n)));
    }
    CHECK_NOTHROW(verify_grad([](sized x, vector<double, dim("n")> y) { return cho_solve(cholesky(dot(transpose(x), x)), y); }, drawn(7, 5, 3), array<double, 1>{1, 2, -1}));
}

TEST_CASE("jacobians") {
    const auto f = function<cpu>([](matrix<double, 3, 3> x) {
        auto [w, v] = eigh(x);
        auto one = newaxis<2>(transpose(v)) * newaxis<1>(transpose(v));
        return outputs(jacobian(w, x), one, jacobian(svd(x).s, x), jacobian(diagonal(qr(x).r), x));
    });
    array<double, 2> x = drawn(10, 3, 3);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < i; ++j) x(j, i) = x(i, j);
    const auto [slopes, wanted, of_singular, of_diagonal] = f(x);
    for (std::int64_t i = 0; i < slopes.size(); ++i) CHECK(slopes.data()[i] == doctest::Approx(wanted.data()[i]));
    CHECK((of_singular.size() == 27 && of_diagonal.size() == 27));
}
