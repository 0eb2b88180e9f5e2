// SPDX-License-Identifier: MIT
// A kernel of your own between two functions: on croton's stream, on croton's arrays, without a copy and without waiting.
#include <croton/croton.hpp>

#include <cstdint>
#include <cstdio>

using namespace croton;

namespace {

constexpr std::int64_t n = 1 << 20;

// What no expression says: each element moves to the place that its bits read backwards name.
__global__ void reverse_bits(const float* from, float* to, int bits) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    to[__brev(i) >> (32 - bits)] = from[i];
}

}  // namespace

int main() {
    if (cuda::count() == 0) {
        std::puts("skipped: no CUDA device");
        return 77;
    }
    auto wave = function<cuda>("wave", [](vector<float, dim("n")> x) { return tanh(x) * exp(-sqr(x)); });
    auto energy = function<cuda>("energy", [](vector<float, dim("n")> x) { return sum(sqr(x)); });

    array<float, 1> host(n);
    for (std::int64_t i = 0; i < n; ++i) host(i) = static_cast<float>(i) / n * 8 - 4;
    const auto x = host.to<cuda>();

    // The steps of `wave`, the kernel and those of `energy` run one after the other on one stream.
    const auto before = wave(x);
    array<float, 1, cuda> shuffled(n);
    reverse_bits<<<n / 256, 256, 0, cuda::stream()>>>(before.data(), shuffled.data(), 20);
    const auto a = energy(before), b = energy(shuffled);

    // Reading a number waits for it, and for nothing else.
    std::printf("energy %.1f, shuffled %.1f\n", static_cast<double>(static_cast<float>(a)), static_cast<double>(static_cast<float>(b)));
}
