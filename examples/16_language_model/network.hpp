// SPDX-License-Identifier: MIT
// A language model of letters: two layers of LSTM between a table of letters and the odds of the next one.
#ifndef LANGUAGE_MODEL_NETWORK_HPP
#define LANGUAGE_MODEL_NETWORK_HPP

#include <croton/croton.hpp>

#include <tuple>

namespace language_model {

using namespace croton;

inline constexpr int width = 256, side_by_side = 32, at_once = 64, written_at_once = 400;

template <template <class, int> class A> struct lstm_layer {
    A<float, 2> input, recurrent;
    A<float, 1> bias;
};
template <template <class, int> class A> struct network {
    A<float, 2> letters;
    lstm_layer<A> first, second;
    A<float, 2> output;
    A<float, 1> frequency;
};

// What a layer knows of what was read: it is carried from one batch to the next, and no gradient goes back there.
template <template <class, int> class A> struct memory {
    A<float, 2> hidden, cell;
};
template <template <class, int> class A> struct memories {
    memory<A> first, second;
};

using network_arrays = network<on<cpu>::array>;
using memory_arrays = memories<on<cpu>::array>;
using random_arrays = random_state<on<cpu>::array>;

// What a layer knows after one letter more, of one text or of many.
constexpr auto lstm_turn = [](const auto& layer, const auto& known, const auto& x) {
    auto [hidden, cell] = known;
    auto gate = split<-1, 4>(dot(x, layer.input) + dot(hidden, layer.recurrent) + layer.bias);
    auto next = sigmoid(gate[0]) * cell + sigmoid(gate[1]) * tanh(gate[2]);
    return std::tuple(sigmoid(gate[3]) * tanh(next), next);
};

// A layer along all letters of a batch: what it knows at last, and what it says after each letter.
constexpr auto lstm = [](const auto& layer, const auto& known, const auto& xs) {
    return scan([&](auto state, auto x) {
        auto after = lstm_turn(layer, state, x);
        return step(after, std::get<0>(after));
    }, std::tuple(known.hidden, known.cell), xs);
};

// The logits of the letters that follow, and the updates of what is known. `drop` leaves out a part of what goes from layer to layer.
constexpr auto read_batch = [](const auto& net, const auto& known, const auto& read, auto&& drop) {
    auto [last1, first] = lstm(net.first, known.first, drop(take<0>(net.letters, read)));
    auto [last2, second] = lstm(net.second, known.second, drop(first));
    auto kept = std::tuple(update(known.first.hidden, std::get<0>(last1)), update(known.first.cell, std::get<1>(last1)),
                           update(known.second.hidden, std::get<0>(last2)), update(known.second.cell, std::get<1>(last2)));
    return std::tuple(matmul(drop(second), net.output) + net.frequency, kept);
};

using letters_of_batch = tensor<int, at_once, side_by_side>;

inline auto make_train() {
    return function<cpu>("train", [](letters_of_batch read, letters_of_batch next, scalar<float> rate, shared<network<symbol>> net,
                                     shared<adam_state<network<symbol>>> state, shared<memories<symbol>> known,
                                     shared<random_state<symbol>> rng) {
        auto [logits, kept] = read_batch(net, known, read, [&](const auto& x) { return dropout(x, 0.1, rng); });
        auto cost = mean(cross_entropy(logits, next));
        auto moved = adam(clip_by_global_norm(grad(cost, net), 1.0), net, state, {.learning_rate = rate});
        return std::apply([&](auto... update) { return outputs(cost).updates(moved, update...); }, kept);
    });
}

/// The bits that the letters of a batch need, on average.
inline auto make_test() {
    return function<cpu>("test", [](letters_of_batch read, letters_of_batch next, network<symbol> net, shared<memories<symbol>> known) {
        auto [logits, kept] = read_batch(net, known, read, [](const auto& x) { return x; });
        auto bits = bits_per_character(logits, next);
        return std::apply([&](auto... update) { return outputs(bits).updates(update...); }, kept);
    });
}

/// Letters behind `first`, each drawn by the odds that the model gives it; a low temperature draws what is likely more often.
inline auto make_write() {
    return function<cpu>("write", [](scalar<std::int64_t> first, scalar<float> temperature, network<symbol> net,
                                     shared<random_state<symbol>> rng) {
        auto nothing = zeros_like(net.first.recurrent(slice(), 0));
        auto [last, written] = scan([&](auto state) {
            auto [letter, known1, known2] = state;
            auto after1 = lstm_turn(net.first, known1, take<0>(net.letters, letter));
            auto after2 = lstm_turn(net.second, known2, std::get<0>(after1));
            auto next = categorical((dot(std::get<0>(after2), net.output) + net.frequency) / temperature, rng);
            return step(std::tuple(next, after1, after2), next);
        }, std::tuple(first, std::tuple(nothing, nothing), std::tuple(nothing, nothing)), times(written_at_once));
        return written;
    });
}

}  // namespace language_model

#endif
