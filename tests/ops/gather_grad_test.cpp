// SPDX-License-Identifier: MIT
// Gradients of what picks elements by indices and of what brings values there, by finite differences, and their gradients.
#include <doctest/doctest.h>

#include <croton/croton.hpp>

using namespace croton;

namespace {

const array<double, 2> x{{0.5, -1, 2}, {1.5, 0.25, -0.75}, {3, -2, 1}, {0.1, 0.2, 0.3}};
const array<double, 2> v{{1, 2, 3}, {-1, 0.5, 2}, {0.3, 0.1, -0.4}};
const array<int, 1> ids{2, -1, 2};
const array<int, 2> places{{2, 0}, {-1, 1}, {0, 0}, {1, -3}};

}  // namespace

TEST_CASE("take and take_along_axis") {
    CHECK_NOTHROW(verify_grad([](matrix<double> x, vector<int> ids) { return std::tuple(sqr(take<0>(x, ids)), take<-1>(exp(x), ids)); }, x, ids));
    CHECK_NOTHROW(verify_grad([](matrix<double> x, matrix<int> p) { return std::tuple(sqr(take<0>(x, p)), exp(take_along_axis<1>(x, p)), take<1>(transpose(x), p)); }, x, places));
    CHECK_NOTHROW(verify_grad([](matrix<double> x, scalar<int> i) { return sqr(take<1>(x, i)); }, x, -1));
    // Axes that are repeated, of the array and of the indices.
    CHECK_NOTHROW(verify_grad([](matrix<double, 1, dynamic> x, matrix<int> p) { return sqr(take_along_axis<1>(x, p)); }, array<double, 2>{{0.5, -1, 2}}, places));
    CHECK_NOTHROW(verify_grad([](matrix<double> x, matrix<int, 1, dynamic> p) { return sqr(take_along_axis<1>(x, p)); }, x, array<int, 2>{{0, 0, 2, -1}}));
}

TEST_CASE("add_at, set_at and segment_sum, for what is changed and for the values") {
    CHECK_NOTHROW(verify_grad([](matrix<double> x, vector<int> ids, matrix<double> v) { return std::tuple(sqr(add_at<0>(x, ids, v)), sqr(add_at<0>(exp(x), ids, 2.0))); }, x, ids, v));
    // Two values go to one place: only the last counts.
    CHECK_NOTHROW(verify_grad([](matrix<double> x, vector<int> ids, matrix<double> v) { return std::tuple(sqr(set_at<0>(x, ids, v)), sqr(set_at<0>(x, ids, 0.5))); }, x, ids, v));
    CHECK_NOTHROW(verify_grad([](matrix<double> x, vector<int> ids, vector<double> v) { return sqr(set_at<1>(x, ids, newaxis<1>(v))); }, x, ids, array<double, 1>{1, -2, 3, 4}));
    CHECK_NOTHROW(verify_grad([](matrix<double> v, vector<int> ids) { return exp(segment_sum<2>(v, ids)); }, v, array<int, 1>{1, 0, 1}));
}

TEST_CASE("extremes, products and means of segments") {
    const array<int, 1> of{1, 0, 1};
    CHECK_NOTHROW(verify_grad([](matrix<double> v, vector<int> ids) { return std::tuple(exp(segment_max<2>(v, ids)), exp(segment_min<2>(v, ids)), sqr(segment_mean<2>(v, ids))); }, v, of));
    CHECK_NOTHROW(verify_grad([](matrix<double> v, vector<int> ids) { return exp(segment_prod<3>(v, ids)(slice(0, 2))); }, v, of));
    // Equal ones share; those of JAX.
    const auto f = function<cpu>([](vector<double> v, vector<int> ids, vector<double> c) {
        return outputs(grad(sum(c * segment_max<2>(v, ids)), v), grad(sum(c * segment_min<2>(v, ids)), v), grad(sum(c * segment_prod<2>(v, ids)), v));
    });
    const auto [most, least, product] = f(array<double, 1>{2, 0, 2, 3, 2, 3, 0, 0}, array<int, 1>{0, 0, 0, 1, 0, 1, 1, 1}, array<double, 1>{6, 10});
    CHECK(most == array<double, 1>{2, 0, 2, 5, 2, 5, 0, 0});
    CHECK(least == array<double, 1>{0, 6, 0, 0, 0, 0, 5, 5});
    CHECK(product == array<double, 1>{0, 48, 0, 0, 0, 0, 0, 0});
    // Of products again, where values are 0, too, and of several axes.
    CHECK_NOTHROW(verify_grad([](matrix<double> v, vector<int> ids) { return grad(sum(exp(segment_prod<2>(v, ids))), v); }, array<double, 2>{{0, 0.5}, {2, 0}, {0, 0}, {0.3, 0.4}}, array<int, 1>{0, 1, 0, 0}));
    CHECK_NOTHROW(verify_grad([](vector<double> v, vector<int> ids) { return grad(sum(sqr(segment_prod<2>(v, ids))), v); }, array<double, 1>{0, 2, 0.5, -1}, array<int, 1>{0, 1, 0, 0}));
}

TEST_CASE("segments of each of many") {
    const auto f = function<cpu>([](tensor<double, dynamic, dynamic, dynamic> v, matrix<int> ids) {
        const auto each = [](auto x, auto at) { return std::tuple(segment_max<3>(x, at), segment_prod<3>(x, at), grad(sum(sqr(segment_max<3>(x, at))), x), grad(sum(sqr(segment_prod<3>(x, at))), x)); };
        auto [a, b, c, d] = vmap(each, v, ids);
        auto [e, g, h, i] = vmap([&](auto x) { return each(x, ids(0)); }, v);
        return outputs(a, b, c, d, e, g, h, i);
    });
    const auto one = function<cpu>([](matrix<double> x, vector<int> at) { return outputs(segment_max<3>(x, at), segment_prod<3>(x, at), grad(sum(sqr(segment_max<3>(x, at)(slice(0, 2)))), x), grad(sum(sqr(segment_prod<3>(x, at))), x)); });
    const array<double, 3> v{{{1, 0}, {2, 3}, {2, -4}}, {{5, 6}, {0, 8}, {9, 6}}};
    const array<int, 2> ids{{0, 1, 1}, {0, 1, 0}};
    const auto [a, b, c, d, e, g, h, i] = f(v, ids);
    for (int k = 0; k < 2; ++k) {
        const auto [most, product, slope, factor] = one(v(k), ids(k));
        CHECK(a(k) == most);
        CHECK(b(k) == product);
        CHECK(c(k) == slope);
        CHECK(d(k) == factor);
        const auto [most_0, product_0, slope_0, factor_0] = one(v(k), ids(0));
        CHECK(e(k) == most_0);
        CHECK(g(k) == product_0);
        CHECK(h(k) == slope_0);
        CHECK(i(k) == factor_0);
    }
}

TEST_CASE("second derivatives") {
    CHECK_NOTHROW(verify_grad([](matrix<double> x, vector<int> ids) { return grad(sum(exp(take<0>(x, ids)) * x(slice(0, 3))), x); }, x, ids));
    CHECK_NOTHROW(verify_grad([](matrix<double> x, vector<int> ids, matrix<double> v) { return std::tuple(grad(sum(exp(add_at<0>(x, ids, v * v))), v), grad(sum(exp(set_at<0>(x, ids, v * v))), v)); }, x, ids, v));
    CHECK_NOTHROW(verify_grad([](matrix<double> x, matrix<int> p) { return grad(sum(exp(sqr(take_along_axis<1>(x, p)))), x); }, array<double, 2>{{0.5, -1, 0.2}, {0.5, 0.25, -0.75}, {0.3, -0.2, 1}, {0.1, 0.2, 0.3}}, places));
}

TEST_CASE("a table that is read twice, and a gradient that is read besides the update") {
    constexpr auto train = [](shared<matrix<float>> w, vector<int> a, matrix<int> b) {
        auto cost = sum(sqr(take<0>(w, a))) + sum(exp(take<0>(w, b)));
        auto g = grad(cost, w);
        return outputs(cost, sum(sqr(g))).updates(w -= 0.01f * g);
    };
    const auto f = function<cpu>(train);
    const auto r = function<reference>(train);
    array<float, 2> w{{0.1f, 0.2f}, {0.3f, 0.4f}, {0.5f, 0.6f}}, u = w;
    for (int i = 0; i < 3; ++i) {
        const auto [cost, norm] = f(w, array<int, 1>{2, 2, 0}, array<int, 2>{{0, 2}, {-1, 2}});
        const auto [wanted, square] = r(u, array<int, 1>{2, 2, 0}, array<int, 2>{{0, 2}, {-1, 2}});
        CHECK(static_cast<float>(cost) == doctest::Approx(static_cast<float>(wanted)));
        CHECK(static_cast<float>(norm) == doctest::Approx(static_cast<float>(square)));
        for (int k = 0; k < 6; ++k) CHECK(w(k / 2, k % 2) == doctest::Approx(u(k / 2, k % 2)));
        CHECK(w(1, 0) == 0.3f);
    }
}
