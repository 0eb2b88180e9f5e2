// SPDX-License-Identifier: MIT
// What the steps of a function are: products that take up what stands around them, loops that share their passes, memory that
// is used again.
#include <doctest/doctest.h>

#include "plan/steps.hpp"

using namespace plan_tests;

namespace {

using M = matrix<float>;
using V = croton::vector<float>;
using S = scalar<float>;

constexpr auto line = [](M m, M x, M b) { return dot(m, x) + b; };
static_assert(products(line) == 1 && kernels(line) == 0 && plan_for(line).steps[0].beta == 1 && plan_for(line).steps[0].copies);

constexpr auto logistic = [](matrix<float, dim("sample"), dim("feature")> x, croton::vector<float, dim("sample")> y,
                             shared<croton::vector<float, dim("feature")>> w, shared<scalar<float>> b) {
    auto p = 1 / (1 + exp(-dot(x, w) - b));
    auto xent = -y * log(p) - (1 - y) * log(1 - p);
    auto cost = mean(xent) + 0.01 * sum(sqr(w));
    auto [gw, gb] = grad(cost, w, b);
    return outputs(p > 0.5, xent).updates(w -= 0.1 * gw, b -= 0.1 * gb);
};
static_assert(products(logistic) == 2 && kernels(logistic) == 2 && copies(logistic) == 0);

template <template <class, int> class A> struct mlp { A<float, 2> w1; A<float, 1> b1; A<float, 2> w2; A<float, 1> b2; A<float, 2> w3; A<float, 1> b3; };
constexpr auto train = [](matrix<float> x, croton::vector<int> label, shared<mlp<symbol>> net, shared<adam_state<mlp<symbol>>> opt) {
    auto h1 = relu(dot(x, net.w1) + net.b1);
    auto h2 = relu(dot(h1, net.w2) + net.b2);
    auto cost = mean(cross_entropy(dot(h2, net.w3) + net.b3, label));
    return outputs(cost).updates(adam(cost, net, opt, {.learning_rate = 1e-3}));
};

}  // namespace

TEST_CASE("a product plus a matrix is one call") { CHECK(steps(line) == "product beta 1 +copy -> out0"); }

TEST_CASE("logistic regression: two products, one pass, one number") {
    CHECK(steps(logistic) == "product -> tmp0; kernel -> tmp1 tmp2 out0 out1; kernel -> arg3; product alpha ? beta 0.998 -> arg2");
    const auto& p = plan_for(logistic);
    CHECK(p.steps[1].phases == 1);  // the samples are walked along once
    // x is read as it lies by the first product and transposed by the second.
    const auto& first = p.slots[p.steps[0].slot_from];
    const auto& second = p.slots[p.steps[3].slot_from];
    CHECK(first.buffer == second.buffer);
    CHECK((first.axis.at[0] == 0 && first.axis.at[1] == 1));
    CHECK((second.axis.at[0] == 1 && second.axis.at[1] == 0));
}

TEST_CASE("a variance and a layer norm are one step") {
    CHECK(steps([](M x) { return var<1>(x); }) == "kernel -> out0");
    CHECK(steps([](M x) { return stddev<1>(x, ddof(1)); }) == "kernel -> out0");
    CHECK(steps([](M x) { return (x - mean<1>(x, keepdims)) / sqrt(var<1>(x, keepdims) + 1e-5); }) == "kernel -> out0");
}

TEST_CASE("scales and addends belong to the product") {
    CHECK(steps([](M x, V r, shared<V> w, S lr, S l2) { return updates(w -= lr * (dot(transpose(x), r) + l2 * w)); }) == "product alpha ? beta ? -> arg2");
    CHECK(steps([](M a, M b, M c, S alpha, S beta) { return alpha * dot(a, b) + beta * c; }) == "product alpha ? beta ? +copy -> out0");
    CHECK(steps([](M a, M b, M c) { return 2 * dot(transpose(a), b) - 3 * c; }) == "product alpha 2 beta -3 +copy -> out0");
    CHECK(steps([](M a, M b, M c) { return c - dot(a, transpose(b)); }) == "product alpha -1 beta 1 +copy -> out0");
    CHECK(steps([](M a, M b, M c) { return dot(transpose(a), transpose(b)) + transpose(c); }) == "product beta 1 +copy -> out0");
    CHECK(steps([](M a, M b, M c) { return transpose(dot(a, b)) + c; }) == "product beta 1 +copy -> out0");
    CHECK(steps([](M a, M b, shared<M> c) { return updates(update(c, 0.5 * c + dot(a, b))); }) == "product beta 0.5 -> arg2");
    CHECK(steps([](M a, M b, M c, M d) { return dot(a, b) + dot(c, d); }) == "product -> out0; product beta 1 -> out0");
    CHECK(steps([](M a, M b, shared<M> c, M d, M e) { return updates(update(c, c + dot(a, b) + dot(d, e))); }) ==
          "product beta 1 -> arg2; product beta 1 -> arg2");
    CHECK(transposed([](M a, M b) { return dot(transpose(a), b); }, 0));
    CHECK(!transposed([](M a, M b) { return dot(transpose(a), b); }, 1));
    CHECK(transposed([](M a, M b) { return dot(a, transpose(b)); }, 1));
}

TEST_CASE("a product that others read keeps its value") {
    CHECK(steps([](M a, M b, M c) { auto p = dot(a, b); return std::tuple(p, p + c); }) == "product -> out0; kernel -> out1");
    // What an elementwise function reads at once is left to its loop; a row is not a matrix.
    CHECK(steps([](M a, M b, V c) { return relu(dot(a, b) + c); }) == "product -> tmp0; kernel -> out0");
    CHECK(steps([](M a, V x, shared<M> w) { return updates(w += dot(a, x)); }) == "product -> tmp0; kernel -> arg2");
}

TEST_CASE("rows of a softmax and of a normalisation are one kernel") {
    constexpr auto rows = [](M x) { return softmax(x); };
    CHECK(steps(rows) == "kernel -> out0");
    CHECK(plan_for(rows).steps[0].phases == 3);
    CHECK(plan_for(rows).steps[0].outer == 1);
    CHECK(steps([](M x) { auto e = exp(x - max<1>(x, keepdims)); return e / sum<1>(e, keepdims); }) == "kernel -> out0");
    CHECK(steps([](M x) { auto c = x - mean<1>(x, keepdims); return c / sqrt(mean<1>(sqr(c), keepdims) + 1e-5f); }) == "kernel -> out0");
}

TEST_CASE("a pass over rows takes all of their axes") {
    // The product varies along one axis of the row of two; a sum in the pass would take it in once for each of the other.
    constexpr auto part = [](tensor<double, dim("a"), dim("b"), dim("c")> x, tensor<double, dim("a"), 1, dim("c")> v) {
        return sum<0>(sum<1, 2>(x, keepdims) * v);
    };
    CHECK(steps(part) == "kernel -> tmp0; kernel -> out0");
    array<double, 3> x(2, 4, 3), v(2, 1, 3);
    for (double& e : x) e = 1;
    for (double& e : v) e = 2;
    const auto got = function<cpu>(part)(x, v);
    for (const double e : got) CHECK(e == 48);
}

TEST_CASE("reductions take their producers in, siblings share a loop") {
    CHECK(steps([](M x, M y) { return sum<0>(exp(x) * y); }) == "kernel -> out0");
    CHECK(steps([](M x) { return std::tuple(exp(x), sum(x), tanh(x)); }) == "kernel -> out0 out1 out2");
    CHECK(steps([](M x) { return std::tuple(sum<0>(x), sum<1>(x), max(x)); }) == "kernel -> out0 out1 out2");
}

TEST_CASE("a reshape of something computed stores it") {
    CHECK(steps([](matrix<float, 6, 4> x) { return tanh(reshape<4, 6>(exp(x) + sum<1>(x, keepdims))); }) == "kernel -> tmp0; kernel -> out0");
    CHECK(steps([](matrix<float, 6, 4> x) { return tanh(reshape<4, 6>(x)); }) == "kernel -> out0");
    CHECK(steps([](matrix<float, 6, 4> x) { return tanh(reshape<4, 6>(exp(x))); }) == "kernel -> out0");  // the exponential of the reshaped
}

TEST_CASE("updates in place, and those that cannot be") {
    CHECK(steps([](shared<M> x, M g) { return updates(x -= 0.1 * g); }) == "kernel -> arg0");
    CHECK(steps([](shared<M> x) { return updates(x += transpose(x)); }) == "kernel -> tmp0; copy -> arg0");
    CHECK(steps([](shared<M> a) { return updates(update(a, dot(a, a))); }) == "product -> tmp0; copy -> arg0");
    CHECK(steps([](shared<M> x, shared<M> y) { return updates(update(x, y), update(y, x)); }) == "kernel -> tmp0; kernel -> arg0; copy -> arg1");
    CHECK(steps([](M a, shared<M> w) { return updates(w -= dot(transpose(a), dot(a, w))); }) == "product -> tmp0; product alpha -1 beta 1 -> arg1");
}

TEST_CASE("a network of three layers with adam") {
    CHECK(products(train) == 8);
    CHECK(kernels(train) <= 13);
    CHECK(copies(train) == 0);
}
