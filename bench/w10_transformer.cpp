// SPDX-License-Identifier: MIT
// W10: one training step of the transformer of examples/17_transformer on characters: 64 of them, width 128, 2 blocks of 4 heads with a causal mask, layer
// norms before attention and before the layers of 512 with gelu, 64 letters of 16 texts at once, softmax cross-entropy of all letters, gradients clipped
// to the norm 1, AdamW; nothing drops out. Beside it the products alone, which are 2.8 GFLOP.
#include "common.hpp"

#include "../examples/17_transformer/network.hpp"

namespace {

using bench::gemm;
using croton::array;
using transformer::at_once, transformer::blocks, transformer::heads, transformer::side_by_side, transformer::width, transformer::network_arrays;

constexpr int characters = 64, tokens = at_once * side_by_side, wide = 4 * width, narrow = width / heads;

auto croton_step() {
    using namespace croton;
    return function<cpu>("transformer", [](tensor<int, side_by_side, at_once> read, tensor<int, side_by_side, at_once> next,
                                           shared<transformer::network<symbol>> net, shared<adam_state<transformer::network<symbol>>> state) {
        auto cost = mean(cross_entropy(transformer::logits(read, net, transformer::everything), next));
        return outputs(cost).updates(adamw(clip_by_global_norm(grad(cost, net), 1.0), net, state, {.learning_rate = 1e-3}));
    });
}

struct scratch {
    array<float, 2> x{tokens, wide}, y{tokens, wide}, of_weight{wide, wide}, odds{at_once, at_once};
};

/// The products of a step, each as large and as often as the mathematics needs it, on whatever the arrays hold.
void raw_products(const network_arrays& net, scratch& s) {
    const auto layer = [&](const array<float, 2>& weight) {
        const int in = static_cast<int>(weight.extent(0)), out = static_cast<int>(weight.extent(1));
        gemm(CblasNoTrans, CblasNoTrans, tokens, out, in, s.x.data(), weight.data(), 0, s.y.data());
        gemm(CblasNoTrans, CblasTrans, tokens, in, out, s.x.data(), weight.data(), 0, s.y.data());
        gemm(CblasTrans, CblasNoTrans, in, out, tokens, s.x.data(), s.y.data(), 0, s.of_weight.data());
    };
    for (const auto& block : net.deep) {
        for (const auto* each : {&block.asked, &block.told, &block.wide, &block.narrow}) layer(each->weight);
        for (int head = 0; head < heads * side_by_side; ++head) {
            const float* const part = s.x.data() + head * at_once * narrow;
            for (int twice = 0; twice < 2; ++twice) gemm(CblasNoTrans, CblasTrans, at_once, at_once, narrow, part, part, 0, s.odds.data());
            gemm(CblasNoTrans, CblasNoTrans, at_once, narrow, at_once, s.odds.data(), part, 0, s.y.data());
            for (int each = 0; each < 3; ++each) gemm(CblasTrans, CblasNoTrans, at_once, narrow, at_once, s.odds.data(), part, 0, s.y.data());
        }
    }
    layer(net.output.weight);
}

using numbers = std::vector<double>;

/// The cost, without any derivative, in double.
double raw_cost(const network_arrays& net, const array<int, 2>& read, const array<int, 2>& next) {
    const auto through = [](const numbers& x, const auto& layer) {
        const auto in = static_cast<std::size_t>(layer.weight.extent(0)), out = static_cast<std::size_t>(layer.weight.extent(1));
        numbers y(at_once * out);
        for (std::size_t t = 0; t < at_once; ++t) {
            for (std::size_t j = 0; j < out; ++j) y[t * out + j] = static_cast<double>(layer.bias.data()[j]);
            for (std::size_t i = 0; i < in; ++i)
                for (std::size_t j = 0; j < out; ++j) y[t * out + j] += x[t * in + i] * static_cast<double>(layer.weight.data()[i * out + j]);
        }
        return y;
    };
    const auto normalised = [](numbers x, const auto& layer) {
        for (double* row = x.data(); row != x.data() + x.size(); row += width) {
            double mean = 0, variance = 0;
            for (int i = 0; i < width; ++i) mean += row[i] / width;
            for (int i = 0; i < width; ++i) variance += (row[i] - mean) * (row[i] - mean) / width;
            for (int i = 0; i < width; ++i)
                row[i] = (row[i] - mean) / std::sqrt(variance + 1e-5) * static_cast<double>(layer.scale(i)) + static_cast<double>(layer.offset(i));
        }
        return x;
    };
    const auto look_back = [](const numbers& asked) {
        numbers told(at_once * width);
        for (std::size_t h = 0; h < heads; ++h)
            for (std::size_t t = 0; t < at_once; ++t) {
                const double* const ask = asked.data() + t * 3 * width + h * narrow;
                numbers odds(t + 1);
                double sum = 0;
                for (std::size_t s = 0; s <= t; ++s) {
                    const double* const key = asked.data() + s * 3 * width + width + h * narrow;
                    double fit = 0;
                    for (int i = 0; i < narrow; ++i) fit += ask[i] * key[i];
                    sum += odds[s] = std::exp(fit / std::sqrt(static_cast<double>(narrow)));
                }
                for (std::size_t s = 0; s <= t; ++s)
                    for (std::size_t i = 0; i < narrow; ++i) told[t * width + h * narrow + i] += odds[s] / sum * asked[s * 3 * width + 2 * width + h * narrow + i];
            }
        return told;
    };
    double cost = 0;
    for (int b = 0; b < side_by_side; ++b) {
        numbers x(at_once * width);
        for (int t = 0; t < at_once; ++t)
            for (int i = 0; i < width; ++i)
                x[static_cast<std::size_t>(t * width + i)] = static_cast<double>(net.letters(read(b, t), i)) + static_cast<double>(net.positions(t, i));
        for (const auto& block : net.deep) {
            const numbers told = through(look_back(through(normalised(x, block.before_attention), block.asked)), block.told);
            for (std::size_t i = 0; i < x.size(); ++i) x[i] += told[i];
            numbers h = through(normalised(x, block.before_thought), block.wide);
            for (double& each : h) each *= 0.5 * (1 + std::erf(each / std::sqrt(2.0)));
            const numbers thought = through(h, block.narrow);
            for (std::size_t i = 0; i < x.size(); ++i) x[i] += thought[i];
        }
        const numbers z = through(normalised(x, net.last), net.output);
        for (int t = 0; t < at_once; ++t) {
            double sum = 0;
            for (int i = 0; i < characters; ++i) sum += std::exp(z[static_cast<std::size_t>(t * characters + i)]);
            cost += std::log(sum) - z[static_cast<std::size_t>(t * characters + next(b, t))];
        }
    }
    return cost / tokens;
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    network_arrays net = transformer::random_network(characters, 1);
    auto state = croton::adam_state<network_arrays>::zeros_like(net);
    array<int, 2> read(side_by_side, at_once), next(side_by_side, at_once);
    for (int b = 0; b < side_by_side; ++b)
        for (int t = 0; t < at_once; ++t) {
            read(b, t) = (t * t + 7 * b) % characters;
            next(b, t) = ((t + 1) * (t + 1) + 7 * b) % characters;
        }
    array<float, 0> cost, expected;
    auto step = croton_step();
    const auto run = [&] { step.call_into(std::tie(cost), read, next, net, state); };
    scratch s;
    bench::fill(s.x, -1, 1, 11);

    bench::table table("W10 transformer: one training step, 64 letters of 16 texts, 2 blocks of 4 heads, width 128, float32");
    // The costs after the first steps depend on all gradients; each is that of the parameters that were left.
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
