// SPDX-License-Identifier: MIT
// Logistic regression under the profiler: the report as text, and the same as JSON, as a time line and as two drawings.
//   04_profile [folder]     writes profile.json, trace.json, plan.dot and calls.dot into the folder, or where it stands
#include <croton/croton.hpp>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <tuple>

using namespace croton;

namespace {

constexpr int samples = 400, features = 784, steps = 200;

// Each label tells on which side of a plane the sample lies.
void load(view<float, 2> x, view<float, 1> y) {
    array<float, 1> plane(features);
    random::uniform(plane, 1, -1, 1);
    random::uniform(x, 2, -1, 1);
    for (int i = 0; i < samples; ++i) {
        double side = 0;
        for (int j = 0; j < features; ++j) side += static_cast<double>(plane(j)) * static_cast<double>(x(i, j));
        y(i) = side > 0 ? 1.0f : 0.0f;
    }
}

void run(const std::filesystem::path& folder) {
    auto train = function<cpu>("train", [](matrix<float, dim("sample"), dim("feature")> x,
                                           vector<float, dim("sample")> y, shared<vector<float, dim("feature")>> w,
                                           shared<scalar<float>> b) {
        named(x, "x"), named(y, "y"), named(w, "w"), named(b, "b");
        auto p = 1 / (1 + exp(-dot(x, w) - b));
        auto xent = -y * log(p) - (1 - y) * log(1 - p);
        auto cost = mean(xent) + 0.01 * sum(sqr(w));
        auto [gw, gb] = grad(cost, w, b);
        return outputs(p > 0.5, xent).updates(w -= 0.1 * gw, b -= 0.1 * gb);
    });
    auto predict = function<cpu>("predict", [](matrix<float> x, vector<float> w, scalar<float> b) {
        return dot(named(x, "x"), named(w, "w")) + named(b, "b") > 0;
    });

    // One report of the whole program. A file that cannot be written is an error here, before anything has run.
    profile whole{"logistic regression",   std::cout,
                  json_file{folder / "profile.json"}, trace_file{folder / "trace.json"},
                  dot_file{folder / "plan.dot"},      call_graph_file{folder / "calls.dot"}};

    array<float, 2> x(samples, features);
    array<float, 1> y(samples), w(features);
    array<float, 0> b;
    {
        region r{"load data"};
        load(x, y);
    }
    {
        region r{"train"};
        array<bool, 1> prediction(samples);
        array<float, 1> error(samples);
        for (int step = 0; step < steps; ++step) train.call_into(std::tie(prediction, error), x, y, w, b);
    }
    {
        // A profile within the profile: its own data, and a part of the whole.
        profile evaluation{"evaluate"};
        const array<bool, 1> prediction = predict(x, w, b);
        int right = 0;
        for (int i = 0; i < samples; ++i) right += prediction(i) == (y(i) == 1) ? 1 : 0;
        const function_profile f = evaluation.functions().front();
        std::printf("%d of %d samples are told right, by \"%s\" in %zu steps\n\n", right, samples, f.name.c_str(),
                    f.steps.size());
        std::fflush(stdout);
    }
    whole.finish();  // the end of the C++ scope does the same, but tells nobody of a full disk
}

}  // namespace

int main(int argc, char** argv) {
    try {
        run(argc > 1 ? argv[1] : ".");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
