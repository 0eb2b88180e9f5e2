// SPDX-License-Identifier: MIT
// Loops that share a launch: which do, and that they give the numbers of the reference device, for all sizes and in place.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include <croton/croton.hpp>

#include "device/emulated_cuda.hpp"
#include "device/joint.hpp"

using namespace test;

namespace {

using gpu = emulated_gpu;
using V = vector<float>;
using M = matrix<float>;
using C = tensor<float, dynamic, dynamic, dynamic>;

/// How many loops each launch runs, `.` for a product or a copy.
template <class Device = gpu, class F> std::string launches(F) {
    std::string text;
    for (const detail::step& s : detail::plan_holder<Device, F>::value().steps)
        if (s.what != detail::step_kind::kernel) text += ".";
        else if (s.together > 0) text += std::to_string(s.together);
    return text;
}

template <template <class, int> class A> struct net {
    A<float, 2> w1;
    A<float, 1> b1;
    A<float, 2> w2;
    A<float, 1> b2;
    A<float, 0> scale;
};

const auto training = [](M x, vector<int> label, shared<net<symbol>> p, shared<adam_state<net<symbol>>> state, scalar<float> rate) {
    auto hidden = tanh(dot(x, p.w1) + p.b1);
    auto cost = mean(cross_entropy((dot(hidden, p.w2) + p.b2) * p.scale, label));
    return outputs(cost).updates(adam(cost, p, state, {.learning_rate = rate}));
};

}  // namespace

TEST_CASE("which loops share a launch") {
    // One kernel on arrays that have nothing in common but a number.
    CHECK(launches([](V a, V b, scalar<float> s) { return outputs(exp(a) * s, exp(b) * s); }) == "2");
    CHECK(launches([](V a, M b, C c) { return outputs(exp(a), exp(b), exp(c)); }) == "3");
    CHECK(launches([](V a, V b) { return outputs(exp(a), log(b)); }) == "11");
    CHECK(launches([](V a, vector<double> b) { return outputs(exp(a), exp(b)); }) == "11");
    CHECK(launches([](V a, V b) { return outputs(a * 2, b * 3); }) == "11");
    // A device on which a launch costs nothing has one each.
    CHECK(launches<cpu>([](V a, V b) { return outputs(exp(a), exp(b)); }) == "11");
    // One waits for the other, itself or through a product.
    CHECK(launches([](M a, M b) {
              auto first = exp(a);
              return outputs(first, exp(dot(first, b)));
          }) == "1.1");
    CHECK(launches([](M a, M b, M c) {
              auto first = exp(a);
              return outputs(first, exp(dot(first, b)), exp(c));
          }) == "2.1");
    // Sums and rows keep their own.
    CHECK(launches([](V a, V b) { return outputs(sum(exp(a)), sum(exp(b))); }) == "11");
    CHECK(launches([](M a, M b) { return outputs(softmax(a), softmax(b)); }) == "11");
    // What is read before it is overwritten.
    CHECK(launches([](shared<V> a, shared<V> b) { return updates(update(a, exp(a)), update(b, exp(b))); }) == "2");
    CHECK(launches([](shared<M> a, shared<M> b, M c) { return outputs(dot(c, a)).updates(update(a, exp(a)), update(b, exp(b))); }) == ".2");
}

TEST_CASE("the updates of all parameters are one launch") {
    const auto& plan = detail::plan_holder<gpu, std::remove_const_t<decltype(training)>>::value();
    int most = 0, followers = 0;
    for (const detail::step& s : plan.steps) {
        most = std::max(most, s.together);
        followers += s.together == 0 ? 1 : 0;
    }
    CHECK(most == 4);
    // The others of that launch, and the numbers that close the loop of the cost.
    CHECK(followers == 4);

    const auto model = net<on<cpu>::array>{random_array<float, 2>(1, 7, 33), random_array<float, 1>(2, 33), random_array<float, 2>(3, 33, 5), random_array<float, 1>(4, 5),
                                           array<float, 0>(1.5f)};
    auto host = model;
    auto there = net<on<gpu>::array>{host.w1.to<gpu>(), host.b1.to<gpu>(), host.w2.to<gpu>(), host.b2.to<gpu>(), host.scale.to<gpu>()};
    auto host_state = adam_state<net<on<cpu>::array>>::zeros_like(host);
    auto there_state = adam_state<net<on<gpu>::array>>::zeros_like(there);
    const auto x = random_array<float, 2>(5, 20, 7);
    array<int, 1> label(20);
    for (int i = 0; i < 20; ++i) label(i) = i * 3 % 5;
    auto on_gpu = function<gpu>(training);
    auto on_host = function<reference>(training);
    for (int step = 0; step < 4; ++step) {
        const auto launched = gpu::platform::joint_launches;
        const float cost = on_gpu(x, label, there, there_state, 0.01f / static_cast<float>(step + 1));
        CHECK(gpu::platform::joint_launches == launched + 1);
        CHECK(cost == doctest::Approx(static_cast<float>(on_host(x, label, host, host_state, 0.01f / static_cast<float>(step + 1)))).epsilon(1e-5));
    }
    check_close(there.w1, host.w1, 1e-3);
    check_close(there.b1, host.b1, 1e-3);
    check_close(there.w2, host.w2, 1e-3);
    check_close(there.b2, host.b2, 1e-3);
    check_close(there.scale, host.scale, 1e-3);
}

TEST_CASE("members of any size, wide and narrow, empty and strided") {
    const int before = gpu::platform::processors_;
    for (const int processors : {1, 3, 100}) {
        CAPTURE(processors);
        gpu::platform::processors_ = processors;
        check_joint_sizes<gpu>();
    }
    gpu::platform::processors_ = before;
}

TEST_CASE("more members than one launch has arguments for") {
    const auto before = gpu::platform::joint_launches;
    check_many_members<gpu, 10>();
    CHECK(gpu::platform::joint_launches == before + 1);
    check_many_members<gpu, 150>();
    CHECK(gpu::platform::joint_launches > before + 2);
}

TEST_CASE("explanations and profiles say it") {
    auto f = function<gpu>("both", [](V a, M b) { return outputs(exp(a), exp(b)); });
    const std::string text = explain(f);
    CHECK(text.find("loop over [n1], in one launch with the next step; reads") != std::string::npos);
    CHECK(text.find("loop over [n2, n3], in the same launch; reads") != std::string::npos);
    profile scope{"both"};
    f(array<float, 1>(5), array<float, 2>(3, 4));
    const auto functions = scope.functions();
    REQUIRE(functions.size() == 1);
    CHECK(functions[0].kernels == 1);
    REQUIRE(functions[0].steps.size() == 2);
    const auto& first = functions[0].steps[0];
    const auto& second = functions[0].steps[1];
    CHECK(first.together == 2);
    CHECK(first.calls == 1);
    CHECK(first.shape == "5");
    CHECK(first.working_set == 4 * 2 * (5 + 12));
    CHECK(first.operations == 5 + 12);
    CHECK(second.together == 0);
    CHECK(second.calls == 0);
    CHECK(second.shape == "3 x 4");
    CHECK(second.working_set == 0);
    const std::string report = scope.report();
    CHECK(report.find("(one launch with step 2)") != std::string::npos);
    CHECK(report.find("steps: 2, of them kernels: 1") != std::string::npos);
}
