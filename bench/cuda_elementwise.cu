// SPDX-License-Identifier: MIT
// W2 and W5 on the GPU: exp, and a chain of operators, against a copy on the device and kernels written by hand.
// Not in the report: it needs a GPU, where tests/cuda/run.sh runs it beside bench/cuda_peers.py.
#include "cuda_common.hpp"
#include "workloads.hpp"

namespace {

using namespace bench;

__global__ void raw_exp(const float4* x, float4* y, std::int64_t n) {
    for (std::int64_t i = blockIdx.x * std::int64_t{256} + threadIdx.x; i < n; i += gridDim.x * std::int64_t{256}) {
        const float4 v = x[i];
        y[i] = make_float4(expf(v.x), expf(v.y), expf(v.z), expf(v.w));
    }
}

__device__ float composite_of(float a, float b, float c, float d, float e, float f, float g) {
    return a * b - (c * d) / sqrtf(c + e + f + g * g);
}
struct operands {
    const float4* in[7];
};
__global__ void raw_composite(operands o, float4* y, std::int64_t n) {
    for (std::int64_t i = blockIdx.x * std::int64_t{256} + threadIdx.x; i < n; i += gridDim.x * std::int64_t{256}) {
        const float4 a = o.in[0][i], b = o.in[1][i], c = o.in[2][i], d = o.in[3][i], e = o.in[4][i], f = o.in[5][i], g = o.in[6][i];
        y[i] = make_float4(composite_of(a.x, b.x, c.x, d.x, e.x, f.x, g.x), composite_of(a.y, b.y, c.y, d.y, e.y, f.y, g.y),
                           composite_of(a.z, b.z, c.z, d.z, e.z, f.z, g.z), composite_of(a.w, b.w, c.w, d.w, e.w, f.w, g.w));
    }
}
unsigned blocks(std::int64_t n) { return static_cast<unsigned>(std::min<std::int64_t>((n + 255) / 256, 2112)); }

// Large enough that the memory counts and not the launch: then 90 % of what a copy reaches.
constexpr std::int64_t many = 8'000'000;
void copy_row(table& t, array<float, 1, cuda>& to, const array<float, 1, cuda>& from, std::int64_t n) {
    const auto bytes = static_cast<std::size_t>(n) * sizeof(float);
    t.row("a copy on the device", [&to, &from, bytes] { check(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, cuda::stream())); },
          2 * static_cast<double>(bytes), 0, n >= many ? 1 / 0.9 : 0);
}

int exponentials(std::int64_t n) {
    auto f = exponential<cuda>();
    const auto x = numbers<float, 1>({n}, -2, 2, 1).to<cuda>();
    array<float, 1, cuda> y(n), z(n);
    const auto by_hand = [&] {
        raw_exp<<<blocks(n / 4), 256, 0, cuda::stream()>>>(reinterpret_cast<const float4*>(x.data()), reinterpret_cast<float4*>(z.data()), n / 4);
    };
    table t("W2 exp, " + std::to_string(n) + " float32");
    f.call_into(y, x);
    by_hand();
    t.check("croton, raw", max_difference(y, z), 1e-5);
    const double bytes = 8.0 * static_cast<double>(n);
    t.row("croton", [&] { f.call_into(y, x); }, bytes);
    t.row("a kernel by hand", by_hand, bytes, 0, 1.06);
    copy_row(t, z, x, n);
    return t.finish();
}

int composites(std::int64_t n) {
    auto f = composite<cuda>();
    std::vector<array<float, 1, cuda>> in;
    for (unsigned k = 0; k < 7; ++k) in.push_back(numbers<float, 1>({n}, 0.1, 1, k + 1).to<cuda>());
    array<float, 1, cuda> y(n), z(n);
    operands o;
    for (std::size_t k = 0; k < 7; ++k) o.in[k] = reinterpret_cast<const float4*>(in[k].data());
    const auto by_hand = [&] { raw_composite<<<blocks(n / 4), 256, 0, cuda::stream()>>>(o, reinterpret_cast<float4*>(z.data()), n / 4); };
    const auto call = [&] { f.call_into(y, in[0], in[1], in[2], in[3], in[4], in[5], in[6]); };
    table t("W5 composite, " + std::to_string(n) + " float32");
    call();
    by_hand();
    t.check("croton, raw", max_difference(y, z), 1e-5);
    const double bytes = 32.0 * static_cast<double>(n);
    t.row("croton", call, bytes);
    t.row("a kernel by hand", by_hand, bytes, 0, 1.06);
    copy_row(t, z, in[0], n);
    return t.finish();
}

}  // namespace

int main() {
    start();
    int wrong = 0;
    for (const std::int64_t n : {std::int64_t{230'400}, std::int64_t{16} << 20, std::int64_t{256} << 20}) wrong |= exponentials(n);
    for (const std::int64_t n : {std::int64_t{1'000'000}, std::int64_t{64} << 20}) wrong |= composites(n);
    return wrong;
}
