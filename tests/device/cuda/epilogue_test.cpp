// SPDX-License-Identifier: MIT
// Products that take up a bias and a relu or gelu: which loops vanish, what stays, and the numbers, against the reference device.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include <croton/croton.hpp>

#include "device/compare.hpp"
#include "device/emulated_cuda.hpp"

using namespace test;

namespace {

using gpu = emulated_gpu;
using M = matrix<float>;
using V = vector<float>;

/// The steps of a plan: `k` a loop, `p` a product, with `b` for its bias, `r` for its relu and `g` for its gelu; `c` a copy.
template <bool Epilogues, class F> std::string steps(F) {
    std::string text;
    for (const detail::step& s : detail::plan_of<detail::program_of<F, true>, detail::fuses_loops | (Epilogues ? detail::takes_epilogues : 0u)>::get().steps) {
        text += s.what == detail::step_kind::kernel ? "k" : s.what == detail::step_kind::copy ? "c" : "p";
        if (s.biased) text += "b";
        if (s.activation == detail::code<op::relu>) text += "r";
        if (s.activation == detail::code<op::gelu_tanh>) text += "g";
    }
    return text;
}
template <class F> std::string with(F f) { return steps<true>(f); }
template <class F> std::string without(F f) { return steps<false>(f); }

template <template <class, int> class A> struct mlp {
    A<float, 2> w1;
    A<float, 1> b1;
    A<float, 2> w2;
    A<float, 1> b2;
};

template <class Device> auto network() {
    return function<Device>("network", [](M x, vector<int> label, shared<mlp<symbol>> net, shared<adam_state<mlp<symbol>>> state) {
        auto hidden = relu(dot(x, net.w1) + net.b1);
        auto cost = mean(cross_entropy(dot(hidden, net.w2) + net.b2, label));
        return outputs(cost).updates(adam(cost, net, state, {.learning_rate = 1e-2}));
    });
}

}  // namespace

TEST_CASE("which loops a product takes up") {
    const auto layer = [](M x, M w, V b) { return relu(dot(x, w) + b); };
    CHECK(with(layer) == "pbr");
    CHECK(without(layer) == "pk");
    CHECK(with([](M x, M w, V b) { return b + dot(x, transpose(w)); }) == "pb");
    CHECK(with([](M x, M w) { return relu(dot(transpose(x), w)); }) == "pr");
    CHECK(with([](M x, M w, V b) { return dot(x, w) + newaxis<0>(b); }) == "pb");
    CHECK(with([](M x, M w, V b, M v, V c) { return dot(relu(dot(x, w) + b), v) + c; }) == "pbrpb");
    CHECK(with([](M x, M w, V b) { return gelu(dot(x, w) + b, approximate::tanh); }) == "pbg");
    CHECK(with([](M x, M w) { return gelu(dot(x, w), approximate::tanh); }) == "pg");
    CHECK(with([](M x, M w, V b) { return gelu(dot(x, w) + b); }) == "pk");  // cuBLASLt has the other form
    CHECK(with([](M x, M w, V b) { return relu(gelu(dot(x, w) + b, approximate::tanh)); }) == "pk");
    CHECK(without([](M x, M w, V b, M v, V c) { return dot(relu(dot(x, w) + b), v) + c; }) == "pkpk");
    CHECK(with([](matrix<double> x, matrix<double> w, vector<double> b) { return relu(dot(x, w) + b); }) == "pbr");
    // An update in place, and a result that is read again.
    CHECK(with([](shared<M> h, M x, M w, V b) { return updates(update(h, relu(dot(x, w) + b))); }) == "pbr");
    CHECK(with([](M x, M w, V b) {
              auto h = relu(dot(x, w) + b);
              return outputs(h, dot(h, transpose(h)));
          }) == "pbrp");
}

TEST_CASE("which loops stay") {
    // More is computed from the product, in the same loop.
    CHECK(with([](M x, M w, V b) { return exp(dot(x, w) + b); }) == "pk");
    CHECK(with([](M x, M w, V b) { return softmax(dot(x, w) + b); }) == "pk");
    CHECK(with([](M x, M w, V b) {
              auto z = dot(x, w) + b;
              return outputs(z, relu(z));
          }) == "pk");
    CHECK(with([](M x, M w, V b) {
              auto z = dot(x, w);
              return outputs(z, z + b);
          }) == "pk");
    // What is added is no row, or not there yet.
    CHECK(with([](M x, M w, V b) { return relu(dot(x, w) + newaxis<1>(b)); }) == "pk");
    CHECK(with([](M x, M w, V b) { return dot(x, w) + b * 2; }).find('b') == std::string::npos);
    CHECK(with([](M x, M w, scalar<float> b) { return dot(x, w) + b; }) == "pk");
    CHECK(with([](M x, M w, M b) { return dot(x, w) + b; }) == "p");
    CHECK(with([](M x, V w, V b) { return relu(dot(x, w) + b); }) == "pk");
    CHECK(with([](matrix<int> x, matrix<int> w, vector<int> b) { return dot(x, w) + b; }) == "pk");
    // One column that the row repeats.
    CHECK(with([](M x, matrix<float, dynamic, 1> w, V b) { return dot(x, w) + b; }) == "pk");
}

TEST_CASE("products with bias and relu or gelu give the numbers of the loops") {
    const auto layers = [](M x, M w, V b, M v) {
        auto h = relu(dot(x, w) + b);
        return outputs(h, dot(x, w) * 2 + b, relu(dot(h, transpose(v))), -dot(transpose(h), h), gelu(dot(x - 0.5f, w) + b, approximate::tanh), gelu(dot(h + 1, transpose(v)), approximate::tanh));
    };
    auto f = function<gpu>(layers);
    auto g = function<reference>(layers);
    for (const auto& size : {std::array<std::int64_t, 3>{1, 1, 1}, {3, 4, 5}, {33, 7, 64}, {100, 2, 129}, {0, 3, 2}, {3, 0, 2}, {3, 2, 0}}) {
        const std::int64_t m = size[0], k = size[1], n = size[2];
        CAPTURE(m);
        CAPTURE(n);
        const auto x = random_array<float, 2>(1, m, k), w = random_array<float, 2>(2, k, n), v = random_array<float, 2>(4, 6, n);
        const auto b = random_array<float, 1>(3, n);
        const int before = gpu::products_with_epilogue;
        auto [h, s, r, t, u, y] = f(x, w, b, v);
        auto [eh, es, er, et, eu, ey] = g(x, w, b, v);
        CHECK(gpu::products_with_epilogue > before);
        check_close(h, eh, 1e-6);
        check_close(s, es, 1e-6);
        check_close(r, er, 1e-5);
        check_close(t, et, 1e-5);
        check_close(u, eu, 1e-5);
        check_close(y, ey, 1e-5);
    }
    // As relu has it everywhere.
    const float nan = std::numeric_limits<float>::quiet_NaN();
    auto [h, s, r, t, u, y] = f(array<float, 2>{{1}, {nan}}, array<float, 2>{{1, -1}}, array<float, 1>{0, nan}, array<float, 2>(6, 2));
    const auto host = h.to<cpu>();
    CHECK(host(0, 0) == 1);
    CHECK(std::isnan(host(0, 1)));
    CHECK(std::isnan(host(1, 0)));
}

TEST_CASE("a training step finds in the result what it needs of what stood before the relu") {
    mlp<on<cpu>::array> net{random_array<float, 2>(1, 5, 9), random_array<float, 1>(2, 9), random_array<float, 2>(3, 9, 4), random_array<float, 1>(4, 4)};
    auto state = adam_state<mlp<on<cpu>::array>>::zeros_like(net);
    mlp<on<gpu>::array> there{net.w1.to<gpu>(), net.b1.to<gpu>(), net.w2.to<gpu>(), net.b2.to<gpu>()};
    auto there_state = adam_state<mlp<on<gpu>::array>>::zeros_like(there);
    auto train = network<gpu>();
    auto expected = network<reference>();
    const auto x = random_array<float, 2>(5, 40, 5);
    array<int, 1> label(40);
    for (int i = 0; i < 40; ++i) label(i) = i * 7 % 4;
    for (int step = 0; step < 5; ++step)
        CHECK(static_cast<float>(train(x, label, there, there_state)) == doctest::Approx(static_cast<float>(expected(x, label, net, state))).epsilon(1e-5));
    check_close(there.w1, net.w1, 1e-4);
    check_close(there.b1, net.b1, 1e-4);
    check_close(there.w2, net.w2, 1e-4);
    // The logits go into a loop of rows that adds their bias.
    int products = 0, fused = 0;
    for (const detail::step& s : train.plan().steps) {
        products += s.what == detail::step_kind::product ? 1 : 0;
        fused += s.biased && s.activation == detail::code<op::relu> ? 1 : 0;
    }
    CHECK(products == 5);
    CHECK(fused == 1);
}

TEST_CASE("explanations and profiles say it") {
    auto f = function<gpu>("layer", [](M x, M w, V b) { return relu(dot(named(x, "x"), named(w, "w")) + named(b, "b")); });
    CHECK(explain(f).find("step 1  sgemm + bias + relu  output 1 = relu(x w + b)") != std::string::npos);
    profile scope{"layer"};
    f(array<float, 2>(3, 4), array<float, 2>(4, 5), array<float, 1>(5));
    const auto functions = scope.functions();
    REQUIRE(functions.size() == 1);
    REQUIRE(functions[0].steps.size() == 1);
    CHECK(functions[0].steps[0].formula == "output 1 = relu(x w + b)");
    CHECK(functions[0].steps[0].reads.size() == 3);
    CHECK(functions[0].steps[0].working_set == 4 * (12 + 20 + 15 + 5));
    CHECK(functions[0].steps[0].operations == 2 * 60 + 2 * 15);
}
