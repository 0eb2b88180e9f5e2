// SPDX-License-Identifier: MIT
// Slopes through Cholesky's factor: of all sizes around the halves, of what lies turned and spread, beside the formula written out, and of the logarithm of a determinant.
#include <doctest/doctest.h>

#include <croton/croton.hpp>

#include "device/cpu/beside_reference.hpp"
#include "ops/support.hpp"

using namespace croton;

namespace {

template <class T> using square = matrix<T, dim("n"), dim("n")>;

template <class T> constexpr auto by_routine = [](square<T> a, square<T> g) {
    auto l = cholesky(a);
    return grad(sum(l * g), a);
};
// With S = L^-T tril(L^T G, its diagonal halved) L^-1 the symmetric (S + S^T) / 2; of G the lower triangle.
template <class T> constexpr auto by_formula = [](square<T> a, square<T> g) {
    auto l = cholesky(a);
    auto product = dot(transpose(l), tril(g));
    auto halved = tril(product) - T(0.5) * product * eye<dim("n")>(a);
    auto half = solve_triangular(l, halved, {.lower = true, .transposed = true});
    auto s = solve_triangular(l, transpose(half), {.lower = true, .transposed = true});
    return T(0.5) * (s + transpose(s));
};

template <class T> array<T, 2> positive(std::uint64_t seed, std::int64_t n) {
    static const auto made = function<cpu>([](square<T> x) { return dot(x, transpose(x)) / T(4) + T(2) * eye<dim("n")>(x); });
    return made(support::numbers(seed).fill<T, 2>({n, n}, -1, 1));
}

}  // namespace

TEST_CASE_TEMPLATE("slopes of the factor", T, float, double) {
    const auto f = function<cpu>(by_routine<T>);
    const auto formula = function<cpu>(by_formula<T>);
    const auto plain = function<reference>(by_routine<T>);
    for (const std::int64_t n : {1, 2, 7, 8, 9, 23, 24, 25, 31, 48, 65, 130, 200}) {
        CAPTURE(n);
        const auto a = positive<T>(1, n), g = support::numbers(2).fill<T, 2>({n, n}, -1, 1);
        const auto wanted = formula(a, g);
        check_same(f(a, g), wanted, 3e-4, 1e-11);
        check_same(plain(a, g), wanted, 3e-4, 1e-11);
        for (const auto layout : {support::layout::transposed, support::layout::reversed, support::layout::stepped, support::layout::window}) {
            const auto of_a = support::placed<T, 2>(a, layout), of_g = support::placed<T, 2>(g, layout);
            check_same(f(of_a.get(), of_g.get()), wanted, 3e-4, 1e-11);
        }
    }
    CHECK(f(array<T, 2>(0, 0), array<T, 2>(0, 0)).extents() == std::array<std::int64_t, 2>{0, 0});
}

TEST_CASE("the logarithm of a determinant by its factor") {
    const auto f = function<cpu>([](square<double> a) { return std::tuple(grad(2 * sum(log(diagonal(cholesky(a)))), a), inv(a)); });
    for (const std::int64_t n : {3, 40, 101}) {
        const auto [slope, inverse] = f(positive<double>(3, n));
        check_same(slope, inverse, 0, 1e-11);
    }
}

TEST_CASE("the likelihood of a Gaussian process and its second derivatives") {
    static constexpr auto cost = [](auto x, auto y, auto length, auto noise) {
        auto l = cholesky(exp(-0.5 * sqr((newaxis<1>(x) - newaxis<0>(x)) / length)) + noise * eye<dim("n")>(x));
        return 0.5 * sum(sqr(solve_triangular(l, y, {.lower = true}))) + sum(log(diagonal(l)));
    };
    using samples = vector<double, dim("n")>;
    array<double, 1> x(30), y(30);
    for (int i = 0; i < 30; ++i) x(i) = 0.2 * i, y(i) = std::sin(2 * x(i));
    const array<double, 0> length(0.7), noise(0.3);
    CHECK_NOTHROW(verify_grad([](samples p, samples q, scalar<double> s, scalar<double> t) { return cost(p, q, s, t); }, x, y, length, noise));
    CHECK_NOTHROW(verify_grad([](samples p, samples q, scalar<double> s, scalar<double> t) {
        auto [by_length, by_noise] = grad(cost(p, q, s, t), s, t);
        return by_length + 2 * by_noise;
    }, x, y, length, noise));
}

TEST_CASE("the third derivative of a factor") {
    const auto a = positive<double>(4, 3);
    CHECK_NOTHROW(verify_grad([](square<double> x) {
        auto first = grad(sum(sqr(cholesky(dot(x, transpose(x)))) * x), x);
        return grad(sum(first * first * x), x);
    }, a));
}

TEST_CASE("slopes of a batch, mapped and written as one") {
    auto a = array<double, 3>(3, 30, 30);
    for (int k = 0; k < 3; ++k) a[k] = positive<double>(static_cast<std::uint64_t>(5 + k), 30);
    const auto g = support::numbers(9).fill<double, 2>({30, 30}, -1, 1);
    const auto mapped = function<cpu>([](tensor<double, dynamic, dim("n"), dim("n")> x, square<double> w) {
        return vmap([&](const auto& each) { return grad(sum(cholesky(each) * w), each); }, x);
    });
    const auto whole = function<cpu>([](tensor<double, dynamic, dim("n"), dim("n")> x, square<double> w) { return grad(sum(cholesky(x) * w), x); });
    const auto one = function<cpu>(by_formula<double>);
    const auto all = mapped(a, g);
    check_same(whole(a, g), all, 0, 1e-12);
    for (int k = 0; k < 3; ++k) check_same(eval(all[k]), one(eval(a[k]), g), 0, 1e-11);
}
