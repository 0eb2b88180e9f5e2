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
