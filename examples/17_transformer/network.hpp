// SPDX-License-Identifier: MIT
// A transformer that reads letters: each sees those before it, and gives the odds of the one that follows.
#ifndef TRANSFORMER_NETWORK_HPP
#define TRANSFORMER_NETWORK_HPP

#include <croton/croton.hpp>

#include <array>
#include <tuple>

namespace transformer {

using namespace croton;

inline constexpr int width = 128, heads = 4, blocks = 2, side_by_side = 16, at_once = 64, written_at_once = 400;

template <template <class, int> class A> struct dense {
    A<float, 2> weight;
    A<float, 1> bias;
};
template <template <class, int> class A> struct block {
    norm_layer<A> before_attention;
    dense<A> asked, told;  // what all heads ask, are found by and tell; and what is made of all that they tell
    norm_layer<A> before_thought;
    dense<A> wide, narrow;
};
template <template <class, int> class A> struct network {
    A<float, 2> letters, positions;
    std::array<block<A>, blocks> deep;
    norm_layer<A> last;
    dense<A> output;
};

using network_arrays = network<on<cpu>::array>;
using random_arrays = random_state<on<cpu>::array>;

inline network_arrays random_network(int letters, std::uint64_t seed) {
    const auto layer = [](int in, int out) { return dense<on<cpu>::array>{array<float, 2>(in, out), array<float, 1>(out)}; };
    const auto norm = [] { return norm_layer<on<cpu>::array>{array<float, 1>(width), array<float, 1>(width)}; };
    network_arrays net{array<float, 2>(letters, width), array<float, 2>(at_once, width), {}, norm(), layer(width, letters)};
    for (auto& each : net.deep) each = {norm(), layer(width, 3 * width), layer(width, width), norm(), layer(width, 4 * width), layer(4 * width, width)};
    random::initialise(net, seed, random::glorot_uniform);
    for (auto& each : net.deep)
        for (auto* of : {&each.before_attention, &each.before_thought}) of->scale.fill(1);
    net.last.scale.fill(1);
    return net;
}

constexpr auto through = [](const auto& x, const auto& layer) { return matmul(x, layer.weight) + layer.bias; };

// Each letter asks those before it and itself, by each head: [n,t,width] -> [n,t,width].
constexpr auto look_back = [](const auto& x, const auto& asked) {
    auto [ask, keys, values] = split<-1, 3>(through(x, asked));
    const auto by_head = [](const auto& part) { return transpose<0, 2, 1, 3>(reshape<dynamic, at_once, heads, width / heads>(part)); };
    auto told = attention(by_head(ask), by_head(keys), by_head(values), {.causal = true});
    return reshape<dynamic, at_once, width>(transpose<0, 2, 1, 3>(told));
};

// The logits of the letter behind each of many texts, [n,t] -> [n,t,letters]. `drop` leaves out a part of what a block adds.
constexpr auto logits = [](const auto& read, const auto& net, auto&& drop) {
    auto x = drop(take<0>(net.letters, read) + net.positions);
    for (const auto& each : net.deep) {
        x = x + drop(through(look_back(layer_norm(x, each.before_attention), each.asked), each.told));
        x = x + drop(through(gelu(through(layer_norm(x, each.before_thought), each.wide)), each.narrow));
    }
    return through(layer_norm(x, net.last), net.output);
};
constexpr auto everything = [](const auto& x) { return x; };

using letters_of_batch = tensor<int, at_once, side_by_side>;

/// `dropped` is the share of the numbers that are left out while it learns.
inline auto make_train() {
    return function<cpu>("train", [](letters_of_batch read, letters_of_batch next, scalar<float> rate, scalar<float> dropped,
                                     shared<network<symbol>> net, shared<adam_state<network<symbol>>> state, shared<random_state<symbol>> rng) {
        auto cost = mean(cross_entropy(logits(transpose(read), net, [&](const auto& x) { return dropout(x, dropped, rng); }), transpose(next)));
        return outputs(cost).updates(adamw(clip_by_global_norm(grad(cost, net), 1.0), net, state, {.learning_rate = rate}));
    });
}

/// The bits that the letters of a batch need, on average.
inline auto make_test() {
    return function<cpu>("test", [](letters_of_batch read, letters_of_batch next, network<symbol> net) {
        return bits_per_character(logits(transpose(read), net, everything), transpose(next));
    });
}

/// Letters behind those of `begin`, each drawn by the odds that the model gives it; a low temperature draws what is likely more often.
inline auto make_write() {
    return function<cpu>("write", [](tensor<int, at_once> begin, scalar<float> temperature, network<symbol> net, shared<random_state<symbol>> rng) {
        auto [last, written] = scan([&](auto read) {
            auto next = cast<int>(categorical(logits(newaxis<0>(read), net, everything)(0, -1) / temperature, rng));
            return step(concatenate<0>(read(slice(1, none)), newaxis<0>(next)), next);
        }, begin, times(written_at_once));
        return written;
    });
}

}  // namespace transformer

#endif
