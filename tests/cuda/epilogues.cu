// SPDX-License-Identifier: MIT
// Products with a bias and a relu or gelu on a GPU: by cuBLASLt where it takes them, by a kernel behind the product where it does not.
#include "device/compare.hpp"

#include <array>
#include <limits>
#include <type_traits>

using namespace test;

namespace {

template <class Device, class T> auto layers() {
    return function<Device>("layers", [](matrix<T> x, matrix<T> w, vector<T> b) {
        auto h = relu(dot(x, w) + b);
        return outputs(h, dot(x, w) * 2 + b, relu(dot(transpose(w), transpose(x))), gelu(dot(x / 4 + 1, w) + b, approximate::tanh));
    });
}

/// The gelu of cuBLASLt has digits of its own.
template <class T> void compare(double tolerance, double gelu_tolerance) {
    auto on_gpu = layers<cuda, T>();
    auto expected = layers<reference, T>();
    for (const auto& size : {std::array<int, 3>{1, 1, 1}, {3, 4, 5}, {64, 32, 128}, {100, 784, 1000}, {33, 7, 31}, {128, 512, 257}, {0, 3, 2}, {3, 0, 2}, {1, 8, 64}, {64, 8, 1}}) {
        const int m = size[0], k = size[1], n = size[2];
        CAPTURE(m);
        CAPTURE(n);
        const auto x = random_array<T, 2>(1, m, k), w = random_array<T, 2>(2, k, n);
        const auto b = random_array<T, 1>(3, n);
        const auto gx = x.template to<cuda>(), gw = w.template to<cuda>();
        const auto gb = b.template to<cuda>();
        const auto [h, s, r, g] = expected(x, w, b);
        array<T, 2, cuda> gh(m, n), gs(m, n), gr(n, m), gg(m, n);
        // The third call replays a graph.
        for (int call = 0; call < 3; ++call) {
            on_gpu.call_into(std::tie(gh, gs, gr, gg), gx, gw, gb);
            check_close(gh, h, tolerance);
            check_close(gs, s, tolerance);
            check_close(gr, r, tolerance);
            check_close(gg, g, gelu_tolerance);
        }
    }
}

}  // namespace

TEST_CASE("products with bias and relu or gelu") {
    for (const bool fused : {false, true}) {
        CAPTURE(fused);
        cuda::allow_fused_activations(fused);
        compare<float>(1e-4, fused ? 1e-2 : 1e-4);
        compare<double>(1e-12, fused ? 1e-2 : 1e-12);
    }
    cuda::allow_fused_activations(false);
}

TEST_CASE("cuBLASLt takes what lies as it wants it") {
    namespace device = detail::cuda_device;
    const int m = 128, k = 256, n = 512;
    const auto x = random_array<float, 2>(1, m, k).to<cuda>(), w = random_array<float, 2>(2, k, n).to<cuda>();
    const auto b = random_array<float, 1>(3, n).to<cuda>();
    array<float, 2, cuda> c(m, n);
    const auto fused = [&]<class Activation>(std::type_identity<Activation>, const float* bias) {
        kernel::epilogue<float, Activation> then;
        if (bias != nullptr) then.bias = {bias, n, 1};
        return device::multiply_fused<float>(1, {x.data(), m, k, k, 1}, {w.data(), k, n, n, 1}, then, {c.data(), m, n, n, 1});
    };
    const std::type_identity<void> none;
    const std::type_identity<op::relu> relu;
    const std::type_identity<op::gelu_tanh> gelu;
    CHECK(fused(none, b.data()));
    CHECK_FALSE(fused(relu, b.data()));
    CHECK_FALSE(fused(gelu, b.data()));
    cuda::allow_fused_activations(true);
    CHECK(fused(relu, b.data()));
    CHECK(fused(relu, nullptr));
    CHECK(fused(gelu, b.data()));
    CHECK(fused(gelu, nullptr));
    // A bias that no vector instruction reads.
    CHECK_FALSE(fused(relu, b.data() + 1));
    cuda::allow_fused_activations(false);
    cuda::synchronize();
}

TEST_CASE("NaN stays NaN behind a relu, unless its loss is allowed") {
    auto on_gpu = layers<cuda, float>();
    auto x = random_array<float, 2>(1, 64, 32);
    const auto w = random_array<float, 2>(2, 32, 128);
    const auto b = random_array<float, 1>(3, 128);
    x(5, 7) = std::numeric_limits<float>::quiet_NaN();
    const auto nans = [&] {
        const auto [h, s, r, g] = on_gpu(x, w, b);
        int count = 0;
        for (const float v : h.template to<cpu>()) count += std::isnan(v) ? 1 : 0;
        return count;
    };
    CHECK(nans() == 128);
    cuda::allow_fused_activations(true);
    // Another function: the first may have recorded its steps.
    on_gpu = layers<cuda, float>();
    const int kept = nans();
    MESSAGE("relu fused by cuBLASLt keeps " << kept << " of 128 NaN");
    cuda::allow_fused_activations(false);
}
