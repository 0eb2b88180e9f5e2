// SPDX-License-Identifier: MIT
// Rows, sums of columns and what is read across on the GPU, against a copy on the device that moves as many bytes.
// Not in the report: it needs a GPU, where tests/cuda/run.sh runs it beside bench/cuda_peers.py.
#include "cuda_common.hpp"

namespace {

using namespace bench;
using namespace croton;

/// `f` reads `x` and writes as much as `y` has. It should reach `share` of the bytes that a copy moves in a second; 0: no target.
template <class F, class G, class X, class Y> int against_copy(const std::string& title, F f, G on_host, const X& x, Y y, double share) {
    const auto there = x.template to<cuda>();
    auto result = y.template to<cuda>();
    table t(title);
    f.call_into(result, there);
    on_host.call_into(y, x);
    t.check("croton, the host", max_difference(result, y), 1e-3);
    const double bytes = 4.0 * static_cast<double>(x.size() + y.size());
    t.row("croton", [&] { f.call_into(result, there); }, bytes);
    const auto half = static_cast<std::int64_t>(bytes / 8);
    const array<float, 1, cuda> from(half);
    array<float, 1, cuda> to(half);
    const auto copied = static_cast<std::size_t>(half) * sizeof(float);
    t.row("a copy on the device", [&] { check(cudaMemcpyAsync(to.data(), from.data(), copied, cudaMemcpyDeviceToDevice, cuda::stream())); },
          2 * static_cast<double>(copied), 0, share > 0 ? 1 / share : 0);
    return t.finish();
}
std::string size(std::int64_t m, std::int64_t n) { return std::to_string(m) + " x " + std::to_string(n) + " float32"; }

int rows(std::int64_t m, std::int64_t n, double share) {
    const auto make = []<class Device>(std::type_identity<Device>) { return function<Device>([](matrix<float> x) { return softmax<1>(x); }); };
    return against_copy("softmax of rows, " + size(m, n), make(std::type_identity<cuda>()), make(std::type_identity<cpu>()), numbers<float, 2>({m, n}, -2, 2, 1), array<float, 2>(m, n), share);
}
int columns(std::int64_t m, std::int64_t n, double share) {
    const auto make = []<class Device>(std::type_identity<Device>) { return function<Device>([](matrix<float> x) { return mean<0>(x); }); };
    return against_copy("means of columns, " + size(m, n), make(std::type_identity<cuda>()), make(std::type_identity<cpu>()), numbers<float, 2>({m, n}, -2, 2, 1), array<float, 1>(n), share);
}
int across(std::int64_t m, std::int64_t n, double share) {
    const auto make = []<class Device>(std::type_identity<Device>) { return function<Device>([](matrix<float> x) { return transpose(x) + 1; }); };
    return against_copy("read across, " + size(m, n), make(std::type_identity<cuda>()), make(std::type_identity<cpu>()), numbers<float, 2>({m, n}, -2, 2, 1), array<float, 2>(n, m), share);
}

}  // namespace

int main() {
    start();
    int wrong = rows(1'600'000, 10, 0.8) | rows(500'000, 32, 0.8) | rows(16'000, 1000, 0.9) | rows(16, 1'000'000, 0) | rows(100, 10, 0);
    // The gradient of a bias, and where the memory counts.
    wrong |= columns(100, 1000, 0) | columns(4096, 1024, 0) | columns(65'536, 256, 0.9);
    return wrong | across(4096, 4096, 0.8) | across(1'600'000, 10, 0);
}
