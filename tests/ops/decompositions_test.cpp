// SPDX-License-Identifier: MIT
// Decompositions by what they are to be: products give the matrix back, columns are orthonormal; tall, wide, of nothing, without full rank.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include <croton/croton.hpp>

#include "ops/support.hpp"

using namespace croton;

namespace {

template <class A> double largest(const A& a) {
    double most = 0;
    for (std::int64_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(static_cast<double>(a.data()[i])));
    return most;
}

// Everything that is to be 0, and the numbers that are to be in order.
template <class T>
constexpr auto errors = [](matrix<T, dim("m"), dim("n")> a, matrix<T, dim("m"), dynamic> b) {
    auto [q, r] = qr(a);
    auto square = dot(transpose(a), a);
    auto [w, v] = eigh(square);
    auto [u, s, vt] = svd(a);
    auto [x, residuals, rank, values] = lstsq(a, b);
    auto identity = [](auto p) {
        auto product = dot(transpose(p), p);
        return product - where(product > T(0.5), ones_like(product), zeros_like(product));
    };
    return outputs(dot(q, r) - a, tril<-1>(r), identity(q), dot(v * w, transpose(v)) - square, identity(v), dot(u * s, vt) - a, identity(u), identity(transpose(vt)), s - values,
                   dot(transpose(a), dot(a, x) - b), sum<0>(sqr(dot(a, x) - b)) - residuals, w, s, rank);
};

template <class Device, class T> void check(double tolerance) {
    const auto f = function<Device>(errors<T>);
    support::numbers draw(11);
    for (const std::pair<int, int>& size : {std::pair{1, 1}, std::pair{3, 3}, std::pair{7, 4}, std::pair{4, 7}, std::pair{40, 33}, std::pair{1, 5}, std::pair{5, 1}, std::pair{0, 3}, std::pair{3, 0}}) {
        const int m = size.first, n = size.second;
        for (const bool full : {true, false}) {
            auto a = draw.fill<T, 2>({m, n});
            // Columns that are equal, and one of zeros.
            for (int i = 0; !full && n > 2 && i < m; ++i) a(i, 1) = a(i, 0), a(i, 2) = 0;
            const auto results = f(a, draw.fill<T, 2>({m, 2}));
            CAPTURE(m);
            CAPTURE(n);
            CAPTURE(full);
            const double scale = 1 + 8.0 * std::max(m, n);
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                const double found[] = {largest(std::get<I>(results))...};
                for (std::size_t i = 0; i < sizeof...(I); ++i) CHECK_MESSAGE(found[i] < tolerance * scale, i);
            }(std::make_index_sequence<11>());
            const auto& w = std::get<11>(results);
            const auto& s = std::get<12>(results);
            for (std::int64_t i = 1; i < w.size(); ++i) CHECK(w(i - 1) <= w(i));
            for (std::int64_t i = 1; i < s.size(); ++i) CHECK(s(i - 1) >= s(i));
            const int rank = std::min(m, full || n <= 2 ? n : n - 2);
            CHECK(std::get<13>(results)() == rank);
        }
    }
}

}  // namespace

TEST_CASE("decompositions of double") {
    check<cpu, double>(1e-13);
    check<reference, double>(1e-13);
}
TEST_CASE("decompositions of float") { check<cpu, float>(2e-5); }

TEST_CASE("batches and layouts") {
    constexpr auto f = [](tensor<double, dynamic, dynamic, dynamic> a, vector<double> b) {
        auto [q, r] = qr(a);
        auto [w, v] = eigh(matmul(a, swapaxes<1, 2>(a)));
        auto [u, s, vt] = svd(a);
        auto [x, residuals, rank, values] = lstsq(a, b);
        return outputs(matmul(q, r), r, w, abs(v), matmul(u * newaxis<1>(s), vt), s, x, residuals, rank);
    };
    const auto on_cpu = function<cpu>(f);
    const auto plain = function<reference>(f);
    support::numbers draw(5);
    const auto a = draw.fill<double, 3>({3, 4, 3});
    const auto b = draw.fill<double, 1>({4});
    const auto wanted = plain(a, b);
    for (int how = 0; how < static_cast<int>(support::layout::count); ++how) {
        const auto l = static_cast<support::layout>(how);
        CAPTURE(support::name_of(l));
        const support::placed<double, 3> pa(a, l);
        const support::placed<double, 1> pb(b, l);
        const auto got = on_cpu(pa.get(), pb.get());
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            const auto apart = [](const auto& x, const auto& y) {
                double most = 0;
                REQUIRE(x.extents() == y.extents());
                for (std::int64_t i = 0; i < x.size(); ++i) most = std::max(most, std::abs(static_cast<double>(x.data()[i] - y.data()[i])));
                return most;
            };
            const double found[] = {apart(std::get<I>(got), std::get<I>(wanted))...};
            for (std::size_t i = 0; i < sizeof...(I); ++i)
                if (i != 3) CHECK_MESSAGE(found[i] < 1e-12, i);
        }(std::make_index_sequence<9>());
    }
}

TEST_CASE("numbers that are none do not converge") {
    const auto check = [](auto device) {
        using D = decltype(device);
        const auto e = function<D>("f", [](matrix<double> a) { return eigh(a).w; });
        const auto s = function<D>("f", [](matrix<double> a) { return svd(a).s; });
        array<double, 2> a{{1, 0}, {0, 1}};
        for (const double wrong : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
            a(1, 0) = wrong;
            CHECK_THROWS_WITH_AS(e(a), "f: eigh: did not converge", value_error);
            CHECK_THROWS_WITH_AS(s(a), "f: svd: did not converge", value_error);
        }
        // What is not read may be anything.
        a(1, 0) = 0;
        a(0, 1) = std::numeric_limits<double>::quiet_NaN();
        CHECK(e(a) == array<double, 1>{1, 1});
        // Neither do large and small numbers harm.
        CHECK(s(array<double, 2>{{3e200, 0}, {0, 4e200}})(0) == doctest::Approx(4e200));
        CHECK(s(array<double, 2>{{3e-200, 0}, {0, 4e-200}})(1) == doctest::Approx(3e-200));
    };
    check(cpu());
    check(reference());
}

TEST_CASE("pseudo-inverses, ranks and conditions") {
    const auto check = [](auto device) {
        const auto f = function<decltype(device)>([](tensor<double, -1, -1, -1> a) {
            auto each = vmap([](const auto& p) { return std::tuple(pinv(p), matrix_rank(p), cond(p)); }, a);
            const auto p = pinv(a);
            return std::tuple_cat(std::tuple(matmul(matmul(a, p), a) - a, matmul(matmul(p, a), p) - p, matrix_rank(a), cond(a), p), each);
        });
        support::numbers draw(21);
        for (const std::pair<int, int>& size : {std::pair{1, 1}, std::pair{3, 3}, std::pair{5, 2}, std::pair{2, 6}}) {
            const int m = size.first, n = size.second;
            CAPTURE(m);
            auto a = draw.fill<double, 3>({2, m, n});
            for (int j = 0; j < n; ++j) a(1, m - 1, j) = 0;
            const auto [left, right, rank, condition, inverse, each, ranks, conditions] = f(a);
            CHECK(inverse.extents() == std::array<std::int64_t, 3>{2, n, m});
            CHECK(largest(left) < 1e-11);
            CHECK(largest(right) < 1e-10);
            CHECK(rank == array<std::int64_t, 1>{std::min(m, n), std::min(m - 1, n)});
            CHECK(std::isfinite(condition(0)));
            if (m <= n) CHECK(condition(1) > 1e15);
            CHECK(inverse == each);
            CHECK(rank == ranks);
            CHECK(condition(0) == conditions(0));
        }
        // Ranks of one and two, whose columns are left with rounding errors.
        const auto g = function<decltype(device)>([](matrix<double> a) {
            auto [u, s, vt] = svd(a);
            return outputs(dot(u * s, vt) - a, dot(transpose(u), u), dot(vt, transpose(vt)), matrix_rank(a), s);
        });
        for (int rank = 1; rank < 3; ++rank)
            for (int n = rank; n < 12; ++n) {
                CAPTURE(n);
                const array<double, 2> a = dot(draw.fill<double, 2>({12, rank}), draw.fill<double, 2>({rank, n}));
                const auto [apart, u, v, found, values] = g(a);
                CHECK(largest(apart) < 1e-12);
                CHECK(found() == rank);
                for (int i = 0; i < n; ++i)
                    for (int j = 0; j < n; ++j) {
                        CHECK(u(i, j) == doctest::Approx(i == j ? 1.0 : 0.0).epsilon(1e-10));
                        CHECK(v(i, j) == doctest::Approx(i == j ? 1.0 : 0.0).epsilon(1e-10));
                    }
            }
        const auto [left, right, rank, condition, inverse, each, ranks, conditions] = f(array<double, 3>(2, 3, 2));
        CHECK(inverse == array<double, 3>(2, 2, 3));
        CHECK(rank == array<std::int64_t, 1>{0, 0});
        CHECK(condition(0) == std::numeric_limits<double>::infinity());
    };
    check(cpu());
    check(reference());
}

TEST_CASE("for each of many is of all") {
    const auto f = function<cpu>([](tensor<double, 3, 4, 2> x, tensor<double, 3, 4, 2> y) {
        auto each = vmap([](const auto& p, const auto& q) {
            return std::tuple(qr(p).r, eigh(dot(transpose(p), p)).w, svd(p).s, lstsq(p, q).x, lstsq(p, q).rank);
        }, x, y);
        return std::tuple_cat(each, std::tuple(qr(x).r, eigh(matmul(swapaxes<1, 2>(x), x)).w, svd(x).s, lstsq(x, y).x, lstsq(x, y).rank));
    });
    support::numbers draw(9);
    const auto x = draw.fill<double, 3>({3, 4, 2});
    const auto y = draw.fill<double, 3>({3, 4, 2});
    const auto results = f(x, y);
    const auto apart = [](const auto& a, const auto& b) {
        double most = 0;
        REQUIRE(a.extents() == b.extents());
        for (std::int64_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(static_cast<double>(a.data()[i] - b.data()[i])));
        return most;
    };
    CHECK(apart(std::get<0>(results), std::get<5>(results)) < 1e-12);
    CHECK(apart(std::get<1>(results), std::get<6>(results)) < 1e-12);
    CHECK(apart(std::get<2>(results), std::get<7>(results)) < 1e-12);
    CHECK(apart(std::get<3>(results), std::get<8>(results)) < 1e-12);
    CHECK(apart(std::get<4>(results), std::get<9>(results)) == 0);
}
