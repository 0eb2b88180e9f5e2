// SPDX-License-Identifier: MIT
// The program of W9, for its benchmark and for what it costs to compile. Of croton it includes nothing: by which header it comes is one of the questions.
#ifndef CROTON_BENCH_W9_STEP_HPP
#define CROTON_BENCH_W9_STEP_HPP

#include <tuple>

namespace bench {

template <template <class, int> class A> struct lstm {
    A<float, 2> embedding, input, recurrent;
    A<float, 1> bias;
    A<float, 2> output;
    A<float, 1> output_bias;
};

/// A step of training on letters [Turns,Texts]: embedding, a layer, an output layer, softmax cross-entropy of all letters, Adam.
template <int Turns, int Texts> auto lstm_step() {
    using namespace croton;
    return function<cpu>("lstm", [](matrix<int, Turns, Texts> read, matrix<int, Turns, Texts> next, shared<lstm<symbol>> net,
                                    shared<adam_state<lstm<symbol>>> state) {
        auto x = take<0>(net.embedding, read);
        auto nothing = zeros_like(x(0));
        auto [last, hidden] = scan([&](auto known, auto xt) {
            auto [h, c] = known;
            auto gate = split<1, 4>(dot(xt, net.input) + dot(h, net.recurrent) + net.bias);
            auto cell = sigmoid(gate[1]) * c + sigmoid(gate[0]) * tanh(gate[2]);
            auto shown = sigmoid(gate[3]) * tanh(cell);
            return step(std::tuple(shown, cell), shown);
        }, std::tuple(nothing, nothing), x);
        auto cost = mean(cross_entropy(matmul(hidden, net.output) + net.output_bias, next));
        return outputs(cost).updates(adam(cost, net, state, {.learning_rate = 1e-3}));
    });
}

}  // namespace bench

#endif
