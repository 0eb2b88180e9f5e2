// SPDX-License-Identifier: MIT
// Assignments that compute, of variables and of parameters, beside what NumPy gives.
#include <croton/croton.hpp>

#include <doctest/doctest.h>

using namespace croton;

TEST_CASE("a variable takes what every assignment computes") {
    auto f = function<cpu>([](vector<int> x, vector<float> y) {
        auto n = x + 0;
        n %= 5;
        n <<= 2;
        n |= x;
        n ^= 3;
        n &= 29;
        n >>= 1;
        auto among = x > 0;
        among &= x < 9;
        among |= x == -7;
        among ^= x == 3;
        auto r = y * 1;
        r += 1;
        r *= y;
        r -= 0.5;
        r /= 2;
        r %= 1;
        return std::tuple(n, among, r, grad(sum(r), y));
    });
    auto [n, among, r, slope] = f(array<int, 1>{-7, 0, 3, 8, 12}, array<float, 1>{-1.25f, 0.5f, 2});
    CHECK(n == array<int, 1>{14, 0, 6, 6, 6});
    CHECK(among == array<bool, 1>{true, false, false, true, false});
    CHECK(r == array<float, 1>{0.90625f, 0.125f, 0.75f});
    CHECK(slope == array<float, 1>{-0.75f, 1, 2.5f});
}

TEST_CASE("a parameter is updated by every one") {
    auto f = function<reference>([](shared<vector<int>> a, shared<vector<int>> b, shared<vector<bool>> c, shared<vector<int>> d, shared<vector<int>> e, shared<vector<int>> g) {
        return updates(a %= 5, b &= 6, c |= a > 0, d ^= 3, e <<= 1, g >>= 1);
    });
    const array<int, 1> x{-7, 3};
    auto a = x, b = x, d = x, e = x, g = x;
    array<bool, 1> c{false, false};
    f(a, b, c, d, e, g);
    CHECK(a == array<int, 1>{3, 3});
    CHECK(b == array<int, 1>{0, 2});
    CHECK(c == array<bool, 1>{false, true});
    CHECK(d == array<int, 1>{-6, 0});
    CHECK(e == array<int, 1>{-14, 6});
    CHECK(g == array<int, 1>{-4, 1});
}

TEST_CASE("variables change places") {
    auto f = function<cpu>([](vector<float> x) {
        auto a = x[0], b = x[1];
        std::tie(a, b) = std::tuple(b, a);
        std::swap(a, b);
        auto y = x;
        y = tanh(y);
        return std::tuple(a - b, y);
    });
    auto [difference, y] = f(array<float, 1>{3, 0});
    CHECK(difference() == 3);
    CHECK(y(1) == 0);
}
