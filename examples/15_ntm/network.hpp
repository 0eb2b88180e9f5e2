// SPDX-License-Identifier: MIT
// A neural Turing machine (Graves, Wayne, Danihelka 2014, arXiv 1410.5401) for the copy task: an LSTM that reads and writes a memory, with one
// head for each.
#ifndef NTM_NETWORK_HPP
#define NTM_NETWORK_HPP

#include <croton/functions.hpp>

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace ntm {

inline constexpr int bits = 8, inputs = bits + 2, controller = 100, slots = 128, wide = 20;

template <template <class, int> class A> struct machine {
    A<float, 2> input, read, recurrent;  // what each adds to the gates
    A<float, 1> bias;
    A<float, 2> heads;  // to both heads, what is erased and what is added
    A<float, 1> heads_bias;
    A<float, 2> output, output_of_read;
    A<float, 1> output_bias;
    A<float, 2> memory;
};
using network = machine<croton::on<croton::cpu>::array>;

// What a head may do with where it looked before: stay or go one slot on or back, which are three products, or turn by as many slots as there are,
// the convolution of each row with a kernel of its own.
struct neighbours {
    static constexpr int shifts = 3;
    template <int Batch, class X, class S> static constexpr auto turn(const X& at, const S& shift) {
        using namespace croton;
        auto by = split<1, 3>(shift);
        return by[0] * roll<1>(at, -1) + by[1] * at + by[2] * roll<1>(at, 1);
    }
};
struct whole_circle {
    static constexpr int shifts = slots;
    template <int Batch, class X, class S> static constexpr auto turn(const X& at, const S& shift) {
        using namespace croton;
        auto round = newaxis<0>(concatenate<1>(at(slice(), slice(1, none)), at));
        return reshape<Batch, slots>(conv1d(round, newaxis<1>(shift), {.groups = Batch, .flip = true}));
    }
};
template <class Shift> inline constexpr int head = wide + 3 + Shift::shifts;

/// All weights 0.
template <class Shift = neighbours> network empty_network() {
    using matrix = croton::array<float, 2>;
    using row = croton::array<float, 1>;
    constexpr int gates = 4 * controller, parts = 2 * head<Shift> + 2 * wide;
    return {matrix(inputs, gates), matrix(wide, gates), matrix(controller, gates), row(gates), matrix(controller, parts), row(parts),
            matrix(controller, bits), matrix(wide, bits), row(bits), matrix(slots, wide)};
}

/// Random weights, and heads that have a place to begin at: one slot holds something else than all others, and they look for that and find it. Without a
/// place heads look everywhere at first, and whether they ever learn to do otherwise is luck. They hold on to where they were rather than look
/// anew, and those that turn round the whole circle hardly go further than a slot.
template <class Shift> network random_network(std::uint64_t seed) {
    network net = empty_network<Shift>();
    croton::random::initialise(net, seed, croton::random::glorot_uniform);
    for (int n = 0; n < slots; ++n)
        for (int i = 0; i < wide; ++i) net.memory(n, i) = 0.3f * net.memory(n, i) + (n == 0 ? 0.3f : -0.3f);
    for (int each = 0; each < 2; ++each) {
        float* const asked = net.heads_bias.data() + each * head<Shift>;
        std::fill_n(asked, wide, 0.5f);  // the key
        asked[wide] = 6;                 // its strength
        asked[wide + 1] = -1;            // the gate
        if constexpr (Shift::shifts == slots)
            for (const int shift : {0, 1, slots - 1}) asked[wide + 2 + shift] = 6;
    }
    return net;
}

// Where a head looks: by what it looks for, or some steps away from where it was.
template <int Batch, class Shift> constexpr auto address = [](const auto& memory, const auto& asked, const auto& before) {
    using namespace croton;
    auto part = split<1>(asked, wide, 1, 1, Shift::shifts, 1);
    auto key = tanh(part[0]);
    auto alike = einsum<"bnd,bd->bn">(memory, key) / (sqrt(sum<2>(sqr(memory)) + 1e-12) * sqrt(sum<1>(sqr(key), keepdims) + 1e-12) + 1e-8);
    auto found = softmax<1>(softplus(part[1]) * alike);
    auto gate = sigmoid(part[2]);
    auto gated = gate * found + (1 - gate) * before;
    auto sharp = pow(Shift::template turn<Batch>(gated, softmax<1>(part[3])) + 1e-8, 1 + softplus(part[4]));
    return sharp / sum<1>(sharp, keepdims);
};

// The logits of all turns, and where the head that writes and the one that reads were: [turns,batch,inputs] -> [turns,batch,bits] and
// [turns,batch,slots] twice.
template <int Batch, class Shift = neighbours> constexpr auto run = [](const auto& net, const auto& x) {
    using namespace croton;
    auto nothing = zeros<Batch, controller>(net.bias);
    auto even = full<Batch, slots>(net.bias, 1.0f / slots);
    auto [last, given] = scan([&](auto state, auto xt) {
        auto [h, c, r, memory, written, looked] = state;
        auto gate = split<1, 4>(dot(xt, net.input) + dot(r, net.read) + dot(h, net.recurrent) + net.bias);
        auto cell = sigmoid(gate[1]) * c + sigmoid(gate[0]) * tanh(gate[2]);
        auto hidden = sigmoid(gate[3]) * tanh(cell);
        auto part = split<1>(dot(hidden, net.heads) + net.heads_bias, head<Shift>, head<Shift>, wide, wide);
        auto write = address<Batch, Shift>(memory, part[0], written);
        auto next = memory * (1 - newaxis<2>(write) * newaxis<1>(sigmoid(part[2]))) + newaxis<2>(write) * newaxis<1>(tanh(part[3]));
        auto look = address<Batch, Shift>(next, part[1], looked);
        auto read = einsum<"bn,bnd->bd">(look, next);
        return step(std::tuple(hidden, cell, read, next, write, look), std::tuple(dot(hidden, net.output) + dot(read, net.output_of_read) + net.output_bias, write, look));
    }, std::tuple(nothing, nothing, zeros<Batch, wide>(net.bias), broadcast_to<Batch, slots, wide>(net.memory), even, even), x);
    return given;
};

// The answers are the last turns of 2 + 2 n.
constexpr auto answers = [](const auto& logits) { return croton::split<0, 2>(logits(croton::slice(2, croton::none)))[1]; };

}  // namespace ntm

#endif
