// SPDX-License-Identifier: MIT
// W3 and W4 on the GPU: steps of the logistic regression and of a network with Adam, against raw cuBLAS and kernels by hand.
// Not in the report: it needs a GPU, where tests/cuda/run.sh runs it beside bench/cuda_peers.py.
#include "cuda_common.hpp"
#include "workloads.hpp"

namespace {

using namespace bench;

constexpr int features = 784;

// What lies between the two gemv, by hand: prediction, cross-entropy, residual, and the sum of the residual.
__global__ void between(const float* u, const float* y, const float* b, bool* p, float* xent, float* r, float* total, int n) {
    __shared__ float part[32];
    float mine = 0;
    for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += static_cast<int>(gridDim.x * blockDim.x)) {
        const float z = u[i] + *b, s = 1 / (1 + expf(-z));
        p[i] = s > 0.5f;
        xent[i] = log1pf(expf(-fabsf(z))) + (z > 0 ? z : 0) - y[i] * z;
        mine += r[i] = s - y[i];
    }
    for (int m = 16; m > 0; m /= 2) mine += __shfl_xor_sync(0xffffffffu, mine, m);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned k = 1; k < blockDim.x / 32; ++k) mine += part[k];
        atomicAdd(total, mine);
    }
}
__global__ void update_b(float* b, float* total, float scale) {
    *b -= scale * *total;
    *total = 0;
}

int logistic_step(int n) {
    const auto x = numbers<float, 2>({n, features}, -1, 1, 1).to<cuda>();
    array<float, 1> labels = numbers<float, 1>({n}, -1, 1, 2);
    for (float& v : labels) v = v > 0 ? 1.0f : 0.0f;
    const auto y = labels.to<cuda>();
    auto w = numbers<float, 1>({features}, -0.1, 0.1, 3).to<cuda>(), v = w;
    array<float, 0, cuda> b, c, total;
    array<bool, 1, cuda> p(n), q(n);
    array<float, 1, cuda> e(n), f(n), u(n), r(n);
    auto train = logistic<cuda>();
    auto results = std::tie(p, e);
    const float one = 1, zero = 0, decay = 0.998f, scale = -0.1f / static_cast<float>(n);
    const auto raw = [&] {
        check(cublasSgemv(blas(), CUBLAS_OP_T, features, n, &one, x.data(), features, v.data(), 1, &zero, u.data(), 1));
        between<<<static_cast<unsigned>(std::min((n + 255) / 256, 264)), 256, 0, cuda::stream()>>>(u.data(), y.data(), c.data(), q.data(), f.data(), r.data(), total.data(), n);
        check(cublasSgemv(blas(), CUBLAS_OP_N, features, n, &scale, x.data(), features, r.data(), 1, &decay, v.data(), 1));
        update_b<<<1, 1, 0, cuda::stream()>>>(c.data(), total.data(), 0.1f / static_cast<float>(n));
    };
    table t("W3 logistic, " + std::to_string(n) + " x 784 float32");
    train.call_into(results, x, y, w, b);
    raw();
    t.check("croton, raw: weights", max_difference(w, v), 1e-5);
    t.check("croton, raw: cross-entropy", max_difference(e, f), 1e-4);
    const double bytes = 2.0 * 4 * features * n;
    const graph as_graph(raw);
    t.row("croton", [&] { train.call_into(results, x, y, w, b); }, bytes);
    t.row("raw, one CUDA graph", [&] { as_graph(); }, bytes);
    t.row("raw, four launches", raw, bytes);
    t.row("reading x twice, two gemv", [&] {
        check(cublasSgemv(blas(), CUBLAS_OP_T, features, n, &one, x.data(), features, v.data(), 1, &zero, u.data(), 1));
        check(cublasSgemv(blas(), CUBLAS_OP_N, features, n, &zero, x.data(), features, r.data(), 1, &one, v.data(), 1));
    }, bytes, 0, n >= 40'000 ? 1.15 : 0);
    if (n == 400) t.limit(15e-6);
    return t.finish();
}

// W4

constexpr int samples = 100, inputs = 784, hidden = 1000, classes = 10;

__global__ void raw_adam(float* w, const float* g, float* m, float* v, float rate, float correction, std::int64_t n) {
    for (std::int64_t i = blockIdx.x * std::int64_t{256} + threadIdx.x; i < n; i += gridDim.x * std::int64_t{256}) {
        m[i] = 0.9f * m[i] + 0.1f * g[i];
        v[i] = 0.999f * v[i] + 0.001f * g[i] * g[i];
        w[i] -= rate * m[i] / (sqrtf(v[i] * correction) + 1e-8f);
    }
}

using model = mlp<croton::on<cuda>::array>;
using model_state = croton::adam_state<model>;

/// Some steps of the same network on the host, whose parameters lie apart.
void check_network(table& t, model net, model_state state, const array<float, 2, cuda>& x, const array<int, 1, cuda>& label) {
    using host_model = mlp<croton::on<croton::cpu>::array>;
    const auto layer = [](const dense<croton::on<cuda>::array>& l) {
        return dense<croton::on<croton::cpu>::array>{l.weight.to<croton::cpu>(), l.bias.to<croton::cpu>()};
    };
    host_model own{layer(net.hidden1), layer(net.hidden2), layer(net.output)};
    auto own_state = croton::adam_state<host_model>::zeros_like(own);
    auto on_gpu = network<cuda>();
    auto on_host = network<croton::cpu>();
    const auto own_x = x.to<croton::cpu>();
    const auto own_label = label.to<croton::cpu>();
    double most = 0;
    for (int step = 0; step < 5; ++step) {
        const float there = on_gpu(x, label, net, state), here = on_host(own_x, own_label, own, own_state);
        most = std::max(most, std::fabs(static_cast<double>(there) - static_cast<double>(here)));
    }
    t.check("croton, the host: five costs", most, 1e-4);
    t.check("croton, the host: weights of the first layer", max_difference(net.hidden1.weight, own.hidden1.weight), 1e-4);
    t.check("croton, the host: biases of the last layer", max_difference(net.output.bias, own.output.bias), 1e-4);
}

int network_step() {
    const auto layer = [](int from, int to, unsigned seed) {
        return dense<croton::on<cuda>::array>{numbers<float, 2>({from, to}, -0.05, 0.05, seed).to<cuda>(), array<float, 1, cuda>(to)};
    };
    model net{layer(inputs, hidden, 1), layer(hidden, hidden, 2), layer(hidden, classes, 3)};
    auto state = model_state::zeros_like(net);
    const auto x = numbers<float, 2>({samples, inputs}, 0, 1, 4).to<cuda>();
    array<int, 1> labels(samples);
    for (int i = 0; i < samples; ++i) labels(i) = i * 7 % classes;
    const auto label = labels.to<cuda>();
    array<float, 0, cuda> cost;
    auto train = network<cuda>();

    // The products of the step and one Adam over all parameters: no step can do less.
    constexpr std::int64_t parameters = inputs * hidden + hidden + hidden * hidden + hidden + hidden * classes + classes;
    array<float, 1, cuda> w(parameters), g(parameters), m(parameters), v(parameters);
    array<float, 2, cuda> h1(samples, hidden), h2(samples, hidden), out(samples, classes), d1(samples, hidden), d2(samples, hidden), d3(samples, classes);
    float* const w1 = w.data();
    float* const w2 = w1 + inputs * hidden;
    float* const w3 = w2 + hidden * hidden;
    float* const g1 = g.data();
    float* const g2 = g1 + inputs * hidden;
    float* const g3 = g2 + hidden * hidden;
    // c [rows, cols] = a b by rows is c^T = b^T a^T by columns.
    const auto gemm = [&](bool ta, bool tb, int rows, int inner, int cols, const float* a, const float* b, float* c) {
        const float one = 1, zero = 0;
        check(cublasSgemm(blas(), tb ? CUBLAS_OP_T : CUBLAS_OP_N, ta ? CUBLAS_OP_T : CUBLAS_OP_N, cols, rows, inner, &one, b, tb ? inner : cols, a,
                          ta ? rows : inner, &zero, c, cols));
    };
    const auto raw = [&] {
        gemm(false, false, samples, inputs, hidden, x.data(), w1, h1.data());
        gemm(false, false, samples, hidden, hidden, h1.data(), w2, h2.data());
        gemm(false, false, samples, hidden, classes, h2.data(), w3, out.data());
        gemm(true, false, hidden, samples, classes, h2.data(), d3.data(), g3);
        gemm(false, true, samples, classes, hidden, d3.data(), w3, d2.data());
        gemm(true, false, hidden, samples, hidden, h1.data(), d2.data(), g2);
        gemm(false, true, samples, hidden, hidden, d2.data(), w2, d1.data());
        gemm(true, false, inputs, samples, hidden, x.data(), d1.data(), g1);
        raw_adam<<<1056, 256, 0, cuda::stream()>>>(w.data(), g.data(), m.data(), v.data(), 1e-3f, 1.0f, parameters);
    };
    const graph as_graph(raw);
    table t("W4 mlp_adam, 784-1000-1000-10, 100 samples, float32");
    check_network(t, net, state, x, label);
    t.row("croton", [&] { train.call_into(cost, x, label, net, state); });
    auto fused = network<cuda>();  // records its own graph
    t.row("croton, relu by cuBLASLt, which may lose NaN", [&] {
        cuda::allow_fused_activations(true);
        fused.call_into(cost, x, label, net, state);
        cuda::allow_fused_activations(false);
    });
    t.row("raw: eight cublasSgemm, one Adam; a graph", [&] { as_graph(); }, 0, 0, 1.15);
    t.row("raw: eight cublasSgemm, one Adam", raw);
    return t.finish();
}

}  // namespace

int main() {
    start();
    return logistic_step(400) | logistic_step(4000) | logistic_step(40'000) | network_step();
}
