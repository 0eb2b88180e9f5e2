// SPDX-License-Identifier: MIT
// Convolutions on a device against the reference, with both gradients.
#ifndef CROTON_TESTS_DEVICE_CONVOLUTION_HPP
#define CROTON_TESTS_DEVICE_CONVOLUTION_HPP

#include <croton/croton.hpp>

#include <doctest/doctest.h>

#include <tuple>

namespace device_convolution {

using namespace croton;

// Halves of small whole numbers: every sum is exact in any order.
template <class T, int Rank> array<T, Rank> numbers(int from, const extents_of<Rank>& extents) {
    array<T, Rank> a(extents);
    for (T& each : a) each = static_cast<T>(static_cast<float>((from++ * 37 % 11) - 5) / 2);
    return a;
}

template <class P, class Q> void check_same(const P& p, const Q& q) {
    REQUIRE(p.extents() == q.extents());
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < p.size(); ++i) wrong += static_cast<double>(p.data()[i]) == static_cast<double>(q.data()[i]) ? 0 : 1;
    CHECK(wrong == 0);
}

template <class T> using images = tensor<T, dynamic, dynamic, dynamic, dynamic>;

struct plain {
    template <class X, class W> constexpr auto operator()(const X& x, const W& w) const { return conv2d(x, w, {.padding = 1}); }
};
struct strided {
    template <class X, class W> constexpr auto operator()(const X& x, const W& w) const {
        return conv2d(x, w, {.stride = {3, 2}, .padding = {{1, 2}, {0, 3}}, .dilation = {1, 2}});
    }
};
struct grouped {
    template <class X, class W> constexpr auto operator()(const X& x, const W& w) const { return conv2d(x, w, {.padding = "same", .groups = 3, .flip = true}); }
};
struct last {
    template <class X, class W> constexpr auto operator()(const X& x, const W& w) const { return conv2d<nhwc>(x, w, {.stride = {2, 1}, .padding = 1}); }
};

/// Images and kernels of these extents: the result and what comes back to both.
template <class Device, class T, class Convolution> void check(const extents_of<4>& of_x, const extents_of<4>& of_w) {
    constexpr auto all = [](images<T> x, images<T> w) {
        const auto y = Convolution{}(x, w);
        return std::tuple(y, grad(sum(y * y), x, w));
    };
    static const auto f = function<Device>(all);
    static const auto g = function<reference>(all);
    const auto x = numbers<T, 4>(1, of_x), w = numbers<T, 4>(5, of_w);
    const auto [y, slopes] = f(x.template to<Device>(), w.template to<Device>());
    const auto [y_plain, slopes_plain] = g(x, w);
    INFO(of_x[0] << " x " << of_x[1] << " x " << of_x[2] << " x " << of_x[3] << ", kernels " << of_w[0] << " x " << of_w[1] << " x " << of_w[2] << " x " << of_w[3]);
    check_same(y.template to<cpu>(), y_plain);
    check_same(std::get<0>(slopes).template to<cpu>(), std::get<0>(slopes_plain));
    check_same(std::get<1>(slopes).template to<cpu>(), std::get<1>(slopes_plain));
}

template <class Device> void check_all() {
    // Few results of a group, as many as a small tile has rows, some and many; with what fits fours and what does not.
    check<Device, float, plain>({2, 3, 7, 6}, {4, 3, 3, 3});
    check<Device, float, plain>({2, 8, 12, 12}, {40, 8, 3, 3});
    check<Device, float, plain>({3, 16, 9, 9}, {70, 16, 1, 2});
    check<Device, float, plain>({1, 1, 5, 5}, {1, 1, 3, 3});
    check<Device, float, plain>({0, 3, 7, 6}, {4, 3, 3, 3});
    check<Device, float, strided>({2, 5, 11, 10}, {17, 5, 3, 2});
    check<Device, float, grouped>({2, 12, 7, 6}, {15, 4, 3, 2});
    check<Device, float, grouped>({3, 3, 20, 20}, {3, 1, 3, 3});
    check<Device, float, last>({2, 9, 8, 8}, {3, 3, 8, 20});
    check<Device, float, last>({2, 5, 4, 3}, {3, 2, 3, 5});
    check<Device, double, strided>({1, 36, 8, 7}, {33, 36, 2, 3});
}

}  // namespace device_convolution

#endif
