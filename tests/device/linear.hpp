// SPDX-License-Identifier: MIT
// Linear algebra on a device, beside the reference: every routine, of batches, of layouts that LAPACK does not take, with derivatives, and what fails.
#ifndef CROTON_TESTS_DEVICE_LINEAR_HPP
#define CROTON_TESTS_DEVICE_LINEAR_HPP

#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "device/compare.hpp"

namespace test {

template <class T> using square = tensor<T, dim("b"), dim("n"), dim("n")>;
template <class T> using right_sides = tensor<T, dim("b"), dim("n"), dynamic>;

/// Calls check(f, expected) with the function of a lambda on `Device` and on the reference.
template <class Device, class F, class Check> void beside_reference(const F& f, const Check& check) {
    auto on_device = function<Device>(f);
    auto expected = function<reference>(f);
    check(on_device, expected);
}

/// Matrices whose eigenvalues are far from 0.
template <class T> array<T, 3> regular(unsigned seed, int count, int n) {
    auto a = random_array<T, 3>(seed, count, n, n);
    for (int b = 0; b < count; ++b)
        for (int i = 0; i < n; ++i) a(b, i, i) += static_cast<T>((i + b) % 2 == 0 ? n + 1 : -n - 1);
    return a;
}

/// Solutions, also of what lies transposed, of one matrix for all right sides and of every other matrix; inverses and determinants.
template <class Device, class T = double> void check_solve(double tolerance = 1e-9) {
    constexpr auto f = [](square<T> a, right_sides<T> b, matrix<T> other) {
        auto x = solve(a, b);
        auto [sign, logarithm] = slogdet(a);
        return std::tuple_cat(std::tuple(x, solve(swapaxes<1, 2>(a), b), solve(other, b), inv(a), det(a), sign, logarithm), grad(sum(x * x) + sum(logarithm), a, b));
    };
    beside_reference<Device>(f, [&](auto& on_device, auto& expected) {
        for (const auto& size : {std::array{1, 1, 1}, {4, 3, 2}, {2, 20, 1}, {3, 17, 30}, {0, 3, 2}, {2, 0, 2}}) {
            const int count = size[0], n = size[1], m = size[2];
            CAPTURE(n);
            const auto a = regular<T>(1, count, n);
            const auto b = random_array<T, 3>(2, count, n, m);
            array<T, 2> other(n, n);
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) other(i, j) = i == j ? T(n + 2) : T(i - j) / T(n);
            const auto e = expected(a, b, other);
            const auto r = on_device(a.template to<Device>(), b.template to<Device>(), other.template to<Device>());
            [&]<std::size_t... I>(std::index_sequence<I...>) { (check_close(std::get<I>(r), std::get<I>(e), tolerance), ...); }(std::make_index_sequence<9>());
        }
    });
}

/// Factors of positive definite matrices, and triangles of every kind.
template <class Device> void check_triangles() {
    constexpr auto f = [](square<double> a, right_sides<double> b) {
        auto l = cholesky(a);
        auto x = solve_triangular(l, b, {.lower = true});
        auto y = solve_triangular(swapaxes<1, 2>(l), x);
        return std::tuple_cat(std::tuple(l, x, y, solve_triangular(a, b), solve_triangular(a * 0.05, b, {.lower = true, .unit_diagonal = true}), solve_triangular(l, b, {.lower = true, .transposed = true})),
                              grad(sum(x * y) + sum(l), a, b));
    };
    beside_reference<Device>(f, [](auto& on_device, auto& expected) {
        for (const auto& size : {std::array{1, 1, 1}, {3, 2, 5}, {2, 24, 1}, {2, 9, 19}}) {
            const int count = size[0], n = size[1], m = size[2];
            auto a = random_array<double, 3>(3, count, n, n);
            for (int i = 0; i < count; ++i)
                for (int j = 0; j < n; ++j) a(i, j, j) = 2.0 * n + 1;
            compare_on<Device>(on_device, expected, a, random_array<double, 3>(4, count, n, m));
        }
    });
}

/// Batches along two axes, which lie in another order than they are counted in.
template <class Device> void check_turned_batches() {
    using two_axes = tensor<double, dynamic, dynamic, dim("n"), dim("n")>;
    constexpr auto f = [](two_axes a, two_axes b) {
        auto x = swapaxes<0, 1>(a);
        auto y = swapaxes<0, 1>(b);
        return std::tuple(solve(x, y), det(x), cholesky(y), solve_triangular(y, x), svd(x).s, abs(qr(x).r), eigh(y).w);
    };
    beside_reference<Device>(f, [](auto& on_device, auto& expected) {
        auto a = random_array<double, 4>(9, 2, 5, 3, 3), b = random_array<double, 4>(10, 2, 5, 3, 3);
        for (int i = 0; i < 30; ++i) a(i / 15, i / 3 % 5, i % 3, i % 3) += 5 + i, b(i / 15, i / 3 % 5, i % 3, i % 3) += 5 + i;
        compare_on<Device>(on_device, expected, a, b);
    });
}

/// What depends on no choice of signs: tall, square and wide ones.
template <class Device> void check_decompositions() {
    constexpr auto f = [](tensor<double, dim("b"), dim("m"), dim("n")> a, tensor<double, dim("b"), dim("m"), dynamic> y) {
        auto [q, r] = qr(a);
        auto gram = matmul(swapaxes<1, 2>(a), a);
        auto [w, v] = eigh(gram);
        auto [u, s, vt] = svd(a);
        auto [tq, tr] = qr(swapaxes<1, 2>(a));
        auto cost = sum(q * q * q) + sum(r * r * r) + sum(w * w * 0.01) + sum(s * s * s * 0.1);
        auto columns = [](auto p) { return matmul(swapaxes<1, 2>(p), p); };
        return std::tuple(q, r, matmul(tq, tr), w, v * v * newaxis<1>(w), matmul(v * newaxis<1>(w), swapaxes<1, 2>(v)), s, u * u, matmul(u * newaxis<1>(s), vt), columns(u), columns(swapaxes<1, 2>(vt)), lstsq(a, y).x,
                          grad(cost, a));
    };
    beside_reference<Device>(f, [](auto& on_device, auto& expected) {
        for (const auto& size : {std::array{1, 1, 1}, {3, 5, 3}, {2, 3, 5}, {2, 12, 12}, {1, 30, 7}, {1, 1, 4}, {2, 4, 1}}) {
            const int count = size[0], m = size[1], n = size[2];
            CAPTURE(m);
            CAPTURE(n);
            compare_on<Device>(on_device, expected, random_array<double, 3>(5, count, m, n), random_array<double, 3>(6, count, m, 2));
        }
    });
}

/// A turn that takes matrices apart: steps of a loop wait for their host too.
template <class Device> void check_in_loop() {
    constexpr auto f = [](tensor<float, dynamic, dim("n"), dim("n")> a, matrix<float, dim("n"), dynamic> b) {
        auto [last, dets] = scan([](auto x, auto matrix_of_turn) { return step(solve(matrix_of_turn, x), det(matrix_of_turn)); }, b, a);
        return std::tuple_cat(std::tuple(last, dets), grad(sum(last), a, b));
    };
    beside_reference<Device>(f, [](auto& on_device, auto& expected) {
        for (const int turns : {4, 1}) compare_on<Device>(on_device, expected, regular<float>(7, turns, 5), random_array<float, 2>(8, 5, 3));
    });
}

/// What fails says which matrix it was, before any parameter has changed.
template <class Device> void check_failures() {
    auto f = function<Device>("f", [](square<double> a, shared<square<double>> w, shared<scalar<double>> calls) {
        return outputs(inv(a)).updates(w -= cholesky(a), calls += 1);
    });
    array<double, 3> a(3, 2, 2);
    for (int i = 0; i < 3; ++i) a(i, 0, 0) = a(i, 1, 1) = 2, a(i, 0, 1) = a(i, 1, 0) = 1;
    auto w = a.template to<Device>();
    auto calls = array<double, 0>(0).template to<Device>();
    const auto fails = [&](const char* what) {
        CHECK_THROWS_WITH_AS(f(a.template to<Device>(), w, calls), what, value_error);
        CHECK(w.template to<cpu>()(2, 0, 0) == 2);
        CHECK(calls.template to<cpu>()() == 0);
    };
    a(1, 0, 0) = -2;
    fails("f: cholesky: matrix is not positive definite (matrix 1 of 3, counted from 0)");
    a(1, 0, 0) = std::numeric_limits<double>::quiet_NaN();
    fails("f: cholesky: matrix is not positive definite (matrix 1 of 3, counted from 0)");
    a(1, 0, 0) = 2;
    (void)f(a.template to<Device>(), w, calls);
    CHECK(calls.template to<cpu>()() == 1);
    CHECK(w.template to<cpu>()(2, 0, 0) == doctest::Approx(2 - std::sqrt(2.0)));

    auto g = function<Device>("g", [](square<double> x, right_sides<double> b) { return solve(x, b); });
    auto t = function<Device>("t", [](matrix<double> x, vector<double> b) { return solve_triangular(x, b); });
    auto e = function<Device>("e", [](square<double> x) { return eigh(x).w; });
    auto s = function<Device>("s", [](square<double> x) { return svd(x).s; });
    a(2, 0, 0) = a(2, 1, 1) = 1;
    CHECK_THROWS_WITH_AS(g(a.template to<Device>(), a.template to<Device>()), "g: solve: singular matrix (matrix 2 of 3, counted from 0)", value_error);
    array<double, 2> triangle{{1, 2}, {3, 0}};
    CHECK_THROWS_WITH_AS(t(triangle.template to<Device>(), array<double, 1>{1, 2}.template to<Device>()), "t: solve_triangular: singular matrix", value_error);
    (void)e(a.template to<Device>());
    for (const double none : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        // What lies above the diagonal is not read.
        a(0, 0, 1) = none;
        a(1, 1, 0) = 1;
        CHECK(e(a.template to<Device>()).template to<cpu>()(0, 1) == doctest::Approx(3));
        CHECK_THROWS_WITH_AS(s(a.template to<Device>()), "s: svd: did not converge (matrix 0 of 3, counted from 0)", value_error);
        a(1, 1, 0) = none;
        CHECK_THROWS_WITH_AS(e(a.template to<Device>()), "e: eigh: did not converge (matrix 1 of 3, counted from 0)", value_error);
    }
}

}  // namespace test

#endif
