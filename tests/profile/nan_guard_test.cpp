// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include <croton/croton.hpp>

#include "message_of.hpp"

using namespace croton;
using test::message_of;

namespace {

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();

bool says(const std::string& text, const std::string& part) {
    INFO(text);
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the first step that makes a NaN is named, with what it read") {
    const auto f = function<cpu>("train", [](matrix<float> x, vector<float> w) { return sum(exp(log(dot(x, w)))); });
    const array<float, 2> x{{1, 2}, {3, 4}};
    CHECK(std::isnan(f(x, array<float, 1>{1, -1})));
    nan_guard guard;
    CHECK(f(x, array<float, 1>{1, 1}) == doctest::Approx(10));
    const std::string text = message_of<nan_error>([&] { (void)f(x, array<float, 1>{1, -1}); });
    CHECK(says(text, "train, step 2 of 2"));
    CHECK(says(text, "log("));
    CHECK(says(text, "holds NaN"));
    CHECK(says(text, "from -1 to -1"));
}

TEST_CASE("the argument that it came with is named") {
    const auto f = function<cpu>([](matrix<float> x, vector<float> w) { return dot(named(x, "x"), named(w, "w")); });
    nan_guard guard;
    const std::string text = message_of<nan_error>([&] { (void)f(array<float, 2>{{1, 2}, {3, nan_value}}, array<float, 1>{1, 2}); });
    CHECK(says(text, "holds NaN at [1]"));
    CHECK(says(text, "which holds NaN at [1, 1]; it read"));
    CHECK(says(text, "from 1 to 3"));
    CHECK(says(text, "it came with x"));
}

TEST_CASE("infinities are looked for unless they are allowed") {
    const auto f = function<cpu>([](vector<double> x) { return log(x); });
    const array<double, 1> x{1, 0, 2};
    {
        nan_guard guard;
        CHECK(says(message_of<nan_error>([&] { (void)f(x); }), "-inf at [1]"));
    }
    nan_guard guard{nan_guard::allow_infinities};
    CHECK(message_of<nan_error>([&] { (void)f(x); }).empty());
    CHECK(says(message_of<nan_error>([&] { (void)f(array<double, 1>{1, -2}); }), "NaN at [1]"));
}

TEST_CASE("parameters behind the step are not updated") {
    const auto f = function<cpu>([](vector<float> x, shared<vector<float>> w) {
        const auto cost = sum(cumsum(sqrt(w * x)));
        return outputs(cost).updates(w -= grad(cost, w));
    });
    array<float, 1> w{1, 2};
    nan_guard guard;
    CHECK_FALSE(message_of<nan_error>([&] { (void)f(array<float, 1>{1, -1}, w); }).empty());
    CHECK(w == array<float, 1>{1, 2});
    (void)f(array<float, 1>{1, 1}, w);
    CHECK(w(0) != 1);
}

TEST_CASE("views, empty arrays, integers, halves, sorts, reference") {
    nan_guard guard;
    const auto f = function<cpu>([](matrix<float> x, vector<int> i) { return outputs(exp(x), sum<0>(x), sort<0>(x), i + 1, cast<half>(x), max(x), softmax<1>(x)); });
    const array<float, 2> x{{1, 2, 3}, {4, 5, 6}};
    CHECK(message_of<nan_error>([&] { (void)f(x.transpose(), array<int, 1>{1}); }).empty());
    CHECK(says(message_of<nan_error>([&] { (void)f(array<float, 2>{{1, 2}, {inf, 4}}, array<int, 1>(extents_of<1>{0})); }), "it came with arg1"));
    const auto sums = function<reference>([](matrix<float> a) { return outputs(sum(a), exp(a), matmul(a, transpose(a))); });
    CHECK(message_of<nan_error>([&] { (void)sums(array<float, 2>(extents_of<2>{0, 3})); }).empty());
    CHECK(says(message_of<nan_error>([&] { (void)sums(array<float, 2>{{100}}); }), "exp"));
}

TEST_CASE("batched products and parts of arrays") {
    nan_guard guard;
    const auto f = function<cpu>([](tensor<float, dynamic, dynamic, dynamic> a, matrix<float> b) { return outputs(matmul(a, b), concatenate<0>(log(b), exp(b))); });
    const array<float, 3> a{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
    CHECK(message_of<nan_error>([&] { (void)f(a, array<float, 2>{{1, 2}, {3, 4}}); }).empty());
    array<float, 3> wrong = a;
    wrong(1, 0, 1) = nan_value;
    CHECK(says(message_of<nan_error>([&] { (void)f(wrong, array<float, 2>{{1, 2}, {3, 4}}); }), "holds NaN at [1, 0, 0]"));
    CHECK(says(message_of<nan_error>([&] { (void)f(a, array<float, 2>{{1, 2}, {0, 4}}); }), "-inf"));
}

TEST_CASE("a profile around a guard, and one within it") {
    const auto f = function<cpu>("f", [](vector<double> x) { return log(x); });
    profile around{"around"};
    {
        nan_guard guard;
        (void)f(array<double, 1>{1});
        CHECK_FALSE(message_of<nan_error>([&] { (void)f(array<double, 1>{-1}); }).empty());
        {
            profile within{"within"};
            (void)f(array<double, 1>{2});
            CHECK_FALSE(message_of<nan_error>([&] { (void)f(array<double, 1>{-1}); }).empty());
            CHECK(within.functions()[0].failed == 1);
        }
    }
    (void)f(array<double, 1>{-1});
    const auto functions = around.functions();
    REQUIRE(functions.size() == 1);
    CHECK(functions[0].calls == 5);
    CHECK(functions[0].failed == 2);
}
