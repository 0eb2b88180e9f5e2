// SPDX-License-Identifier: MIT
// Single numbers in the launch of a loop with sums: which steps share it, in which order, and that they give the numbers of the reference device.
#include <doctest/doctest.h>

#include <string>

#include <croton/croton.hpp>

#include "device/closing.hpp"
#include "device/emulated_cuda.hpp"

using namespace test;

namespace {

using gpu = emulated_gpu;
using V = vector<float>;
using M = matrix<float>;
using S = scalar<float>;

/// The steps of each launch: `n` numbers, `l` another loop, `.` a product or a copy; those of one launch in parentheses.
template <class Device = gpu, class F> std::string launches(F) {
    const auto& steps = detail::plan_holder<Device, F>::value().steps;
    std::string text;
    for (int i = 0; i < steps.size(); ++i) {
        const detail::step& s = steps[i];
        if (s.together > 1) text += "(";
        text += s.what != detail::step_kind::kernel ? "." : s.phases == 0 && s.outer == 0 ? "n" : "l";
        if (s.together == 0 && (i + 1 == steps.size() || steps[i + 1].together != 0)) text += ")";
    }
    return text;
}

}  // namespace

TEST_CASE("which numbers close a loop") {
    CHECK(launches([](V x) { return sqrt(sum(x)) + 1; }) == "(ln)");
    // What waits for nothing is not in front.
    CHECK(launches([](V x, S s, S t) { return outputs(exp(s * t), sum(x)); }) == "(ln)");
    CHECK(launches([](M a, V x, S s, S t) {
              auto scaled = exp(s * t);
              auto total = sum(exp(dot(a, x)));
              return outputs(total / 3, dot(transpose(a), x) * scaled);
          }).find("n(") == std::string::npos);
    // It is where the loop itself reads it, or what the loop is made of.
    CHECK(launches([](V x, S s, S t) {
              auto scaled = exp(s * t) + 1;
              return outputs(scaled, sum(x * scaled));
          }) == "nl");
    // Loops that only store have no last block.
    CHECK(launches([](V x, S s, S t) { return outputs(exp(s * t), exp(x)); }).find("(") == std::string::npos);
    // What reads a parameter is in front of what changes it.
    CHECK(launches([](shared<S> n, V x, V y) {
              auto total = sum(x);
              return outputs(exp(y * n), total).updates(n += total);
          }).back() != ')');
    CHECK(launches<cpu>([](V x) { return sqrt(sum(x)) + 1; }) == "ln");
}

TEST_CASE("loops with sums and what closes them, of all sizes") {
    const int before = gpu::platform::processors_;
    for (const int processors : {1, 3, 20}) {
        CAPTURE(processors);
        gpu::platform::processors_ = processors;
        check_closing<gpu>(20'000);
    }
    gpu::platform::processors_ = before;
    // In the last block, and behind sums that end in a launch.
    CHECK(gpu::platform::closed_launches[1] > 0);
    CHECK(gpu::platform::closed_launches[0] > 0);
}

TEST_CASE("explanations say it") {
    auto f = function<gpu>("mean", [](V x) { return sqrt(sum(x * 2)) + 1; });
    const std::string text = explain(f);
    CHECK(text.find("in one launch with the next step") != std::string::npos);
    CHECK(text.find("single numbers, in the same launch") != std::string::npos);
    profile scope{"mean"};
    (void)f(array<float, 1>(5));
    REQUIRE(scope.functions().size() == 1);
    CHECK(scope.functions()[0].kernels == 1);
}
