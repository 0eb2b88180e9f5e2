// SPDX-License-Identifier: MIT
// W11: one training step of the language model of examples/16_language_model: 64 characters, two layers of LSTM of 256 that go on with what they know of
// 32 texts, 64 letters of each, a tenth of what goes from layer to layer dropped, softmax cross-entropy of all letters, gradients clipped to the norm 1,
// Adam. Beside it the products alone, which are 13 GFLOP.
#include "common.hpp"
#include "lstm.hpp"

#include "../examples/16_language_model/network.hpp"

namespace {

using bench::gemm;
using croton::array;
using language_model::at_once, language_model::side_by_side, language_model::width, language_model::memory_arrays, language_model::network_arrays;

constexpr int characters = 64, gates = 4 * width, letters = at_once * side_by_side;

/// The step without dropout, whose costs can be told by hand.
auto plain_step() {
    using namespace croton;
    return function<cpu>("plain", [](language_model::letters_of_batch read, language_model::letters_of_batch next, shared<language_model::network<symbol>> net,
                                     shared<adam_state<language_model::network<symbol>>> state, shared<language_model::memories<symbol>> known) {
        auto [logits, kept] = language_model::read_batch(net, known, read, [](const auto& x) { return x; });
        auto cost = mean(cross_entropy(logits, next));
        auto moved = adam(clip_by_global_norm(grad(cost, net), 1.0), net, state, {.learning_rate = 1e-3});
        return std::apply([&](auto... update) { return outputs(cost).updates(moved, update...); }, kept);
    });
}

struct scratch {
    array<float, 2> x{letters, width}, gate{letters, gates}, hidden{letters, width}, logits{letters, characters};
    array<float, 2> of_hidden{letters, width}, of_weight{width, gates};
};

/// The products of a step, each as large and as often as the mathematics needs it, on whatever the arrays hold.
void raw_products(const network_arrays& net, scratch& s) {
    constexpr int rows = side_by_side;
    const auto at = [](auto& a, int turn) { return a.data() + turn * rows * a.extent(1); };
    for (const auto* layer : {&net.first, &net.second}) {
        gemm(CblasNoTrans, CblasNoTrans, letters, gates, width, s.x.data(), layer->input.data(), 0, s.gate.data());
        for (int t = 0; t < at_once; ++t)
            gemm(CblasNoTrans, CblasNoTrans, rows, gates, width, at(s.hidden, t), layer->recurrent.data(), 1, at(s.gate, t));
    }
    gemm(CblasNoTrans, CblasNoTrans, letters, characters, width, s.hidden.data(), net.output.data(), 0, s.logits.data());
    gemm(CblasNoTrans, CblasTrans, letters, width, characters, s.logits.data(), net.output.data(), 0, s.of_hidden.data());
    gemm(CblasTrans, CblasNoTrans, width, characters, letters, s.hidden.data(), s.logits.data(), 0, s.of_weight.data());
    for (const auto* layer : {&net.second, &net.first}) {
        for (int t = at_once; t-- > 0;)
            gemm(CblasNoTrans, CblasTrans, rows, width, gates, at(s.gate, t), layer->recurrent.data(), 1, at(s.of_hidden, t));
        for (int each = 0; each < 2; ++each) gemm(CblasTrans, CblasNoTrans, width, gates, letters, s.x.data(), s.gate.data(), 0, s.of_weight.data());
        gemm(CblasNoTrans, CblasTrans, letters, width, gates, s.gate.data(), layer->input.data(), 0, s.of_hidden.data());
    }
}

/// The cost, without any derivative, of a model that has read nothing before.
double raw_cost(const network_arrays& net, const array<int, 2>& read, const array<int, 2>& next) {
    constexpr bench::lstm_gates order{.input = 1, .forget = 0, .shown = 3, .cell = 2};
    bench::lstm_memory first(side_by_side, width), second(side_by_side, width);
    array<float, 2> x(side_by_side, width), z(side_by_side, characters);
    double cost = 0;
    for (int t = 0; t < at_once; ++t) {
        for (int b = 0; b < side_by_side; ++b) std::copy_n(net.letters.data() + read(t, b) * width, width, x.data() + b * width);
        bench::lstm_turn(net.first, order, x, first);
        bench::lstm_turn(net.second, order, first.hidden, second);
        bench::dense(second.hidden, net.output, net.frequency, z);
        for (int b = 0; b < side_by_side; ++b) cost += bench::cross_entropy(z.data() + b * characters, characters, next(t, b));
    }
    return cost / letters;
}

memory_arrays nothing_known() {
    const array<float, 2> zero(side_by_side, width);
    return {{zero, zero}, {zero, zero}};
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    using matrix = array<float, 2>;
    const auto layer = [] { return language_model::lstm_layer<croton::on<croton::cpu>::array>{matrix(width, gates), matrix(width, gates), array<float, 1>(gates)}; };
    network_arrays net{matrix(characters, width), layer(), layer(), matrix(width, characters), array<float, 1>(characters)};
    croton::random::initialise(net, 1, croton::random::glorot_uniform);
    auto state = croton::adam_state<network_arrays>::zeros_like(net);
    array<int, 2> read(at_once, side_by_side), next(at_once, side_by_side);
    for (int t = 0; t < at_once; ++t)
        for (int b = 0; b < side_by_side; ++b) {
            read(t, b) = (t * t + 7 * b) % characters;
            next(t, b) = ((t + 1) * (t + 1) + 7 * b) % characters;
        }
    array<float, 0> cost, expected;
    auto plain = plain_step();
    auto train = language_model::make_train();
    auto rng = language_model::random_arrays::seed(1);
    auto known = nothing_known();
    scratch s;
    bench::fill(s.x, -1, 1, 11);
    bench::fill(s.hidden, -1, 1, 12);

    bench::table table("W11 language model: one training step, 64 letters of 32 texts, two layers of 256, dropout, float32");
    // The costs after the first steps depend on the gradients of all turns; each is that of the parameters that were left.
    for (int i = 0; i < 3; ++i) {
        *expected.data() = static_cast<float>(raw_cost(net, read, next));
        auto forgotten = nothing_known();
        plain.call_into(std::tie(cost), read, next, net, state, forgotten);
        table.check("cost of step " + std::to_string(i + 1) + " without dropout: croton, raw", bench::max_difference(cost, expected), 1e-5);
    }
    table.row("croton", 0, [&] { train.call_into(std::tie(cost), read, next, 1e-3f, net, state, known, rng); });
    table.row("raw: cblas_sgemm, the products alone", 0, [&] { raw_products(net, s); });
    table.measure();
    return table.finish();
}
