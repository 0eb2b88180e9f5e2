// SPDX-License-Identifier: MIT
// A turn of an LSTM by hand, on the products of BLAS: what the networks of letters are checked with.
#ifndef CROTON_BENCH_LSTM_HPP
#define CROTON_BENCH_LSTM_HPP

#include "common.hpp"

namespace bench {

/// What a layer knows of each text.
struct lstm_memory {
    lstm_memory(int texts, int width) : hidden(texts, width), cell(texts, width) {}
    croton::array<float, 2> hidden, cell;
};

/// Which quarter of the gates is which.
struct lstm_gates {
    int input, forget, shown, cell;
};

/// y <- x w + b: [m,k] x [k,n] -> [m,n].
inline void dense(const croton::array<float, 2>& x, const croton::array<float, 2>& w, const croton::array<float, 1>& b, croton::array<float, 2>& y) {
    const int m = static_cast<int>(x.extent(0)), k = static_cast<int>(x.extent(1)), n = static_cast<int>(y.extent(1));
    for (int i = 0; i < m; ++i) std::copy_n(b.data(), n, y.data() + i * n);
    gemm(CblasNoTrans, CblasNoTrans, m, n, k, x.data(), w.data(), 1, y.data());
}

/// What a layer with the fields input, recurrent and bias knows after it has read x, [texts,in].
template <class Layer> void lstm_turn(const Layer& layer, lstm_gates gates, const croton::array<float, 2>& x, lstm_memory& known) {
    const int texts = static_cast<int>(known.cell.extent(0)), width = static_cast<int>(known.cell.extent(1));
    croton::array<float, 2> g(texts, 4 * width);
    dense(x, layer.input, layer.bias, g);
    gemm(CblasNoTrans, CblasNoTrans, texts, 4 * width, width, known.hidden.data(), layer.recurrent.data(), 1, g.data());
    const auto logistic = [](float z) { return 1 / (1 + std::exp(-z)); };
    for (int b = 0; b < texts; ++b)
        for (int i = 0; i < width; ++i) {
            const auto gate = [&](int quarter) { return g(b, quarter * width + i); };
            known.cell(b, i) = logistic(gate(gates.forget)) * known.cell(b, i) + logistic(gate(gates.input)) * std::tanh(gate(gates.cell));
            known.hidden(b, i) = logistic(gate(gates.shown)) * std::tanh(known.cell(b, i));
        }
}

/// -log of what a softmax of the logits gives the right one.
inline double cross_entropy(const float* logits, int count, int right) {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += std::exp(static_cast<double>(logits[i]));
    return std::log(sum) - static_cast<double>(logits[right]);
}

}  // namespace bench

#endif
