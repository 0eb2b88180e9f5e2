// SPDX-License-Identifier: MIT
// W9: one training step of an LSTM on characters: 64 of them, embedded in 256, one layer of 256, 100 letters of 32 texts at once, an output
// layer, softmax cross-entropy of all letters, the gradient through all steps, Adam. Beside it the products alone, which are 10 GFLOP.
#include "common.hpp"
#include "lstm.hpp"
#include "w9_step.hpp"

namespace {

using bench::gemm;
using croton::array;

constexpr int characters = 64, width = 256, gates = 4 * width, turns = 100, texts = 32, letters = turns * texts;

using network = bench::lstm<croton::on<croton::cpu>::array>;

struct scratch {
    array<float, 2> x{letters, width}, gate{letters, gates}, hidden{letters, width}, logits{letters, characters};
    array<float, 2> of_x{letters, width}, of_hidden{letters, width}, of_input{width, gates}, of_recurrent{width, gates}, of_output{width, characters};
};

/// The products of a step, each as large and as often as the mathematics needs it, on whatever the arrays hold.
void raw_products(const network& net, scratch& s) {
    constexpr int rows = texts;
    const auto at = [](auto& a, int turn) { return a.data() + turn * rows * a.extent(1); };
    gemm(CblasNoTrans, CblasNoTrans, letters, gates, width, s.x.data(), net.input.data(), 0, s.gate.data());
    for (int t = 0; t < turns; ++t) gemm(CblasNoTrans, CblasNoTrans, rows, gates, width, at(s.hidden, t), net.recurrent.data(), 1, at(s.gate, t));
    gemm(CblasNoTrans, CblasNoTrans, letters, characters, width, s.hidden.data(), net.output.data(), 0, s.logits.data());
    gemm(CblasNoTrans, CblasTrans, letters, width, characters, s.logits.data(), net.output.data(), 0, s.of_hidden.data());
    gemm(CblasTrans, CblasNoTrans, width, characters, letters, s.hidden.data(), s.logits.data(), 0, s.of_output.data());
    for (int t = turns; t-- > 0;) gemm(CblasNoTrans, CblasTrans, rows, width, gates, at(s.gate, t), net.recurrent.data(), 1, at(s.of_hidden, t));
    gemm(CblasTrans, CblasNoTrans, width, gates, letters, s.hidden.data(), s.gate.data(), 0, s.of_recurrent.data());
    gemm(CblasTrans, CblasNoTrans, width, gates, letters, s.x.data(), s.gate.data(), 0, s.of_input.data());
    gemm(CblasNoTrans, CblasTrans, letters, width, gates, s.gate.data(), net.input.data(), 0, s.of_x.data());
}

/// The cost, without any derivative.
double raw_cost(const network& net, const array<int, 2>& read, const array<int, 2>& next) {
    bench::lstm_memory known(texts, width);
    array<float, 2> x(texts, width), z(texts, characters);
    double cost = 0;
    for (int t = 0; t < turns; ++t) {
        for (int b = 0; b < texts; ++b) std::copy_n(net.embedding.data() + read(t, b) * width, width, x.data() + b * width);
        bench::lstm_turn(net, {.input = 0, .forget = 1, .shown = 3, .cell = 2}, x, known);
        bench::dense(known.hidden, net.output, net.output_bias, z);
        for (int b = 0; b < texts; ++b) cost += bench::cross_entropy(z.data() + b * characters, characters, next(t, b));
    }
    return cost / letters;
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    using matrix = array<float, 2>;
    network net{matrix(characters, width), matrix(width, gates), matrix(width, gates), array<float, 1>(gates), matrix(width, characters),
                array<float, 1>(characters)};
    unsigned seed = 1;
    for (auto* weights : {&net.embedding, &net.input, &net.recurrent, &net.output}) bench::fill(*weights, -0.06f, 0.06f, seed++);
    auto state = croton::adam_state<network>::zeros_like(net);
    array<int, 2> read(turns, texts), next(turns, texts);
    for (int t = 0; t < turns; ++t)
        for (int b = 0; b < texts; ++b) {
            read(t, b) = (t * t + 7 * b) % characters;
            next(t, b) = ((t + 1) * (t + 1) + 7 * b) % characters;
        }
    array<float, 0> cost, expected;
    auto step = bench::lstm_step<turns, texts>();
    const auto run = [&] { step.call_into(std::tie(cost), read, next, net, state); };
    scratch s;
    bench::fill(s.x, -1, 1, 11);
    bench::fill(s.hidden, -1, 1, 12);

    bench::table table("W9 lstm: one training step, 100 letters of 32 texts, 256-256-64, float32");
    // The costs after the first steps depend on the gradients of all turns; each is that of the parameters that were left.
    for (int i = 0; i < 3; ++i) {
        *expected.data() = static_cast<float>(raw_cost(net, read, next));
        run();
        table.check("cost of step " + std::to_string(i + 1) + ": croton, raw", bench::max_difference(cost, expected), 1e-5);
    }
    table.row("croton", 0, run);
    table.row("raw: cblas_sgemm, the products alone", 0, [&] { raw_products(net, s); });
    table.measure();
    return table.finish();
}
