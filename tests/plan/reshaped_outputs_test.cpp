// SPDX-License-Identifier: MIT
// Results that steps see in another shape: a product is written where its reshape belongs, and results that lie in no row-major order are made apart.
#include <doctest/doctest.h>

#include "plan/steps.hpp"

using namespace croton;
using plan_tests::steps;

namespace {

using M = matrix<float>;

inline constexpr auto product = [](M a, M b) { return reshape<2, 4>(dot(a, b)); };
inline constexpr auto with_addend = [](M a, M b, M c) { return reshape<2, 4>(dot(a, b) + c); };
inline constexpr auto read_again = [](M a, M b) {
    auto y = dot(a, b);
    return outputs(reshape<8>(y), sum<0>(y), dot(y, b));
};
inline constexpr auto both = [](M a, M b) {
    auto y = dot(a, b);
    return outputs(y, reshape<2, 2, 2>(y));
};
inline constexpr auto sorted = [](M a) { return reshape<8>(sort<1>(a)); };
inline constexpr auto read_flat = [](M a, M b) {
    auto y = dot(a, b);
    return outputs(y, sum<0>(sqr(reshape<2, 4>(y))));
};

inline constexpr auto updated = [](shared<M> w, M g) {
    auto next = w - g;
    return outputs(sum<0>(reshape<2, 4>(next))).updates(update(w, next));
};

const array<float, 2> a = {{1, 2}, {3, 4}, {5, 6}, {7, 8}}, b = {{2, 1}, {0, 1}};

}  // namespace

TEST_CASE("a product is written into the result that is its reshape") {
    CHECK(steps(product) == "product -> out0");
    CHECK(steps(with_addend).find("tmp") == std::string::npos);
    CHECK(steps(sorted).find("tmp") == std::string::npos);
    CHECK(steps(read_again).find("tmp") == std::string::npos);
}
TEST_CASE("numbers") {
    const auto y = function<cpu>([](M l, M r) { return dot(l, r); })(a, b);
    const auto p = function<cpu>(product)(a, b);
    for (int i = 0; i < 8; ++i) CHECK(p.data()[i] == y.data()[i]);
    const auto added = function<cpu>(with_addend)(a, b, a);
    for (int i = 0; i < 8; ++i) CHECK(added.data()[i] == y.data()[i] + a.data()[i]);
    auto [flat, columns, again] = function<cpu>(read_again)(a, b);
    for (int i = 0; i < 8; ++i) CHECK(flat(i) == y.data()[i]);
    CHECK(columns(0) == 32);
    CHECK(columns(1) == 36);
    CHECK(again(3, 1) == y(3, 0) + y(3, 1));
    auto [same, cube] = function<cpu>(both)(a, b);
    for (int i = 0; i < 8; ++i) CHECK((same.data()[i] == y.data()[i] && cube.data()[i] == y.data()[i]));
    const array<float, 2> shuffled = {{2, 1}, {3, 4}, {6, 5}, {8, 7}};
    const auto s = function<cpu>(sorted)(shuffled);
    for (int i = 0; i < 8; ++i) CHECK(s(i) == static_cast<float>(i + 1));
}
TEST_CASE("results that are views") {
    auto f = function<cpu>(product);
    auto g = function<cpu>(read_flat);
    const auto expected = f(a, b);
    for (int again = 0; again < 3; ++again) {
        array<float, 2> whole(2, 8), wide(4, 4);
        auto part = whole(slice(), slice(none, none, 2));
        f.call_into(part, a, b);
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 4; ++j) CHECK(part(i, j) == expected(i, j));
        array<float, 1> sums(4);
        auto left = wide(slice(), slice(0, 2));
        g.call_into(std::tie(left, sums), a, b);
        CHECK(left(3, 1) == 15);
        for (int j = 0; j < 4; ++j) CHECK(sums(j) == expected(0, j) * expected(0, j) + expected(1, j) * expected(1, j));
        array<float, 2> plain(2, 4);
        f.call_into(plain, a, b);
        CHECK(plain(1, 3) == expected(1, 3));
    }
}
TEST_CASE("a parameter that is a view, whose new value is read in another shape") {
    auto f = function<cpu>(updated);
    array<float, 2> wide(4, 4), g(4, 2);
    wide.fill(3);
    g.fill(1);
    const auto s = f(wide(slice(), slice(0, 2)), g);
    for (int j = 0; j < 4; ++j) CHECK(s(j) == 4);
    CHECK(wide(3, 1) == 2);
    CHECK(wide(3, 2) == 3);
}
