// SPDX-License-Identifier: MIT
// An extent that is tied to a number, or to another extent, after something was made of it.
#include <doctest/doctest.h>

#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

namespace {

const array<double, 1> x{-2, 1, 0.5, 3}, y{10, 20, 30, 40};

}  // namespace

TEST_CASE_TEMPLATE("means and positions of an extent that is a number only later", Device, cpu, reference) {
    auto f = function<Device>([](vector<double> a, vector<double, 4> b) {
        const auto m = mean(a), largest = mean(a * a);
        const auto at = argmax(a), low = argmin(a);
        return std::tuple(m, at, low, grad(largest, a), sum(where(one_hot<4>(argmax(a)), a, 0.0)), a + b);
    });
    const auto [m, at, low, g, picked, sum] = f(x, y);
    CHECK(m == 0.625);
    CHECK(at == 3);
    CHECK(low == 0);
    CHECK(g == array<double, 1>{-1, 0.5, 0.25, 1.5});
    CHECK(picked == 3);
    CHECK(sum == array<double, 1>{8, 21, 30.5, 43});
    CHECK_THROWS_AS(f(array<double, 1>{1, 2}, y), shape_error);
}

TEST_CASE("the number comes from a reshape, a product or an update") {
    auto f = function<reference>([](vector<double> a, matrix<double> b, vector<double> c, shared<vector<double, 4>> w) {
        auto means = std::tuple(mean(a), mean(b), mean<1>(b), mean(c));
        auto flat = reshape<8>(b);
        return outputs(std::get<0>(means), std::get<1>(means), std::get<2>(means), std::get<3>(means), reshape<2, 2>(a), sum(flat)).updates(update(w, c));
    });
    array<double, 2> b{{1, 2}, {3, 4}, {5, 6}, {7, 8}};
    array<double, 1> w{0, 0, 0, 0};
    const auto [of_a, of_b, rows, of_c, square, total] = f(x, b, y, w);
    CHECK(of_a == 0.625);
    CHECK(of_b == 4.5);
    CHECK(rows == array<double, 1>{1.5, 3.5, 5.5, 7.5});
    CHECK(of_c == 25);
    CHECK(square == array<double, 2>{{-2, 1}, {0.5, 3}});
    CHECK(total == 36);
    CHECK(w == y);
}
