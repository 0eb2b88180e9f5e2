// SPDX-License-Identifier: MIT
// W6: one training step of a neural Turing machine on the copy task: 20 vectors of 8 bits in batches of 4, which are 42 turns, a memory of 128 slots of 20,
// an LSTM controller of 100, a write head and a read head, the gradient through all turns, clipped, RMSProp with momentum. Heads turn by one slot at most, or
// round the whole circle, a convolution over all slots for each head and turn. Beside it the products of the controller alone.
#include "common.hpp"
#include "w6_step.hpp"

namespace {

using croton::array;

using ntm::bits, ntm::inputs, ntm::controller, ntm::slots, ntm::wide, ntm::machine, ntm::network;

constexpr int batch = bench::ntm_batch, length = bench::ntm_length, turns = bench::ntm_turns;

constexpr const char* title_of(ntm::neighbours) { return "W6 ntm: one training step, 42 turns, batch 4, memory 128 x 20, LSTM of 100, float32"; }
constexpr const char* title_of(ntm::whole_circle) { return "W6 ntm, heads that turn round the whole circle: one training step, 42 turns, batch 4, memory 128 x 20, LSTM of 100, float32"; }

// The machine once more, written out for plain numbers.

using numbers = std::vector<double>;

double logistic(double x) { return 1 / (1 + std::exp(-x)); }
double softplus(double x) { return std::log1p(std::exp(x)); }

/// out += x w, for one example.
void add_product(numbers& out, const numbers& x, const array<float, 2>& w) {
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < out.size(); ++j) out[j] += x[i] * static_cast<double>(w.data()[i * out.size() + j]);
}
numbers widened(const array<float, 1>& x) { return {x.data(), x.data() + x.size()}; }

template <class Shift> void look(const numbers& memory, const double* p, numbers& at) {
    double key[wide], length_of_key = 1e-12, most = -1e30, all = 0;
    for (int d = 0; d < wide; ++d) {
        key[d] = std::tanh(p[d]);
        length_of_key += key[d] * key[d];
    }
    numbers w(slots), moved(slots);
    for (int n = 0; n < slots; ++n) {
        double product = 0, square = 1e-12;
        for (int d = 0; d < wide; ++d) {
            const double m = memory[static_cast<std::size_t>(n * wide + d)];
            product += m * key[d];
            square += m * m;
        }
        most = std::max(most, w[static_cast<std::size_t>(n)] = softplus(p[wide]) * product / (std::sqrt(square) * std::sqrt(length_of_key) + 1e-8));
    }
    for (double& x : w) all += x = std::exp(x - most);
    const double gate = logistic(p[wide + 1]);
    for (std::size_t n = 0; n < w.size(); ++n) w[n] = gate * w[n] / all + (1 - gate) * at[n];
    constexpr std::size_t shifts = Shift::shifts;
    numbers shift(shifts);
    double total = 0;
    for (std::size_t k = 0; k < shifts; ++k) total += shift[k] = std::exp(p[wide + 2 + k]);
    all = 0;
    // Round the circle the first shift is none, of three it is one back.
    for (std::size_t n = 0; n < w.size(); ++n) {
        for (std::size_t k = 0; k < shifts; ++k) moved[n] += shift[k] * w[(n + slots - k + (shifts == slots ? 0 : 1)) % slots] / total;
        all += moved[n] = std::pow(moved[n] + 1e-8, 1 + softplus(p[wide + 2 + shifts]));
    }
    for (std::size_t n = 0; n < w.size(); ++n) at[n] = moved[n] / all;
}

template <class Shift> double raw_cost(const network& net, const array<float, 3>& x, const array<float, 3>& wanted) {
    constexpr int head = ntm::head<Shift>;
    double cost = 0;
    for (int b = 0; b < batch; ++b) {
        numbers h(controller), c(controller), read(wide), memory(net.memory.data(), net.memory.data() + net.memory.size());
        numbers written(slots, 1.0 / slots), looked = written;
        for (int t = 0; t < turns; ++t) {
            numbers gate = widened(net.bias), part = widened(net.heads_bias), out = widened(net.output_bias), xt(inputs);
            for (int i = 0; i < inputs; ++i) xt[static_cast<std::size_t>(i)] = static_cast<double>(x(t, b, i));
            add_product(gate, xt, net.input);
            add_product(gate, read, net.read);
            add_product(gate, h, net.recurrent);
            for (std::size_t i = 0; i < controller; ++i) {
                c[i] = logistic(gate[controller + i]) * c[i] + logistic(gate[i]) * std::tanh(gate[2 * controller + i]);
                h[i] = logistic(gate[3 * controller + i]) * std::tanh(c[i]);
            }
            add_product(part, h, net.heads);
            look<Shift>(memory, part.data(), written);
            for (std::size_t i = 0; i < memory.size(); ++i) {
                const double w = written[i / wide];
                memory[i] = memory[i] * (1 - w * logistic(part[2 * head + i % wide])) + w * std::tanh(part[2 * head + wide + i % wide]);
            }
            look<Shift>(memory, part.data() + head, looked);
            for (double& v : read) v = 0;
            for (std::size_t i = 0; i < memory.size(); ++i) read[i % wide] += looked[i / wide] * memory[i];
            add_product(out, h, net.output);
            add_product(out, read, net.output_of_read);
            for (int i = 0; i < bits && t >= turns - length; ++i) {
                const double z = out[static_cast<std::size_t>(i)];
                cost += softplus(z) - z * static_cast<double>(wanted(t - (turns - length), b, i));
            }
        }
    }
    return cost / (length * batch * bits);
}

/// The products of the controller, forward and backward, as often as the mathematics needs them, on whatever the arrays hold.
template <class Shift> void raw_products(const network& net, const array<float, 3>& gates, const array<float, 3>& hidden, network& out, array<float, 3>& to) {
    const auto gemm = [](CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, const float* a, const float* b, float* c) {
        cblas_sgemm(CblasRowMajor, ta, tb, m, n, k, 1, a, ta == CblasTrans ? m : k, b, tb == CblasTrans ? k : n, 0, c, n);
    };
    constexpr int all = 4 * controller, both = 2 * ntm::head<Shift> + 2 * wide;
    const auto at = [](auto& a, int turn) { return a.data() + turn * batch * a.extent(2); };
    for (int t = 0; t < turns; ++t) {
        gemm(CblasNoTrans, CblasNoTrans, batch, all, controller, at(hidden, t), net.recurrent.data(), at(to, t));
        gemm(CblasNoTrans, CblasNoTrans, batch, all, wide, at(hidden, t), net.read.data(), at(to, t));
        gemm(CblasNoTrans, CblasNoTrans, batch, both, controller, at(hidden, t), net.heads.data(), at(to, t));
    }
    for (int t = turns; t-- > 0;) {
        gemm(CblasNoTrans, CblasTrans, batch, controller, both, at(gates, t), net.heads.data(), at(to, t));
        gemm(CblasNoTrans, CblasTrans, batch, controller, all, at(gates, t), net.recurrent.data(), at(to, t));
        gemm(CblasNoTrans, CblasTrans, batch, wide, all, at(gates, t), net.read.data(), at(to, t));
    }
    gemm(CblasTrans, CblasNoTrans, controller, all, turns * batch, hidden.data(), gates.data(), out.recurrent.data());
    gemm(CblasTrans, CblasNoTrans, wide, all, turns * batch, hidden.data(), gates.data(), out.read.data());
    gemm(CblasTrans, CblasNoTrans, controller, both, turns * batch, hidden.data(), gates.data(), out.heads.data());
}

template <class Shift> int measure() {
    // The products of the heads are of no more columns.
    constexpr int gates = std::max(4 * controller, 2 * ntm::head<Shift> + 2 * wide);
    network net = ntm::empty_network<Shift>();
    unsigned seed = 1;
    const auto fill = [&](auto& a) { bench::fill(a, -0.2f, 0.2f, seed++); };
    croton::detail::for_each_leaf(net, fill);
    array<float, 3> x(turns, batch, inputs), wanted(length, batch, bits), hidden(turns, batch, controller), of_gates(turns, batch, gates), to(turns, batch, gates);
    network products = net;
    bench::fill(hidden, -1, 1, 31);
    bench::fill(of_gates, -1, 1, 32);
    for (int b = 0; b < batch; ++b) {
        x(0, b, bits) = x(length + 1, b, bits + 1) = 1;
        for (int t = 0; t < length; ++t)
            for (int i = 0; i < bits; ++i) x(t + 1, b, i) = wanted(t, b, i) = (t * t + 3 * b + t * i + i * i) % 7 < 3 ? 1.0f : 0.0f;
    }
    auto step = bench::ntm_step<Shift>();
    auto state = croton::rmsprop_momentum_state<network>::zeros_like(net);
    array<float, 0> cost;
    const auto run = [&] { step.call_into(std::tie(cost), x, wanted, net, state); };

    bench::table table(title_of(Shift()));
    // The velocity after the first step is g / sqrt(0.05 g^2 + 1e-4), which says what the gradient g was.
    const network first = net;
    network moved = net;
    run();
    table.check("cost: croton, raw", std::abs(static_cast<double>(cost()) - raw_cost<Shift>(first, x, wanted)), 1e-5);
    double worst = 0;
    croton::detail::for_each_leaf_of([&](auto& here, const auto& weights, const auto& velocity) {
        std::vector<double> g;
        double square = 0, slope = 0, distance = 0;
        for (const float v : bench::values(velocity)) {
            g.push_back(static_cast<double>(v) * 1e-2 / std::sqrt(1 - 0.05 * static_cast<double>(v) * static_cast<double>(v)));
            square += g.back() * g.back();
        }
        // Along the gradient the slope is its length.
        const double norm = std::sqrt(square);
        for (const double sign : {1.0, -1.0}) {
            for (std::size_t i = 0; i < g.size(); ++i) {
                const double from = static_cast<double>(weights.data()[i]);
                here.data()[i] = static_cast<float>(from + sign * 2e-3 * g[i] / norm);
                distance += sign * (static_cast<double>(here.data()[i]) - from) * g[i] / norm;
            }
            slope += sign * raw_cost<Shift>(moved, x, wanted);
        }
        here = weights;
        worst = std::max(worst, std::abs(slope / distance / norm - 1));
    }, moved, first, state.velocity);
    table.check("gradient: croton, differences of raw", worst, 1e-3);
    table.row("croton", 0, run);
    table.row("raw: cblas_sgemm, the products alone", 0, [&] { raw_products<Shift>(moved, of_gates, hidden, products, to); });
    table.measure();
    return table.finish();
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    const int by_neighbours = measure<ntm::neighbours>(), round_the_circle = measure<ntm::whole_circle>();
    return by_neighbours != 0 ? by_neighbours : round_the_circle;
}
