// SPDX-License-Identifier: MIT
// Products with everything they take up, in numbers: as the plain loops have them.
#include <doctest/doctest.h>

#include <cmath>

#include <croton/croton.hpp>

using namespace croton;

namespace {

using M = matrix<double>;

template <int Rank> array<double, Rank> filled(extents_of<Rank> e, int seed) {
    auto a = array<double, Rank>::uninitialized(e);
    int i = seed;
    for (double& x : a) x = std::sin(++i * 1.7);
    return a;
}

template <class A> void same(const A& got, const A& want) {
    REQUIRE(got.extents() == want.extents());
    auto w = want.begin();
    for (const double x : got) CHECK(x == doctest::Approx(*w++).epsilon(1e-12));
}

template <class F> void compare(F f, std::array<std::array<std::int64_t, 2>, 3> e) {
    auto fast = function<cpu>(f);
    auto plain = function<reference>(f);
    const auto a = filled<2>({e[0][0], e[0][1]}, 1), b = filled<2>({e[1][0], e[1][1]}, 50), c = filled<2>({e[2][0], e[2][1]}, 99);
    same(fast(a, b, c, 0.7, -1.3), plain(a, b, c, 0.7, -1.3));
}

}  // namespace

TEST_CASE("alpha a b + beta c with every transpose") {
    using S = scalar<double>;
    compare([](M a, M b, M c, S s, S t) { return s * dot(a, b) + t * c; }, {{{5, 3}, {3, 4}, {5, 4}}});
    compare([](M a, M b, M c, S s, S t) { return s * dot(transpose(a), b) + t * c; }, {{{3, 5}, {3, 4}, {5, 4}}});
    compare([](M a, M b, M c, S s, S t) { return t * c - s * dot(a, transpose(b)); }, {{{5, 3}, {4, 3}, {5, 4}}});
    compare([](M a, M b, M c, S s, S t) { return s * (dot(transpose(a), transpose(b)) + t * transpose(c)); }, {{{3, 5}, {4, 3}, {4, 5}}});
    compare([](M a, M b, M c, S s, S t) { return transpose(s * dot(a, b)) / t + c; }, {{{5, 3}, {3, 4}, {4, 5}}});
}

TEST_CASE("updates see the old values, whatever the order of the steps") {
    const auto f = [](shared<M> x, shared<M> y, M a) {
        return outputs(sum(x * y)).updates(update(x, dot(a, y) + 0.5 * x), update(y, transpose(y) + dot(x, a)));
    };
    auto fast = function<cpu>(f);
    auto plain = function<reference>(f);
    auto x = filled<2>({4, 4}, 3), y = filled<2>({4, 4}, 30), x2 = x, y2 = y;
    const auto a = filled<2>({4, 4}, 300);
    for (int k = 0; k < 3; ++k) {
        const double s = fast(x, y, a), s2 = plain(x2, y2, a);
        CHECK(s == doctest::Approx(s2));
        same(x, x2);
        same(y, y2);
    }
}

TEST_CASE("an addend computed where the product goes waits for the readers of the old value") {
    // w is read by the second product after the addend of its update could have been written over it.
    const auto f = [](shared<M> w, M x, M g) {
        auto h = tanh(dot(x, w));
        auto deep = dot(dot(h, transpose(w)), g);
        return updates(update(w, 0.9 * w + tanh(w) - dot(transpose(x), h) - dot(transpose(g), dot(deep, g))));
    };
    auto fast = function<cpu>(f);
    auto plain = function<reference>(f);
    auto w = filled<2>({4, 4}, 3), w2 = w;
    const auto x = filled<2>({4, 4}, 30), g = filled<2>({4, 4}, 300);
    for (int k = 0; k < 3; ++k) {
        fast(w, x, g);
        plain(w2, x, g);
        same(w, w2);
    }
}
