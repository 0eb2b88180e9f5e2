// SPDX-License-Identifier: MIT
// Joined arrays, and what is made of joined slices, on the devices of the host.
#include "ops/slice.hpp"

using namespace slicing;

TEST_CASE("joined arrays") {
    check_joined<cpu, float>();
    check_joined<cpu, std::int64_t>();
    check_joined<reference, double>();
}

TEST_CASE("padding as NumPy does") {
    const auto f = function<cpu>("f", [](matrix<int> x) {
        return outputs(pad(x, 1), pad(x, {{1, 0}, {0, 2}}, pad_mode::edge), pad(x, {1, 1}, pad_mode::reflect), pad(x, {{0, 0}, {2, 1}}, pad_mode::wrap), pad(x, {{1, 1}, {0, 0}}, 7));
    });
    const array<int, 2> x{{1, 2, 3}, {4, 5, 6}};
    const auto [zero, edge, reflect, wrap, seven] = f(x);
    CHECK(zero == array<int, 2>{{0, 0, 0, 0, 0}, {0, 1, 2, 3, 0}, {0, 4, 5, 6, 0}, {0, 0, 0, 0, 0}});
    CHECK(edge == array<int, 2>{{1, 2, 3, 3, 3}, {1, 2, 3, 3, 3}, {4, 5, 6, 6, 6}});
    CHECK(reflect == array<int, 2>{{5, 4, 5, 6, 5}, {2, 1, 2, 3, 2}, {5, 4, 5, 6, 5}, {2, 1, 2, 3, 2}});
    CHECK(wrap == array<int, 2>{{2, 3, 1, 2, 3, 1}, {5, 6, 4, 5, 6, 4}});
    CHECK(seven == array<int, 2>{{7, 7, 7}, {1, 2, 3}, {4, 5, 6}, {7, 7, 7}});
    CHECK_THROWS_WITH_AS(f(array<int, 2>(1, 3)), "f: pad: 1 element in front of or behind axis 0 of argument 1 takes 2 to make them of, but it has extent 1", shape_error);
    const auto zeros = function<cpu>([](matrix<float> m) { return pad(m, {{1, 2}, {0, 1}}); });
    CHECK(zeros(array<float, 2>(0, 2)) == array<float, 2>(3, 3));
    const auto truth = function<cpu>([](vector<bool> b) { return outputs(pad(b, 1), pad(b, {0, 2}, pad_mode::edge), pad(b, 1, true)); });
    const auto [padded, edged, framed] = truth(array<bool, 1>{true, true});
    CHECK(padded == array<bool, 1>{false, true, true, false});
    CHECK(edged == array<bool, 1>{true, true, true, true});
    CHECK(framed == edged);
}

TEST_CASE("roll, flip, diff, repeat, tile and split") {
    const auto f = function<cpu>("f", [](vector<float> x, matrix<float> m) {
        const auto [front, back] = split<1, 2>(m);
        const auto [one, rest] = split<0>(m, 1, none);
        return outputs(roll<0>(x, 2), roll<0>(x, -1), roll<0>(x, 7), flip(x), flip<1>(m), diff(x), diff<0, 2>(x), repeat<0, 2>(x), repeat<1, 3>(one), tile<2>(x), tile<2, 2>(m), front - back, rest);
    });
    const auto [right, left, turns, back, mirrored, d, dd, twice, thrice, tiled, square, halves, rest] = f(array<float, 1>{1, 2, 4, 8, 16}, array<float, 2>{{1, 2}, {5, 7}});
    CHECK(right == array<float, 1>{8, 16, 1, 2, 4});
    CHECK(left == array<float, 1>{2, 4, 8, 16, 1});
    CHECK(turns == right);
    CHECK(back == array<float, 1>{16, 8, 4, 2, 1});
    CHECK(mirrored == array<float, 2>{{2, 1}, {7, 5}});
    CHECK(d == array<float, 1>{1, 2, 4, 8});
    CHECK(dd == array<float, 1>{1, 2, 4});
    CHECK(twice == array<float, 1>{1, 1, 2, 2, 4, 4, 8, 8, 16, 16});
    CHECK(thrice == array<float, 2>{{1, 1, 1, 2, 2, 2}});
    CHECK(tiled == array<float, 1>{1, 2, 4, 8, 16, 1, 2, 4, 8, 16});
    CHECK(square == array<float, 2>{{1, 2, 1, 2}, {5, 7, 5, 7}, {1, 2, 1, 2}, {5, 7, 5, 7}});
    CHECK(halves == array<float, 2>{{-1}, {-2}});
    CHECK(rest == array<float, 2>{{5, 7}});
    CHECK_THROWS_WITH_AS(f(array<float, 1>{1}, array<float, 2>(2, 3)), "f: split: an axis of extent 3 does not give 2 equal parts", shape_error);
    const auto empty = f(array<float, 1>(0), array<float, 2>(1, 0));
    CHECK(std::get<0>(empty).size() == 0);
    CHECK(std::get<5>(empty).size() == 0);
}

TEST_CASE("roll by what the call computes") {
    const auto check = [](auto device) {
        const auto f = function<decltype(device)>([](vector<float> x, matrix<int> m, scalar<int> n, scalar<std::uint8_t> u) { return outputs(roll<0>(x, n), roll<-1>(m, -n + 1), roll<0>(x * 2, u), grad(sum(roll<0>(x, n) * sqr(x)), x)); });
        const array<float, 1> x{1, 2, 4, 8, 16};
        const array<int, 2> m{{1, 2, 3}, {4, 5, 6}};
        const auto [right, left, twice, slope] = f(x, m, 2, std::uint8_t(6));
        CHECK(right == array<float, 1>{8, 16, 1, 2, 4});
        CHECK(left == array<int, 2>{{2, 3, 1}, {5, 6, 4}});
        CHECK(twice == array<float, 1>{32, 2, 4, 8, 16});
        CHECK(slope == array<float, 1>{32, 128, 264, 33, 132});
        CHECK(std::get<0>(f(x, m, -7, std::uint8_t(6))) == array<float, 1>{4, 8, 16, 1, 2});
        CHECK(std::get<0>(f(x, m, 1000000005, std::uint8_t(6))) == x);
        const auto [none_left, no_columns, no_twice, no_slope] = f(array<float, 1>{}, array<int, 2>(2, 0), 3, std::uint8_t(6));
        CHECK((none_left.size() == 0 && no_columns.extents() == extents_of<2>{2, 0} && no_twice.size() == 0 && no_slope.size() == 0));
    };
    check(cpu());
    check(reference());
}

TEST_CASE("a part of what is joined is its piece, and the pieces of a split are the whole") {
    const auto f = function<cpu>([](vector<float> x, vector<float> y) {
        const auto both = concatenate(x, exp(y));
        const auto [a, b] = split<0>(both, 2, none);
        return outputs(both(slice(none, 2)), concatenate(a, b));
    });
    const auto [a, b] = f(array<float, 1>{1, 2}, array<float, 1>{0, 0});
    CHECK(a == array<float, 1>{1, 2});
    CHECK(b == array<float, 1>{1, 2, 1, 1});
}

TEST_CASE("gradients of joined arrays") {
    const auto f = [](matrix<double> x, matrix<double> y) {
        const auto all = concatenate<1>(x * y, y(slice(), slice(none, none, -1)), tanh(x));
        return sum(sqr(all(slice(1, none)) - all(slice(none, -1)))) + sum(exp(pad(x, 2, pad_mode::reflect)) * tile<1, 1>(pad(y, {{2, 2}, {2, 2}}, pad_mode::wrap))) + sum(roll<0>(x, 1) * stack<0>(y, y)(1)) +
               sum(repeat<0, 2>(x) * tile<2, 1>(y));
    };
    support::numbers random(8);
    CHECK(verify_grad<cpu>(f, random.fill<double, 2>({3, 4}), random.fill<double, 2>({3, 4})) <= 1);
}
