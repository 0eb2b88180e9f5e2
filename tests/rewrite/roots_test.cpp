// SPDX-License-Identifier: MIT
// A root that is guarded for its derivative's sake is a plain one where nobody takes that.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

namespace {

using V = croton::vector<double, dim("n")>;

constexpr auto guarded = [](auto x, auto at_zero) {
    const auto none = x == 0;
    return where(none, at_zero, sqrt(where(none, 1, x)));
};

/// The graph as it runs, and its plan.
template <class F> std::string as_it_runs(const F& f) {
    const std::string text = explain(f);
    return text.substr(text.find("graph as it runs"));
}
/// Whether the graph as it runs has a choice.
template <class F> bool is_guarded(const F& f) { return as_it_runs(f).find("where(") != std::string::npos; }

}  // namespace

TEST_CASE("the root of what is at least 0, and no other") {
    CHECK_FALSE(is_guarded(function([](V x) { return x / norm(x); })));
    CHECK_FALSE(is_guarded(function([](V x) { return guarded(abs(x), 0); })));
    CHECK(is_guarded(function([](V x) { return guarded(x, 0); })));  // of -0 it is -0, and below no number
    CHECK(is_guarded(function([](V x) { return guarded(abs(x), 1); })));
    CHECK(eval(norm(array<double, 1>{0, 0})) == 0);
    CHECK(eval(norm(array<double, 1>{3, -4})) == 5);
    CHECK(std::isnan(eval(norm(array<double, 1>{NAN, 1}))));
}

TEST_CASE("a vector over its length is one over the root of its squares") {
    const std::string by_length = as_it_runs(function([](V x) { return x / norm(x); }));
    CHECK(by_length == as_it_runs(function([](V x) { return x / sqrt(sum(sqr(x))); })));
    CHECK(by_length.find("(1 / sqrt(") != std::string::npos);
    const auto rows = as_it_runs(function([](matrix<float> x) { return x / norm<1>(x, keepdims); }));
    CHECK(rows.find("(1 / sqrt(") != std::string::npos);
    // Where each element has a root of its own, a quotient is the shorter way.
    CHECK(as_it_runs(function([](V x, V y) { return x / guarded(abs(y), 0); })).find("(1 / ") == std::string::npos);
}

TEST_CASE("a vector over its length, to two last digits") {
    for (const float scale : {1e-18f, 1e-3f, 1.f, 3e17f})
        for (int n = 1; n <= 70; ++n) {
            array<float, 1> x(n);
            double squares = 0;
            for (int i = 0; i < n; ++i) {
                x(i) = scale * static_cast<float>(i % 7 - 3 + 0.37 * i / n);
                squares += static_cast<double>(x(i)) * x(i);
            }
            const array<float, 1> y = x / norm(x);
            for (int i = 0; i < n; ++i) {
                const double expected = x(i) / std::sqrt(squares);
                CHECK(std::abs(y(i) - expected) <= 4 * 6e-8 * std::abs(expected));
            }
        }
    CHECK(std::isnan(eval(array<float, 1>{0, 0} / norm(array<float, 1>{0, 0}))(0)));
}

TEST_CASE("with its derivative, which is 0 where the root is") {
    const auto both = function([](V x) {
        const auto length = norm(x);
        return std::tuple(length, grad(length, x));
    });
    const auto [length, slope] = both(array<double, 1>{0, 0});
    CHECK(length == 0);
    CHECK(slope(0) == 0);
    CHECK(slope(1) == 0);
}
