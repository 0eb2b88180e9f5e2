// SPDX-License-Identifier: MIT
// The derivative of parts of an array is its pieces joined, also where only the call knows their extents.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include <croton/croton.hpp>

using namespace croton;

namespace {

constexpr auto gates = [](matrix<double> x) {
    auto g = split<1, 3>(x);
    auto cost = sum(g[0] * g[1] * g[1] + exp(g[2]));
    return outputs(cost, grad(cost, x));
};
constexpr auto ends = [](vector<double> x) {
    auto cost = sum(sqr(x(slice(2, none)))) + 3 * sum(x(slice(0, 2)));
    return outputs(cost, grad(cost, x));
};
constexpr auto some_of_it = [](vector<double, 6> x) {
    auto cost = sum(sqr(x(slice(4, 5)))) + 3 * sum(x(slice(1, 3)));
    return outputs(cost, grad(cost, x));
};
constexpr auto neighbours = [](vector<double> x) {
    auto cost = sum(x(slice(1, none)) * x(slice(0, -1)));
    return outputs(cost, grad(cost, x));
};
constexpr auto both_axes = [](matrix<double, 2, 2> x) {
    auto cost = sum(exp(x(0))) + sum(sqr(x(slice(), 1)));
    return outputs(cost, grad(cost, x));
};

template <class F> std::string plan_of(const F& f) {
    const std::string text = explain(f);
    return text.substr(text.find("plan:"));
}
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("parts of one extent") {
    auto f = function<cpu>(gates);
    const std::string plan = plan_of(f);
    CHECK(has(explain(f), "pieces among zeros are joined, not added"));
    CHECK(!has(plan, " = 0\n"));
    CHECK(has(plan, "plan: 1 step"));
    for (const int n : {0, 1, 4}) {
        array<double, 2> x(2, 3 * n);
        for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = std::sin(static_cast<double>(i));
        const auto [cost, slope] = f(x);
        REQUIRE(slope.size() == x.size());
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < n; ++j) {
                CHECK(slope(i, j) == doctest::Approx(x(i, n + j) * x(i, n + j)));
                CHECK(slope(i, n + j) == doctest::Approx(2 * x(i, j) * x(i, n + j)));
                CHECK(slope(i, 2 * n + j) == doctest::Approx(std::exp(x(i, 2 * n + j))));
            }
    }
    CHECK_THROWS_AS(f(array<double, 2>(2, 4)), shape_error);
}
TEST_CASE("what slices of an array that may be short leave") {
    auto f = function<cpu>(ends);
    for (const int n : {0, 1, 2, 3, 7}) {
        array<double, 1> x(n);
        for (int i = 0; i < n; ++i) x(i) = i + 1;
        const auto [cost, slope] = f(x);
        REQUIRE(slope.size() == n);
        for (int i = 0; i < n; ++i) CHECK(slope(i) == (i < 2 ? 3 : 2 * x(i)));
    }
}
TEST_CASE("zeros between the pieces, and pieces that lie on each other") {
    const array<double, 1> x = {1, 2, 3, 4, 5, 6};
    CHECK(std::get<1>(function<cpu>(some_of_it)(x)) == array<double, 1>{0, 3, 3, 0, 10, 0});
    CHECK(std::get<1>(function<cpu>(neighbours)(x)) == array<double, 1>{2, 4, 6, 8, 10, 5});
    const auto [cost, slope] = function<cpu>(both_axes)(array<double, 2>{{0, 0}, {3, 4}});
    CHECK(slope == array<double, 2>{{1, 1}, {0, 8}});
}
