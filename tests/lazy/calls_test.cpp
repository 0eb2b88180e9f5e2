// SPDX-License-Identifier: MIT
// Expressions beside compiled functions, gradients and updates; the lines that explanations and profiles name.
#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>

#include <croton/croton.hpp>

#include "profile/profile.hpp"

using namespace croton;

namespace {

auto make_train() {
    return function<cpu>("train", [](matrix<float> x, vector<float> y, shared<vector<float>> w, scalar<float> rate) {
        auto cost = mean(sqr(dot(x, w) - y));
        return outputs(cost).updates(w -= rate * grad(cost, w));
    });
}

int trace(std::string_view line) { return static_cast<int>(line.size()); }
std::string pad(std::string_view line, int to) { return std::string(line) + std::string(static_cast<std::size_t>(to) - line.size(), '.'); }
double sum(double a, double b) { return a + b; }
template <class... N> int prod(N...) { return sizeof...(N); }

}  // namespace

TEST_CASE("functions of the same names stay those of a program where no array is") {
    const std::string line = "abc";
    CHECK(trace(line) == 3);
    CHECK(trace("ab") == 2);
    CHECK(pad(line, 5) == "abc..");
    CHECK(sum(1, 2) == 3);
    CHECK(prod(1, 2.5) == 2);
    CHECK(trace(array<float, 2>{{1, 2}, {3, 4}}) == 5);
}

TEST_CASE("functions called with expressions evaluate them") {
    const auto f = function<cpu>([](vector<float> a, vector<float> b, scalar<float> s) { return outputs(a + s * b, sum(a)); });
    const array<float, 1> a{1, 2, 3}, b{3, 2, 1};
    const auto [value, total] = f(a * 2, -b, sum(a));
    CHECK(value == array<float, 1>{-16, -8, 0});
    CHECK(static_cast<float>(total) == 12);
    array<float, 1> to(3);
    array<float, 0> sum_to;
    f.call_into(std::tie(to, sum_to), to + 1, b(slice(none, none, -1)) * 1, 2);
    CHECK(to == array<float, 1>{3, 5, 7});
    // And give arrays to expressions.
    to = std::get<0>(f(a, b, 1)) * 10 - a;
    CHECK(to == array<float, 1>{39, 38, 37});
    const auto on_reference = function<reference>([](vector<float> v) { return cumsum<0>(v); });
    CHECK(on_reference(a * b) == array<float, 1>{3, 7, 10});
}

TEST_CASE("gradients and updates beside expressions") {
    const auto train = make_train();
    const array<float, 2> x{{1, 0}, {0, 1}, {1, 1}};
    const array<float, 1> wanted{1, -2};
    array<float, 1> w(2);
    float cost = 0;
    for (int i = 0; i < 300; ++i) cost = train(x * 2, dot(x * 2, wanted), w, 0.1f + 0.05f * static_cast<float>(min(w * 0)));
    CHECK(cost < 1e-6f);
    CHECK(allclose(w, wanted, 1e-3, 1e-3));
    // The same by hand, where it stands: a gradient of a function, an update of an expression.
    const auto slope = function<cpu>([](matrix<float> m, vector<float> y, vector<float> v) { return grad(mean(sqr(dot(m, v) - y)), v); });
    array<float, 1> v(2);
    for (int i = 0; i < 300; ++i) v -= 0.1f * slope(x * 2, dot(x * 2, wanted), v);
    CHECK(allclose(v, w, 1e-3, 1e-3));
}

TEST_CASE("the line where an expression stands") {
    const array<float, 1> a{1, 2}, b{3, 4};
    const std::string text = explain(a * exp(b)); const unsigned line = __LINE__;
    CHECK(text.starts_with("calls_test.cpp:" + std::to_string(line) + ": function \"a * exp(b)\" on cpu"));
    support::ticking_profile scope{"expressions"};
    const auto value = eval(a * exp(b)); const unsigned evaluated = __LINE__;
    array<float, 1> y(2);
    y = a * exp(b);
    CHECK(y == value);
    REQUIRE(scope.functions().size() == 1);
    CHECK(scope.functions()[0].name == "a * exp(b)");
    CHECK(scope.functions()[0].calls == 2);
    bool found = false;
    for (const auto& node : scope.data().tree) found = found || node.name == "calls_test.cpp:" + std::to_string(evaluated);
    CHECK(found);
}
