// SPDX-License-Identifier: MIT
// What may stand in the lambda of a function, and beside it: constants, captures, variables, parameters that are not used.
#include <doctest/doctest.h>

#include <cmath>

#include <croton/croton.hpp>

using namespace croton;

namespace {

template <template <class, int> class A> struct layer {
    A<float, 1> weight;
    A<float, 1> bias;
};

}  // namespace

TEST_CASE("constants beside the lambda are read by value, and need no capture") {
    constexpr double half_of = 0.5;
    constexpr int power = 2, rounds = 2;
    static constexpr float shift = 1;
    const array<float, 1> numbers{1, 2, 3};

    // A function that is const is called like any other.
    const auto plain = function<cpu>([](vector<float> x) { return maximum(half_of * pow(x, power) - shift, 0) + clip(x, half_of, power); });
    CHECK(plain(numbers) == array<float, 1>{1, 3, 5.5F});

    auto by_value = function<cpu>([=](vector<float> x) {
        auto y = where(x > half_of, x, power);
        for (int i = 0; i < rounds; ++i) y = y * power;
        return y;
    });
    CHECK(by_value(numbers) == array<float, 1>{4, 8, 12});

    auto by_reference = function<cpu>([&](vector<float> x) { return x / power + half_of; });
    CHECK(by_reference(numbers) == array<float, 1>{1, 1.5F, 2});
}

TEST_CASE("a copy of a parameter is a variable") {
    const array<float, 1> step{1, 2}, start{0, 0};
    auto f = function<cpu>([](vector<float, dim("n")> x, vector<float, dim("n")> h0) {
        auto h = h0;
        for (int i = 0; i < 2; ++i) h = 2 * h + x;
        return std::tuple(h, h0);
    });
    auto [h, same] = f(step, start);
    CHECK(h == array<float, 1>{3, 6});
    CHECK(same == start);
}

TEST_CASE("parameters, models and fields that are marked are not used") {
    layer<on<cpu>::array> now{array<float, 1>{1, 2}, array<float, 1>(3)};
    auto f = function<cpu>([](vector<float> x, scalar<int> seed, layer<symbol> net, shared<layer<symbol>> old) {
        unused(seed, net.bias, old);
        return x * net.weight;
    });
    auto before = now;
    CHECK(f(array<float, 1>{3, 4}, 5, now, before) == array<float, 1>{3, 8});
    CHECK(before.bias == now.bias);
    // What is not used is still checked.
    CHECK_THROWS_AS(f(array<float, 1>{3, 4, 5}, 5, now, before), shape_error);
}

TEST_CASE("a choice between two numbers has their type") {
    auto f = function<cpu>([](vector<float> x) {
        return std::tuple(where(x > 1, 1, 0), where(x > 1, 0.25, 1), where(x > 1, 1.5F, 0.F), where(x > 1, true, false), where(x > 1, 2U, 1U));
    });
    auto [whole, wide, single, both, plain] = f(array<float, 1>{1, 2});
    CHECK(whole == array<int, 1>{0, 1});
    CHECK(wide == array<double, 1>{1, 0.25});
    CHECK(single == array<float, 1>{0, 1.5F});
    CHECK(both == array<bool, 1>{false, true});
    CHECK(plain == array<std::uint32_t, 1>{1, 2});
}
