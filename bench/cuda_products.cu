// SPDX-License-Identifier: MIT
// W1 and W8 on the GPU: a product plus a matrix against raw cuBLAS, with and without transfers; and the cost of a call.
// Not in the report: it needs a GPU, where tests/cuda/run.sh runs it beside bench/cuda_peers.py.
#include "cuda_common.hpp"
#include "workloads.hpp"

namespace {

using namespace bench;

int product_plus(int n) {
    auto line = gemm_bias<cuda>();
    const auto hm = numbers<float, 2>({n, n}, -1, 1, 1), hx = numbers<float, 2>({n, n}, -1, 1, 2), hb = numbers<float, 2>({n, n}, -1, 1, 3);
    const auto m = hm.to<cuda>(), x = hx.to<cuda>(), b = hb.to<cuda>();
    array<float, 2, cuda> y(n, n), z(n, n);
    array<float, 2> back(n, n);
    const float one = 1;
    const auto raw = [&] {
        check(cudaMemcpyAsync(z.data(), b.data(), static_cast<std::size_t>(n) * static_cast<std::size_t>(n) * 4, cudaMemcpyDeviceToDevice, cuda::stream()));
        check(cublasSgemm(blas(), CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, x.data(), n, m.data(), n, &one, z.data(), n));
    };
    table t("W1 gemm_bias, " + std::to_string(n) + " x " + std::to_string(n) + " float32");
    line.call_into(y, m, x, b);
    raw();
    t.check("croton, raw", max_difference(y, z), 1e-3);
    t.check("croton from the host, raw", max_difference(line(hm, hx, hb), z), 1e-3);
    const double flops = 2.0 * n * n * n;
    t.row("croton, resident", [&] { line.call_into(y, m, x, b); }, 0, flops);
    t.row("raw: copy b, cublasSgemm", raw, 0, flops, 1 / 0.98);
    t.row("croton, arguments and result on the host", [&] { back = line(hm, hx, hb).to<croton::cpu>(); }, 0, flops);
    return t.finish();
}

__global__ void increment(const float* x, float* y) { *y = *x + 1; }

int call() {
    auto f = croton::function<cuda>("increment", [](croton::scalar<float> x) { return x + 1; });
    array<float, 0, cuda> x, y;
    table t("W8 call: y = x + 1 of one number that lies on the device");
    cuda::use_graphs(true);
    x.fill(2);
    f.call_into(y, x);
    t.check("croton", std::fabs(static_cast<double>(static_cast<float>(y)) - 3), 0);
    const graph launch([&] { increment<<<1, 1, 0, cuda::stream()>>>(x.data(), y.data()); });
    t.row("croton", [&] { f.call_into(y, x); });
    t.row("a raw launch", [&] { increment<<<1, 1, 0, cuda::stream()>>>(x.data(), y.data()); });
    t.row("a graph of a raw launch", [&] { launch(); });
    t.row("croton, the number on the host", [&] { f.call_into(y, 1.0f); });
    return t.finish();
}

}  // namespace

int main() {
    start();
    return product_plus(1000) | product_plus(4096) | call();
}
