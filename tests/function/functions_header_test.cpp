// SPDX-License-Identifier: MIT
// What <croton/functions.hpp> promises: a model with a loop, its derivative and its training need no other header.
#include <croton/functions.hpp>

#include <doctest/doctest.h>

#include <tuple>

namespace {

using namespace croton;

template <template <class, int> class A> struct cell {
    A<float, 2> input, recurrent;
    A<float, 1> bias;
};

TEST_CASE("functions.hpp is enough to train a recurrent model") {
    using network = cell<on<cpu>::array>;
    auto step_of = function<cpu>([](tensor<float, dynamic, 4, 3> xs, matrix<float, 4, 2> target, shared<cell<symbol>> net, shared<adam_state<cell<symbol>>> state) {
        auto [last, all] = scan([&](auto h, auto x) {
            auto next = tanh(dot(x, net.input) + dot(h, net.recurrent) + net.bias);
            return step(next, next);
        }, zeros_like(target), xs);
        auto cost = mean(sqr(last - target));
        return outputs(cost).updates(adam(cost, net, state, {.learning_rate = 0.05}));
    });
    array<float, 3> xs(5, 4, 3);
    array<float, 2> target(4, 2);
    for (std::int64_t i = 0; i < xs.size(); ++i) xs.data()[i] = static_cast<float>(i % 7) * 0.25f - 0.75f;
    for (std::int64_t i = 0; i < target.size(); ++i) target.data()[i] = i % 2 == 0 ? 0.5f : -0.5f;
    network net{array<float, 2>(3, 2), array<float, 2>(2, 2), array<float, 1>(2)};
    auto state = adam_state<network>::zeros_like(net);
    const float before = step_of(xs, target, net, state)();
    for (int i = 0; i < 200; ++i) step_of(xs, target, net, state);
    CHECK(before == doctest::Approx(0.25f));
    CHECK(step_of(xs, target, net, state)() < 0.01f * before);
}

}  // namespace
