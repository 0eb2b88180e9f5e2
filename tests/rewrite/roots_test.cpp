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

/// Whether the graph as it runs has a choice.
template <class F> bool is_guarded(const F& f) {
    const std::string text = explain(f);
    return text.find("where(", text.find("graph as it runs")) != std::string::npos;
}

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
