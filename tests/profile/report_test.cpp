// SPDX-License-Identifier: MIT
// The report as text, to the letter: with a clock that ticks at each reading every number in it is known.
#include <doctest/doctest.h>

#include <fstream>
#include <regex>
#include <sstream>
#include <string>

#include "profile/profile.hpp"

using namespace croton;

namespace {

/// What loops and products run on depends on how the test was built.
std::string without_types(std::string text) {
    return std::regex_replace(text, std::regex("  (SIMD|BLAS|loop)  "), "  type  ");
}

}  // namespace

TEST_CASE("the whole report") {
    auto train = function<cpu>("train", [](matrix<float, dim("sample"), dim("feature")> x, vector<float, dim("sample")> y,
                                           shared<vector<float, dim("feature")>> w) {
        auto p = sigmoid(dot(named(x, "x"), named(w, "w")));
        auto cost = mean(binary_cross_entropy(p, named(y, "y")));
        return outputs(p, cost).updates(w -= 0.1f * grad(cost, w));
    });
    auto total = function<cpu>("total", [](vector<double> v) { return sum(v * v); });
    // By columns, so that its steps are no pass, which is timed by the clock of the system.
    array<float, 2> columns(784, 400);
    const auto x = columns.transpose();
    array<float, 1> y(400), w(784);
    support::ticking_profile scope{"training"};
    for (int i = 0; i < 3; ++i) {
        region r{"epoch"};
        train(x, y, w);
    }
    total(array<double, 1>(1000));
    profile_data data = scope.data<support::round_machine>();
    data.threads = data.blas_threads = 2;
    data.blas = "OpenBLAS 0.3.21 (Haswell)";
    data.own_products = true;
    data.counters = {};
    data.counters.note = "not here";
    data.tips.clear();
    const std::string text = detail::text_report<>(data).text();
    std::ifstream file("profile/report.txt");
    std::stringstream expected;
    expected << file.rdbuf();
    CHECK(without_types(text) == expected.str());
}

TEST_CASE("bytes and operations of the steps, from the sizes of each call") {
    auto f = function<cpu>("f", [](matrix<float> x, vector<float> v) {
        auto u = dot(x, v);
        return std::tuple(u, softmax(x), sum<0>(x));
    });
    support::ticking_profile scope{"sizes"};
    f(array<float, 2>(10, 20), array<float, 1>(20));
    const function_profile once = scope.functions().at(0);
    f(array<float, 2>(30, 40), array<float, 1>(40));
    const function_profile twice = scope.functions().at(0);
    CHECK(once.shapes_seen == 1);
    CHECK(twice.shapes_seen == 2);
    bool product = false, rows = false;
    for (std::size_t s = 0; s < once.steps.size(); ++s) {
        const step_profile &a = once.steps[s], &b = twice.steps[s];
        if (a.kind == "gemv") {
            product = true;
            CHECK(a.shape == "10 x 20");
            CHECK(b.shape == "30 x 40");
            CHECK(a.operations == 2 * 10 * 20);
            CHECK(b.operations - a.operations == 2 * 30 * 40);
            CHECK(a.bytes == 4 * (10 * 20 + 20 + 10));
            CHECK(b.bytes - a.bytes == 4 * (30 * 40 + 40 + 30));
            CHECK(b.working_set == 4 * (30 * 40 + 40 + 30));
            CHECK(b.written == 4 * 30);
        }
        if (a.kind == "rows") {
            rows = true;
            // x is read once and the softmax written once, however many passes there are.
            CHECK(a.bytes >= 4 * 2 * 10 * 20);
            CHECK(a.bytes <= 4 * (2 * 10 * 20 + 20));
        }
    }
    CHECK(product);
    CHECK(rows);
}

TEST_CASE("a report of nothing, and names that would break a format") {
    support::ticking_profile scope{"100% {of} \"nothing\"\\n %s %n"};
    profile_data data = scope.data<support::round_machine>();
    const std::string text = detail::text_report<>(data).text();
    CHECK(text.find("Profile of \"100% {of} \"nothing\"\\n %s %n\"\n") == 0);
    CHECK(text.find("Time in 0 calls of 0 functions") != std::string::npos);
    CHECK(text.find("None: nothing in this profile asks for a change.") != std::string::npos);
}
