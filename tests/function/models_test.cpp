// SPDX-License-Identifier: MIT
// Models as arguments, as results and as what is updated.
#include <doctest/doctest.h>

#include <array>

#include <croton/croton.hpp>

using namespace croton;

namespace {

template <template <class, int> class A> struct dense {
    A<float, 2> weight;
    A<float, 1> bias;
};
template <template <class, int> class A> struct net {
    std::array<dense<A>, 2> hidden;
    dense<A> last;
    A<float, 0> scale;
};

using arrays = net<on<cpu>::array>;

array<float, 2> filled(std::int64_t m, std::int64_t n, float first) {
    array<float, 2> x(m, n);
    for (float& each : x) each = first += 0.25F;
    return x;
}

arrays example() {
    return {{{{filled(3, 4, 0), {1, 2, 3, 4}}, {filled(4, 2, -2), {-1, 1}}}}, {filled(2, 5, 1), {0, 0, 1, 0, 0}}, {0.5F}};
}

template <class X, class N> constexpr auto forward(const X& x, const N& n) {
    auto h = expr<float, 2>(x);
    for (const auto& layer : n.hidden) h = dot(h, layer.weight) + layer.bias;
    return (dot(h, n.last.weight) + n.last.bias) * n.scale;
}

}  // namespace

TEST_CASE("a nested model is one argument") {
    auto f = function<cpu>([](matrix<float> x, net<symbol> n) { return forward(x, n); });
    auto oracle = function<reference>([](matrix<float> x, net<symbol> n) { return forward(x, n); });
    const arrays n = example();
    const array<float, 2> x = filled(6, 3, -1);
    const array<float, 2> y = f(x, n), z = oracle(x, n);
    REQUIRE(y.extent(0) == 6);
    REQUIRE(y.extent(1) == 5);
    for (std::int64_t i = 0; i < y.size(); ++i) CHECK(y.data()[i] == doctest::Approx(z.data()[i]));
}

TEST_CASE("gradients come back as a model, and updates reach every array of one") {
    auto gradients = function<cpu>([](matrix<float> x, net<symbol> n) { return grad(sum(forward(x, n)), n); });
    auto descend = function<cpu>([](matrix<float> x, shared<net<symbol>> n) {
        auto cost = sum(forward(x, n));
        return outputs(cost).updates(sgd(cost, n, {.learning_rate = 0.125}));
    });
    const array<float, 2> x = filled(6, 3, -1);
    const arrays before = example();
    const arrays g = gradients(x, before);
    CHECK(g.last.bias == array<float, 1>{3, 3, 3, 3, 3});
    CHECK(g.hidden[0].weight.extents() == before.hidden[0].weight.extents());

    arrays n = example();
    const array<float, 0> cost = descend(x, n);
    CHECK(cost() != 0);
    const auto moved = [](const auto& now, const auto& then, const auto& gradient) {
        REQUIRE(now.size() == then.size());
        for (std::int64_t i = 0; i < now.size(); ++i)
            CHECK(now.data()[i] == doctest::Approx(then.data()[i] - 0.125F * gradient.data()[i]));
    };
    moved(n.hidden[0].weight, before.hidden[0].weight, g.hidden[0].weight);
    moved(n.hidden[0].bias, before.hidden[0].bias, g.hidden[0].bias);
    moved(n.hidden[1].weight, before.hidden[1].weight, g.hidden[1].weight);
    moved(n.hidden[1].bias, before.hidden[1].bias, g.hidden[1].bias);
    moved(n.last.weight, before.last.weight, g.last.weight);
    moved(n.last.bias, before.last.bias, g.last.bias);
    moved(n.scale, before.scale, g.scale);
}

TEST_CASE("call_into writes into the arrays of a model") {
    auto twice = function<cpu>([](dense<symbol> layer, scalar<float> s) {
        return outputs(dense<symbol>{layer.weight * s, layer.bias * s}, s + 1);
    });
    dense<on<cpu>::array> layer{filled(2, 3, 0), {1, 2, 3}}, out{array<float, 2>(2, 3), array<float, 1>(3)};
    array<float, 0> next;
    const float* weight = out.weight.data();
    twice.call_into(std::tie(out, next), layer, 2);
    CHECK(out.weight.data() == weight);
    CHECK(out.bias == array<float, 1>{2, 4, 6});
    CHECK(next() == 3);
    // Into the argument itself: through a temporary.
    twice.call_into(std::tie(layer, next), layer, 3);
    CHECK(layer.bias == array<float, 1>{3, 6, 9});
    CHECK(layer.weight(1, 2) == 1.5F * 3);
    out.bias = array<float, 1>(4);
    CHECK_THROWS_AS(twice.call_into(std::tie(out, next), layer, 2), shape_error);
}

TEST_CASE("messages name the array of a model") {
    auto f = function<cpu>("forward", [](matrix<float> x, net<symbol> n) { return forward(x, n); });
    arrays wrong = example();
    wrong.hidden[1].bias = array<float, 1>(3);
    CHECK_THROWS_WITH_AS(f(filled(6, 3, 0), wrong), doctest::Contains("forward: argument 2.hidden[1].bias has extent 3 along axis 0"), shape_error);
    auto g = function<cpu>("named", [](matrix<float> x, net<symbol> n) { return forward(named(x, "x"), named(n, "model")); });
    CHECK_THROWS_WITH_AS(g(filled(6, 3, 0), wrong), doctest::Contains("(model.hidden[1].bias) has extent 3 along axis 0"), shape_error);
    CHECK_THROWS_WITH_AS(g(filled(6, 2, 0), example()), doctest::Contains("argument 1 (x) has extent 2 along axis 1"), shape_error);
}

namespace {

template <template <class, int> class A> struct two_layers {
    dense<A> layer[2];
    A<float, 0> scale;
};

}  // namespace

TEST_CASE("a model with a built-in array") {
    auto descend = function<cpu>([](matrix<float> x, shared<two_layers<symbol>> n, shared<adam_state<two_layers<symbol>>> s) {
        expr<float, 2> h = x;
        for (const auto& layer : n.layer) h = tanh(dot(h, layer.weight) + layer.bias);
        auto cost = mean(sqr(h * n.scale - 0.5f));
        return outputs(cost, grad(cost, n)).updates(adam(cost, n, s, {.learning_rate = 0.05}));
    });
    two_layers<on<cpu>::array> n{{{filled(3, 4, 0), {1, 2, 3, 4}}, {filled(4, 2, -2), {-1, 1}}}, {0.5F}};
    auto s = adam_state<two_layers<on<cpu>::array>>::zeros_like(n);
    const array<float, 2> x = filled(6, 3, -1);
    float first = 0, last = 0;
    for (int step = 0; step < 200; ++step) {
        const auto [cost, slope] = descend(x, n, s);
        last = cost;
        if (step == 0) {
            first = last;
            CHECK(slope.layer[1].bias.extent(0) == 2);
        }
    }
    CHECK(last < 0.2F * first);
}
