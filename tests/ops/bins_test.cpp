// SPDX-License-Identifier: MIT
// Intervals, counts in them and members, against those of NumPy.
#include <array>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

#include "support.hpp"

using namespace croton;

namespace {

template <class F> void on_both(F&& check) {
    check(cpu());
    check(reference());
}
using counts = array<std::int64_t, 1>;

}  // namespace

TEST_CASE("which interval") {
    on_both([](auto device) {
        const auto f = function<decltype(device)>([](vector<double> x, vector<double> edges, matrix<int> n, vector<int> of) { return outputs(digitize(x, edges), digitize<side::right>(x, edges), digitize(n, of)); });
        const auto [left, right, whole] = f(array<double, 1>{-1, 0, 0.5, 1, 2, 3, std::numeric_limits<double>::quiet_NaN()}, array<double, 1>{0, 1, 2}, array<int, 2>{{1, 2}}, array<int, 1>{2});
        CHECK(left == counts{0, 1, 1, 2, 3, 3, 3});
        CHECK(right == counts{0, 0, 1, 1, 2, 3, 3});
        CHECK(whole == array<std::int64_t, 2>{{0, 1}});
        const auto [no_places, zeros, same] = f(array<double, 1>{}, array<double, 1>{}, array<int, 2>{{5}}, array<int, 1>{});
        CHECK((no_places.size() == 0 && same == array<std::int64_t, 2>{{0}}));
    });
}

TEST_CASE("members") {
    on_both([](auto device) {
        const auto f = function<decltype(device)>([](vector<float> x, matrix<float> values, matrix<int> n, scalar<int> one, vector<bool> t) { return outputs(isin(x, values), isin(n, n(0)), isin(n, one), isin(t, t(slice(1, none)))); });
        constexpr float nan = std::numeric_limits<float>::quiet_NaN();
        const auto [a, b, c, d] = f(array<float, 1>{1, 5, 2, 7, nan, -0.0f}, array<float, 2>{{2, nan}, {1, 0}}, array<int, 2>{{1, 2}, {2, 3}}, 3, array<bool, 1>{true, false});
        CHECK(a == array<bool, 1>{true, false, true, false, false, true});
        CHECK(b == array<bool, 2>{{true, true}, {true, false}});
        CHECK(c == array<bool, 2>{{false, false}, {false, true}});
        CHECK(d == array<bool, 1>{false, true});
        const auto nothing = std::get<0>(f(array<float, 1>{1, nan}, array<float, 2>(0, 3), array<int, 2>{{1}}, 3, array<bool, 1>{}));
        CHECK(nothing == array<bool, 1>{false, false});
        const auto g = function<decltype(device)>([](vector<float> x, scalar<half> h) { return outputs(isin(x, std::array{1, 5}), isin(x, std::array{0.0f}), isin(h, h)); });
        const auto [listed, zeros, half_found] = g(array<float, 1>{1, 5, 2, nan, -0.0f}, half(2));
        CHECK((listed == array<bool, 1>{true, true, false, false, false} && zeros == array<bool, 1>{false, false, false, false, true} && half_found()));
    });
    CHECK(isin(array<int, 1>{1, 2, 3}, std::array{3, 1, 9}) == array<bool, 1>{true, false, true});
    // In braces, whole numbers beside floats too.
    CHECK(isin(array<int, 1>{1, 2, 3}, {3, 1, 9}) == array<bool, 1>{true, false, true});
    const array<float, 1> halves{1, 1.5f, 2};
    CHECK(isin(2 * halves, {2, 3}) == array<bool, 1>{true, true, false});
    CHECK(function<cpu>([](vector<float> v) { return isin(v, {1, 2}); })(halves) == array<bool, 1>{true, false, true});
}

TEST_CASE("how many in each bin") {
    on_both([](auto device) {
        const auto f = function<decltype(device)>([](vector<float> x, vector<double> y, matrix<int> n, scalar<float> low, scalar<int> high, vector<half> h) {
            return outputs(histogram<10>(x, 0, 1), histogram<10>(y, 0, 1.0), histogram<3>(n, 0, 6), histogram<2>(x, low, high), histogram<2>(h, 0, 4));
        });
        constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
        const array<double, 1> y{0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1, -.01, 1.01, .05, .95, .999, nan, infinity, -infinity};
        array<float, 1> x(y.size());
        for (std::int64_t i = 0; i < y.size(); ++i) x(i) = static_cast<float>(y(i));
        const auto [a, b, c, d, e] = f(x, y, array<int, 2>{{0, 1, 2, 3, 3}, {4, 5, 6, 7, -1}}, 0.5f, 1, array<half, 1>{half(1), half(2), half(4), half(5)});
        CHECK(a == counts{2, 1, 1, 1, 1, 1, 1, 1, 1, 4});
        CHECK(b == counts{2, 1, 2, 0, 1, 2, 1, 0, 1, 4});
        CHECK(c == counts{2, 3, 3});
        CHECK(d == counts{3, 5});
        CHECK(e == counts{1, 2});
        const auto [g, h, i, j, k] = f(array<float, 1>{}, array<double, 1>{1}, array<int, 2>(0, 3), 2.0f, 1, array<half, 1>{});
        CHECK((sum(g) == 0 && h(9) == 1 && i == counts{0, 0, 0} && j == counts{0, 0}));
    });
}
