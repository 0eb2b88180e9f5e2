// SPDX-License-Identifier: MIT
// Updates that are joined of parts: what reads its own part of the parameter is written straight into it, and what is a part of it is left alone.
#include <doctest/doctest.h>

#include "plan/steps.hpp"

using namespace croton;
using plan_tests::steps;

namespace {

using V = croton::vector<float, dim("n")>;
using M = matrix<float, dim("n"), dim("m")>;

inline constexpr auto behind = [](shared<V> w) { return updates(update(w, concatenate<0>(w(slice(0, 2)), 2.0f * w(slice(2, none))))); };
inline constexpr auto inside = [](shared<M> w) {
    return updates(update(w, concatenate<0>(w(slice(0, 1)), w(slice(1, -1)) + 1.0f, w(slice(-1, none)))));
};
inline constexpr auto columns = [](shared<M> w, M g) {
    return updates(update(w, concatenate<1>(w(slice(), slice(0, 2)) - g(slice(), slice(0, 2)), w(slice(), slice(2, none)) * 3.0f)));
};
inline constexpr auto kept_old = [](shared<V> w) {
    return outputs(cumsum<0>(w), sum(w)).updates(update(w, concatenate<0>(w(slice(0, 2)), sqr(w(slice(2, none))))));
};
inline constexpr auto swapped = [](shared<vector<float, 4>> w) { return updates(update(w, concatenate<0>(w(slice(2, 4)), w(slice(0, 2))))); };
inline constexpr auto turned = [](shared<matrix<float>> w) { return updates(update(w, stack<1>(w(slice(), 1), w(slice(), 2), w(slice(), 0)))); };
inline constexpr auto neighbours = [](shared<V> w) {
    return updates(update(w, concatenate<0>(w(slice(0, 1)), w(slice(0, -2)) + w(slice(2, none)), w(slice(-1, none)))));
};
inline constexpr auto reversed = [](shared<V> w) { return updates(update(w, concatenate<0>(w(slice(0, 2)), w(slice(none, 1, -1))))); };
inline constexpr auto filled = [](shared<V> w, V v) { return updates(update(w, concatenate<0>(v(slice(0, 3)), w(slice(3, none))))); };

template <class F> void check(F f, auto... more) {
    auto fast = function<cpu>(f);
    auto plain = function<reference>(f);
    for (int again = 0; again < 2; ++again) {
        array<float, 1> a = {1, 2, 3, 4, 5, 6, 7}, b = a;
        fast(a, more...);
        plain(b, more...);
        for (int i = 0; i < 7; ++i) CHECK(a(i) == b(i));
    }
}

}  // namespace

TEST_CASE("a piece that reads its own part is written into it") {
    CHECK(steps(behind) == "kernel -> arg0");
    CHECK(steps(inside) == "kernel -> arg0");
    CHECK(steps(columns) == "kernel -> arg0; kernel -> arg0");
    CHECK(steps(filled) == "kernel -> arg0");
}
TEST_CASE("what is exchanged is read in the loop that writes it") {
    CHECK(steps(swapped).find("tmp") == std::string::npos);
    auto f = function<cpu>(swapped);
    array<float, 1> w = {1, 2, 3, 4};
    f(w);
    CHECK(w == array<float, 1>{3, 4, 1, 2});
    for (const std::int64_t n : {1, 7, 100, 5000}) {
        auto turn = function<cpu>(turned);
        array<float, 2> all(n, 3), expected(n, 3);
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < 3; ++j) all(i, j) = expected(i, (j + 2) % 3) = static_cast<float>(3 * i + j);
        turn(all);
        CHECK(all == expected);
    }
}
TEST_CASE("what is read elsewhere goes through a temporary") {
    CHECK(steps(neighbours).find("tmp") != std::string::npos);
    CHECK(steps(reversed).find("tmp") != std::string::npos);
}
TEST_CASE("the old value is read before") {
    const std::string all = steps(kept_old);
    CHECK(all.find("tmp") == std::string::npos);
    CHECK(all.find("out1") < all.find("arg0"));
    auto f = function<cpu>(kept_old);
    array<float, 1> w = {1, 2, 3, 4};
    auto [c, s] = f(w);
    CHECK(c(3) == 10);
    CHECK(s() == 10);
    CHECK(w(1) == 2);
    CHECK(w(3) == 16);
}
TEST_CASE("numbers") {
    check(behind);
    auto small = function<cpu>(behind);
    for (const int n : {1, 2, 3}) {
        array<float, 1> w(n);
        w.fill(5);
        small(w);
        for (int i = 0; i < n; ++i) CHECK(w(i) == (i < 2 ? 5 : 10));
    }
    check(neighbours);
    check(reversed);
    check(filled, array<float, 1>{9, 8, 7, 6, 5, 4, 3});
    auto f = function<cpu>(columns);
    array<float, 2> w = {{1, 2, 3}, {4, 5, 6}}, g = {{1, 1, 1}, {2, 2, 2}};
    f(w, g);
    CHECK(w(1, 0) == 2);
    CHECK(w(1, 1) == 3);
    CHECK(w(1, 2) == 18);
    auto rows = function<cpu>(inside);
    array<float, 2> two = {{1, 2}, {3, 4}, {5, 6}};
    rows(two(slice(), slice(0, 1)));
    CHECK(two(0, 0) == 1);
    CHECK(two(1, 0) == 4);
    CHECK(two(1, 1) == 4);
    CHECK(two(2, 0) == 5);
    array<float, 2> empty(2, 0);
    rows(empty);
}
