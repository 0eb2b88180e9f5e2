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

template <class Device, class F, class... X> void check_results(F, const X&... x) {
    const auto made = function<Device>(F{})(x.template to<Device>()...);
    const auto expected = function<reference>(F{})(x...);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (check_same(std::get<I>(made).template to<cpu>(), std::get<I>(expected)), ...);
    }(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(expected)>>>());
}

/// Bias and relu in the pass, other numbers of axes, transposed convolutions, views, and numbers of 16 bits.
template <class Device> void check_forms() {
    check_results<Device>([](images<float> x, tensor<float, 10, 4, 3, 3> w, vector<float, 10> b) {
        const auto biased = [&](const auto& y) { return y + newaxis<1>(newaxis<1>(b)); };
        const auto turned = x(slice(none, none), slice(none, none), slice(none, none, -1), slice(none, none, 2));
        return outputs(relu(biased(conv2d(x, w, {.padding = 1, .groups = 2}))), biased(conv2d(x, w, {.stride = 2, .groups = 2, .flip = true})),
                       relu(conv2d(turned, w, {.padding = 2, .groups = 2})), conv_transpose2d(conv2d(x, w, {.groups = 2}), w, {.stride = 2, .groups = 2}));
    }, numbers<float, 4>(1, {2, 8, 9, 10}), numbers<float, 4>(3, {10, 4, 3, 3}), numbers<float, 1>(2, {10}));
    check_results<Device>([](tensor<croton::half, dynamic, 6, dynamic> x, tensor<croton::half, 5, 6, 3> w, tensor<bfloat16, dynamic, 6, dynamic> y, tensor<bfloat16, 5, 6, 3> v,
                             tensor<int, dynamic, 6, dynamic> z, tensor<int, 5, 6, 3> u) {
        return outputs(conv1d(x, w, {.padding = 1}), conv1d(y, v, {.stride = 2}), conv1d(z, u, {.padding = "full"}));
    }, numbers<croton::half, 3>(1, {3, 6, 11}), numbers<croton::half, 3>(2, {5, 6, 3}), numbers<bfloat16, 3>(1, {3, 6, 11}), numbers<bfloat16, 3>(2, {5, 6, 3}), numbers<int, 3>(1, {3, 6, 11}),
       numbers<int, 3>(2, {5, 6, 3}));
    check_results<Device>([](tensor<float, dynamic, 4, dynamic, dynamic, dynamic> x, tensor<float, 6, 4, 2, 3, 2> w) {
        const auto y = conv3d(x, w, {.stride = {1, 2, 1}, .padding = 1});
        return std::tuple_cat(std::tuple(y), grad(sum(y * y), x, w));
    }, numbers<float, 5>(1, {2, 4, 4, 6, 5}), numbers<float, 5>(2, {6, 4, 2, 3, 2}));
}

}  // namespace device_convolution

#endif
