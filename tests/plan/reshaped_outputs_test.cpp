// SPDX-License-Identifier: MIT
// Results that steps see in another shape: a product or a loop is written where its reshape belongs, and results that lie in no row-major order are made apart.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

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

inline constexpr auto loop = [](M x) { return reshape<2, 4>(exp(x)); };
inline constexpr auto turned = [](M x) { return reshape<2, 4>(2.0f * transpose(x)); };
inline constexpr auto with_sums = [](M x) {
    auto y = x * x;
    return outputs(reshape<8>(y), sum<1>(y), y);
};
inline constexpr auto row_sums = [](M x) { return reshape<2, 2>(sum<1>(x)); };
inline constexpr auto repeats = [](M x) { return outputs(repeat<0, 2>(x), repeat<1, 3>(x), tile<2, 3>(x), upsample_nearest<2, 3>(newaxis<0, 1>(x))); };

const array<float, 2> a = {{1, 2}, {3, 4}, {5, 6}, {7, 8}}, b = {{2, 1}, {0, 1}};

}  // namespace

TEST_CASE("a product is written into the result that is its reshape") {
    CHECK(steps(product) == "product -> out0");
    CHECK(steps(with_addend).find("tmp") == std::string::npos);
    CHECK(steps(sorted).find("tmp") == std::string::npos);
    CHECK(steps(read_again).find("tmp") == std::string::npos);
}
TEST_CASE("so is a loop") {
    for (const auto& of : {steps(loop), steps(turned), steps(row_sums), steps(repeats), steps(with_sums)}) {
        CAPTURE(of);
        CHECK(of.find("tmp") == std::string::npos);
    }
}
TEST_CASE("numbers of loops") {
    const auto y = function<cpu>(loop)(a);
    for (int i = 0; i < 8; ++i) CHECK(y.data()[i] == doctest::Approx(std::exp(a.data()[i])));
    const auto [flat, sums, squares] = function<cpu>(with_sums)(a);
    for (int i = 0; i < 8; ++i) CHECK((flat(i) == a.data()[i] * a.data()[i] && squares.data()[i] == flat(i)));
    CHECK(sums(3) == 113);
    const auto square = function<cpu>(row_sums)(a);
    for (int i = 0; i < 4; ++i) CHECK(square.data()[i] == a(i, 0) + a(i, 1));
    const auto [rows, columns, tiles, image] = function<cpu>(repeats)(a);
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 2; ++j) CHECK(rows(i, j) == a(i / 2, j));
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 6; ++j) CHECK(columns(i, j) == a(i, j / 3));
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 6; ++j) CHECK((tiles(i, j) == a(i % 4, j % 2) && image(0, 0, i, j) == a(i / 2, j / 3)));
}
TEST_CASE("a loop whose result lies where its argument does, in another order or with gaps") {
    const auto f = function<cpu>(turned);
    const auto expected = f(a.transpose());
    array<float, 2> x = {{1, 3, 5, 7}, {2, 4, 6, 8}};
    f.call_into(x, x);
    for (int i = 0; i < 8; ++i) CHECK(x.data()[i] == expected.data()[i]);
    array<float, 2> wide(2, 8);
    auto part = wide(slice(), slice(none, none, 2));
    function<cpu>(loop).call_into(part, a);
    for (int i = 0; i < 8; ++i) CHECK(part(i / 4, i % 4) == doctest::Approx(std::exp(a.data()[i])));
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
