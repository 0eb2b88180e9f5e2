// SPDX-License-Identifier: MIT
// loop_map and reduce, also where a program has both using-directives.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <vector>

#include <croton/croton.hpp>

using namespace std;
using namespace croton;

template <template <class, int> class A> struct line {
    A<double, 1> slope;
    A<double, 0> height;
};

TEST_CASE_TEMPLATE("a map of each structure", D, cpu, reference) {
    auto f = croton::function<D>([](matrix<double> x, croton::vector<double> y, croton::vector<double> w) {
        auto sums = loop_map([&](auto row) { return sum(row * w); }, x);
        auto [scaled, less] = loop_map([&](auto row, auto e) { return tuple(row * e, e - w(0)); }, x, y);
        auto pairs = loop_map([](auto both) { return get<0>(both) * sum(get<1>(both)); }, tuple(y, x));
        auto lines = loop_map([](auto row, auto e) {
            line<symbol> l;
            l.slope = row + e;
            l.height = e * e;
            return l;
        }, x, y);
        auto heights = loop_map([](auto l) { return l.height + sum(l.slope); }, lines);
        return tuple(sums, scaled, less, pairs, lines.slope, heights, loop_map([](auto turn) { return turn * turn; }, times(x.extent(0))));
    });
    auto [sums, scaled, less, pairs, slopes, heights, squares] = f(croton::array<double, 2>{{1, 2}, {3, 4}, {5, 6}}, croton::array<double, 1>{1, 10, 100}, croton::array<double, 1>{2, 3});
    CHECK(sums == croton::array<double, 1>{8, 18, 28});
    CHECK(scaled == croton::array<double, 2>{{1, 2}, {30, 40}, {500, 600}});
    CHECK(less == croton::array<double, 1>{-1, 8, 98});
    CHECK(pairs == croton::array<double, 1>{3, 70, 1100});
    CHECK(slopes == croton::array<double, 2>{{2, 3}, {13, 14}, {105, 106}});
    CHECK(heights == croton::array<double, 1>{1 + 5, 100 + 27, 10000 + 211});
    CHECK(squares == croton::array<int64_t, 1>{0, 1, 4});
}

TEST_CASE_TEMPLATE("what vmap refuses, and derivatives", D, cpu, reference) {
    // The square root of each by Newton, with a number of turns that the values say.
    auto f = croton::function<D>([](croton::vector<double> x, croton::scalar<double> a) {
        auto roots = loop_map([&](auto e) {
            auto v = a * e;
            return while_loop([&](auto r) { return abs(r * r - v) > 1e-12; }, [&](auto r) { return 0.5 * (r + v / r); }, v, 60);
        }, x);
        auto cost = sum(roots * roots * roots);
        return tuple(roots, grad(cost, x), grad(cost, a));
    });
    croton::array<double, 1> x{4, 9, 2};
    auto [roots, gx, ga] = f(x, 3.0);
    double slope = 0;
    for (int i = 0; i < 3; ++i) {
        CHECK(roots(i) == doctest::Approx(sqrt(3 * x(i))));
        CHECK(gx(i) == doctest::Approx(1.5 * sqrt(3 * x(i)) * 3));
        slope += 1.5 * sqrt(3 * x(i)) * x(i);
    }
    CHECK(ga() == doctest::Approx(slope));
    auto [no_roots, no_gx, no_ga] = f(croton::array<double, 1>(0), 3.0);
    CHECK(no_roots.size() == 0);
    CHECK(no_ga() == 0);
}

TEST_CASE("reduce, of croton and of std, and a map of std") {
    auto f = croton::function<cpu>([](matrix<double> x, croton::vector<double> first, croton::vector<double> y) {
        // The state and the sequence are of one type, as the two ends of a range are.
        return tuple(reduce([](auto s, auto row) { return s * 0.5 + row; }, first, x), reduce([](auto s, auto e) { return s * 10 + e; }, 0.0, y),
                     reduce([](auto s, auto e) { return s + e; }, y, y), reduce([](auto s, auto turn) { return s * cast<double>(turn + 1); }, y, times(4)));
    });
    auto [rows, digits, sums, products] = f(croton::array<double, 2>{{1, 2}, {3, 4}}, croton::array<double, 1>{4, 8}, croton::array<double, 1>{1, 2, 3});
    CHECK(rows == croton::array<double, 1>{1 + 0.5 + 3, 2 + 1 + 4});
    CHECK(digits == croton::array<double, 0>(123.0));
    CHECK(sums == croton::array<double, 1>{7, 8, 9});
    CHECK(products == croton::array<double, 1>{24, 48, 72});
    std::vector<int> v{1, 2, 3};
    CHECK(reduce(v.begin(), v.end(), 4) == 10);
    map<int, int> of_std{{1, 2}};
    CHECK(of_std[1] == 2);
}
