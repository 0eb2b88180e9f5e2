// SPDX-License-Identifier: MIT
// Slices on the devices of the host.
#include "ops/slice.hpp"

using namespace slicing;

TEST_CASE("reading through slices") {
    check_reads<cpu, float>();
    check_reads<cpu, std::int64_t>();
    check_reads<reference, double>();
}

TEST_CASE("slices of what is computed") {
    check_computed<cpu>();
    check_computed<reference>();
}

TEST_CASE("extents that only the call knows are checked then") {
    const auto f = function<cpu>("f", [](matrix<float> x, shared<vector<float>> w) { return outputs(x(2, -3)).updates(w += x(slice(1, none), 0)); });
    array<float, 1> w{1, 1};
    CHECK_THROWS_WITH_AS(f(array<float, 2>(2, 3), w), "f: index 2 is outside axis 0 of argument 1, which has extent 2", shape_error);
    CHECK_THROWS_WITH_AS(f(array<float, 2>(3, 2), w), "f: index -3 is outside axis 1 of argument 1, which has extent 2", shape_error);
    CHECK_THROWS_WITH_AS(f(array<float, 2>(4, 3), w), "f: a slice has 3 elements along its axis, but argument 2 has extent 2 along axis 0; add needs them equal", shape_error);
    CHECK(w == array<float, 1>{1, 1});
    CHECK(f(array<float, 2>::full({3, 3}, 2), w) == 2);
    CHECK(w == array<float, 1>{3, 3});
}

TEST_CASE("an update reads its parameter through slices, and what it wrote does not come back") {
    const auto f = function<cpu>([](shared<vector<double>> u) {
        return updates(update(u, concatenate(u(slice(none, 1)), 0.5 * (u(slice(2, none)) + u(slice(none, -2))), u(slice(-1, none)))));
    });
    array<double, 1> u{0, 1, 4, 9, 16};
    f(u);
    CHECK(u == array<double, 1>{0, 2, 5, 10, 16});
    const auto flipped = function<cpu>([](shared<vector<double>> v) { return updates(update(v, flip(v))); });
    flipped(u);
    CHECK(u == array<double, 1>{16, 10, 5, 2, 0});
}

TEST_CASE("eight axes, halves and bools") {
    const auto f = function<cpu>([](tensor<float, 2, 1, 3, 1, 2, 1, 1, 4> x) { return x(1, slice(), slice(none, none, -2), ellipsis, slice(1, -1)) + 1.0f; });
    array<float, 8> x(2, 1, 3, 1, 2, 1, 1, 4);
    float i = 0;
    for (float& e : x) e = i++;
    const auto y = f(x);
    CHECK(y.extents() == extents_of<7>{1, 2, 1, 2, 1, 1, 2});
    CHECK(y(0, 1, 0, 1, 0, 0, 1) == x(1, 0, 0, 0, 1, 0, 0, 2) + 1);
    const auto g = function<cpu>([](vector<half> h, vector<bool> b) { return outputs(h(slice(none, none, -1)), b(slice(1, none)) & !b(slice(none, -1))); });
    const auto [back, rises] = g(array<half, 1>{half(1), half(2), half(3)}, array<bool, 1>{false, true, true, false, true});
    CHECK(static_cast<float>(back(0)) == 3);
    CHECK(rises == array<bool, 1>{true, false, false, true});
}

TEST_CASE("gradients of slices") {
    const auto f = [](matrix<double> x) {
        return sum(sqr(x(slice(1, none))) * x(slice(none, -1))) + sum(exp(x(slice(), slice(none, none, -2)))) + x(0, -1) * sum(x(slice(none, none, 3), slice(1, none)));
    };
    support::numbers random(2);
    CHECK(verify_grad<cpu>(f, random.fill<double, 2>({4, 5})) <= 1);
    CHECK(verify_grad<reference>(f, random.fill<double, 2>({2, 3})) <= 1);
}
