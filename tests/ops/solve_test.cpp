// SPDX-License-Identifier: MIT
// Systems of equations by what they are to fulfil: on both devices, in every layout, of batches, of nothing.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include <croton/croton.hpp>

#include "ops/support.hpp"
#include "plan/steps.hpp"

using namespace croton;

namespace {

template <class T> constexpr double tolerance = sizeof(T) == 4 ? 2e-4 : 1e-11;

template <class A, class B> double distance(const A& a, const B& b) {
    double most = 0;
    for (std::int64_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(static_cast<double>(a.data()[i]) - static_cast<double>(b.data()[i])));
    return most;
}

// All results from one matrix, and what they are to be.
template <class T>
constexpr auto everything = [](matrix<T, dim("n"), dim("n")> a, matrix<T, dim("n"), dynamic> b, vector<T, dim("n")> v) {
    auto symmetric = dot(a, transpose(a)) + eye<dim("n")>(a);
    auto l = cholesky(symmetric);
    auto upper = triu(a) + eye<dim("n")>(a) * 3;
    auto x = solve(a, b);
    auto y = solve_triangular(upper, b);
    auto z = solve_triangular(l, v, {.lower = true, .transposed = true});
    auto u = solve_triangular(a * 0.125, b, {.lower = true, .unit_diagonal = true});
    auto w = solve_triangular(transpose(upper), b, {.lower = true, .transposed = true});
    auto [sign, logabsdet] = slogdet(a);
    return outputs(dot(l, transpose(l)) - symmetric, triu<1>(l), dot(a, x) - b, dot(a, solve(a, v)) - v, dot(upper, y) - b, dot(transpose(l), z) - v,
                   dot(tril<-1>(a) * 0.125 + eye<dim("n")>(a), u) - b, y - w, dot(inv(a), a) - eye<dim("n")>(a), det(a) - sign * exp(logabsdet), det(inv(a)) * det(a) - 1);
};

template <class Device, class T> void check_sizes() {
    const auto f = function<Device>(everything<T>);
    support::numbers draw(7);
    for (const std::int64_t n : {0, 1, 2, 3, 8, 33})
        for (const std::int64_t m : {0, 1, 5}) {
            auto a = draw.fill<T, 2>({n, n});
            for (std::int64_t i = 0; i < n; ++i) a(i, n - 1 - i) += static_cast<T>(6);  // far from singular, and columns must be exchanged
            const auto b = draw.fill<T, 2>({n, m});
            const auto v = draw.fill<T, 1>({n});
            const auto results = f(a, b, v);
            CAPTURE(n);
            std::apply([&](const auto&... r) {
                int number = 0;
                const auto check = [&](const auto& one) {
                    ++number;
                    if (number == 10) return;  // its size is that of the determinant
                    for (std::int64_t i = 0; i < one.size(); ++i) CHECK_MESSAGE(std::abs(static_cast<double>(one.data()[i])) < 5 * tolerance<T> * (1 + static_cast<double>(n)), number);
                };
                (check(r), ...);
            }, results);
        }
}

}  // namespace

TEST_CASE("equations are fulfilled") {
    check_sizes<cpu, double>();
    check_sizes<cpu, float>();
    check_sizes<reference, double>();
}

TEST_CASE("every layout, and batches on either side") {
    constexpr auto f = [](tensor<double, dynamic, dynamic, dynamic> a, matrix<double> b, vector<double> v) {
        auto c = matmul(a, swapaxes<1, 2>(a));
        return outputs(solve(a, b), solve(a, v), inv(a), det(a), cholesky(c), solve_triangular(a, b), solve_triangular(swapaxes<1, 2>(a), v, {.lower = true}), solve(transpose(b), a(0)));
    };
    const auto on_cpu = function<cpu>(f);
    const auto plain = function<reference>(f);
    support::numbers draw(3);
    auto a = draw.fill<double, 3>({4, 5, 5});
    auto b = draw.fill<double, 2>({5, 5});
    for (int k = 0; k < 4; ++k)
        for (int i = 0; i < 5; ++i) a(k, i, i) += 4 + k, b(i, i) += 5;
    const auto v = draw.fill<double, 1>({5});
    const auto wanted = plain(a, b, v);
    for (int how = 0; how < static_cast<int>(support::layout::count); ++how) {
        const auto l = static_cast<support::layout>(how);
        CAPTURE(support::name_of(l));
        const support::placed<double, 3> pa(a, l);
        const support::placed<double, 2> pb(b, l);
        const support::placed<double, 1> pv(v, l);
        const auto got = on_cpu(pa.get(), pb.get(), pv.get());
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            const double apart[] = {distance(std::get<I>(got), std::get<I>(wanted))...};
            for (const double d : apart) CHECK(d < 1e-10);
        }(std::make_index_sequence<8>());
    }
    // One vector for all matrices is one for each.
    const auto x = std::get<1>(wanted);
    for (int k = 0; k < 4; ++k)
        for (int i = 0; i < 5; ++i) {
            double sum = 0;
            for (int j = 0; j < 5; ++j) sum += a(k, i, j) * x(k, j);
            CHECK(sum == doctest::Approx(v(i)));
        }
}

TEST_CASE("singular matrices") {
    const auto check = [](auto device) {
        using D = decltype(device);
        const auto f = function<D>("f", [](matrix<double> a, matrix<double> b) { return solve(a, b); });
        const auto i = function<D>("f", [](tensor<float, dynamic, dynamic, dynamic> a) { return inv(a); });
        const auto p = function<D>("f", [](matrix<double> a) { return matrix_power<-2>(a); });
        const auto g = function<D>("f", [](matrix<double> a) { return grad(det(a), a); });
        const auto c = function<D>("f", [](matrix<double> a) { return cholesky(a); });
        const auto t = function<D>("f", [](matrix<double> a, vector<double> b) { return solve_triangular(a, b); });
        const auto d = function<D>("f", [](matrix<double> a) {
            auto [sign, logabsdet] = slogdet(a);
            return outputs(det(a), sign, logabsdet);
        });
        const array<double, 2> ones{{1, 1}, {1, 1}}, indefinite{{1, 2}, {2, 1}}, zero(2, 2);
        CHECK_THROWS_WITH_AS(f(ones, ones), "f: solve: singular matrix", value_error);
        array<float, 3> batch(extents_of<3>{3, 2, 2});
        batch(0, 0, 1) = batch(0, 1, 0) = batch(1, 0, 0) = batch(1, 1, 1) = 2;
        CHECK_THROWS_WITH_AS(i(batch), "f: inv: singular matrix (matrix 2 of 3, counted from 0)", value_error);
        CHECK_THROWS_WITH_AS(p(ones), "f: matrix_power: singular matrix", value_error);
        CHECK_THROWS_WITH_AS(g(ones), "f: gradient of a determinant: singular matrix", value_error);
        CHECK_THROWS_WITH_AS(c(indefinite), "f: cholesky: matrix is not positive definite", value_error);
        CHECK_THROWS_WITH_AS(c(zero), "f: cholesky: matrix is not positive definite", value_error);
        CHECK_THROWS_WITH_AS(c(array<double, 2>{{std::numeric_limits<double>::quiet_NaN()}}), "f: cholesky: matrix is not positive definite", value_error);
        CHECK_THROWS_WITH_AS(t(array<double, 2>{{1, 2}, {0, 0}}, array<double, 1>{1, 2}), "f: solve_triangular: singular matrix", value_error);
        const auto [determinant, sign, logabsdet] = d(ones);
        CHECK(determinant() == 0);
        CHECK(sign() == 0);
        // As NumPy has it without a sign, whatever was exchanged and whatever stands beside the 0 on the diagonal.
        for (const auto& singular : {array<double, 2>{{0, 1, 2}, {1, 0, 3}, {0, 0, 0}}, array<double, 2>{{-1, 0}, {0, 0}}, array<double, 2>{{0, -1}, {0, -1}}, array<double, 2>{{-0.0}}, array<double, 2>{{-1, -2}, {2, 4}}}) {
            const auto [of_none, its_sign, its_size] = d(singular);
            CHECK(of_none() == 0);
            CHECK(its_sign() == 0);
            CHECK(!std::signbit(of_none()));
            CHECK(!std::signbit(its_sign()));
        }
        CHECK(logabsdet() == -std::numeric_limits<double>::infinity());
        CHECK_THROWS_WITH_AS(d(array<double, 2>(2, 3)), doctest::Contains("but argument 1 has extent 2 along axis 0; a square matrix needs them equal"), shape_error);
        CHECK_THROWS_WITH_AS(f(ones, array<double, 2>(3, 3)), doctest::Contains("solve needs them equal"), shape_error);
        // What throws leaves nothing behind: the next call is right.
        CHECK(f(array<double, 2>{{2, 0}, {0, 4}}, ones) == array<double, 2>{{0.5, 0.5}, {0.25, 0.25}});
    };
    check(cpu());
    check(reference());
}

TEST_CASE("an inverse that several ask for is computed once") {
    constexpr auto steps = [](auto f) { return plan_tests::count(f, plan_tests::step_kind::routine); };
    constexpr auto both = [](matrix<double> a) { return outputs(inv(a), grad(det(a), a), det(a)); };
    constexpr auto other = [](matrix<double> a) {
        auto [sign, logarithm] = slogdet(a);
        auto slope = grad(logarithm + det(a), a);
        return outputs(slope, matrix_power<-1>(a), inv(a), sign);
    };
    CHECK(steps(both) == 2);  // factors, and equations
    CHECK(steps(other) == 2);
    const array<double, 2> a{{2, 1}, {4, 6}};
    const auto [inverse, slope, value] = function<cpu>(both)(a);
    const array<double, 2> wanted{{0.75, -0.125}, {-0.5, 0.25}};
    CHECK(allclose(inverse, wanted));
    CHECK(allclose(slope, 8 * wanted.transpose()));
    const auto [both_slopes, power, again, sign] = function<cpu>(other)(a);
    CHECK(allclose(both_slopes, 9 * wanted.transpose()));
    CHECK(allclose(power, wanted));
    CHECK(again == power);
}

TEST_CASE("LAPACK is found where OpenBLAS is linked") {
    if (CROTON_HAS_LAPACK && has_cblas && blas_name().starts_with("OpenBLAS")) CHECK(has_lapack());
}
