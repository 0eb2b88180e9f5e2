// SPDX-License-Identifier: MIT
// Reads a profile and acts on it: one step of logistic regression, first as it came to mind, then as the profile says.
#include <croton/croton.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>

using namespace croton;

namespace {

constexpr std::int64_t samples = 4000, features = 784;

// The samples are centred, and because more digits seem safer, all is computed in double.
auto make_first() {
    return function<cpu>("first", [](matrix<float, dim("sample"), dim("feature")> x, vector<float, dim("sample")> y,
                                     shared<vector<float, dim("feature")>> w) {
        auto wide = cast<double>(named(x, "x"));
        auto centred = wide - mean<0>(wide);
        auto p = sigmoid(dot(centred, cast<double>(named(w, "w"))));
        auto cost = mean(binary_cross_entropy(p, cast<double>(named(y, "y"))));
        return outputs(cast<float>(cost)).updates(w -= 0.1f * grad(cost, w));
    });
}

// In float, and (x - mean) w as x w - mean w: nothing as large as x is written.
auto make_second() {
    return function<cpu>("second", [](matrix<float, dim("sample"), dim("feature")> x, vector<float, dim("sample")> y,
                                      vector<float, dim("feature")> means, shared<vector<float, dim("feature")>> w) {
        auto p = sigmoid(dot(named(x, "x"), named(w, "w")) - dot(named(means, "means"), w));
        auto cost = mean(binary_cross_entropy(p, named(y, "y")));
        return outputs(cost).updates(w -= 0.1f * grad(cost, w));
    });
}

}  // namespace

int main() {
    array<float, 2> x(samples, features);
    array<float, 1> y(samples), w(features);
    random::uniform(x, 1);
    random::bernoulli(y, 2);

    constexpr int steps = 20;
    auto first = make_first();
    auto second = make_second();
    auto means = function<cpu>("means", [](matrix<float> v) { return mean<0>(v); });
    const array<float, 1> centre = means(x);
    array<float, 0> cost;

    const auto run = [&](const char* name, auto&& step) {
        w.fill(0);
        step();  // the first call finds memory and sizes
        profile scope{name};
        for (int i = 0; i < steps; ++i) step();
        return scope.data();
    };
    const profile_data before = run("first try", [&] { first.call_into(cost, x, y, w); });
    const float first_cost = cost();
    const profile_data after = run("second try", [&] { second.call_into(cost, x, y, centre, w); });

    const auto print = [](const profile_data& d) {
        const function_profile& f = d.functions.at(0);
        std::printf("%s: %.2f ms a step\n", f.name.c_str(), static_cast<double>(f.time / f.calls) / 1e6);
        for (const step_profile& s : f.steps)
            if (s.time * 100 > f.time)
                std::printf("  %3lld%% %8.1f KB  %-11s %-6s  %s\n", static_cast<long long>(100 * s.time / f.time),
                            static_cast<double>(s.working_set) / 1024, s.kind.c_str(), s.element.c_str(), s.formula.c_str());
        for (const profile_tip& t : d.tips)
            std::printf("  %s: %s, %s\n", t.id.c_str(), t.where.c_str(), t.evidence.c_str());
    };
    print(before);
    print(after);
    std::printf("the cost differs by %s than 1e-4, and a step is %.1f times as fast\n",
                std::abs(first_cost - cost()) < 1e-4f ? "less" : "more",
                static_cast<double>(before.functions[0].time) / static_cast<double>(after.functions[0].time));
}
