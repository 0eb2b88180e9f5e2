// SPDX-License-Identifier: MIT
// Pooling on a device against the reference: largest elements, their places, means, and what comes back to the elements, bit by bit.
#ifndef CROTON_TESTS_DEVICE_POOLING_HPP
#define CROTON_TESTS_DEVICE_POOLING_HPP

#include <croton/croton.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <tuple>

#include "ops/support.hpp"

namespace device_pooling {

using namespace croton;

template <class T> using images = tensor<T, dynamic, dynamic, dynamic, dynamic>;

template <class P, class Q> void check_same(const P& p, const Q& q) {
    REQUIRE(p.extents() == q.extents());
    bool same = true;
    for (std::int64_t i = 0; same && i < p.size(); ++i) same = p.data()[i] == q.data()[i] || (p.data()[i] != p.data()[i] && q.data()[i] != q.data()[i]);
    CHECK(same);
}

/// The gradient of what differs from element to element, and the gradient of that.
template <class Y, class X> constexpr auto slopes(const Y& y, const X& x) {
    const auto flat = flatten(y);
    const auto first = grad(sum(sqr(flat) * (cumsum<0>(ones_like(flat)) + 1)), x);
    return std::tuple(first, grad(sum(first * first * x), x));
}

struct largest {
    template <class X> constexpr auto operator()(const X& x) const {
        const auto [y, places] = max_pool2d_with_indices(x, {.kernel = {3, 2}, .stride = {2, 1}, .padding = {1, 0}});
        const auto pairs = max_pool2d(relu(x), {.kernel = 2});
        return std::tuple_cat(std::tuple(y, places, pairs), slopes(y, x), slopes(pairs, x));
    }
};
struct largest_in_other_orders {
    template <class X> constexpr auto operator()(const X& x) const {
        const auto [y, places] = max_pool2d_with_indices<nhwc>(x, {.kernel = 3, .stride = 2, .padding = 1, .ceil_mode = true});
        const auto apart = max_pool2d(x, {.kernel = 2, .stride = 3, .dilation = {2, 1}, .ceil_mode = true});
        return std::tuple_cat(std::tuple(y, places, apart), slopes(y, x), slopes(apart, x));
    }
};
struct means {
    template <class X> constexpr auto operator()(const X& x) const {
        const auto y = avg_pool2d(x, {.kernel = 3, .stride = 2, .padding = 1, .count_padding = false});
        const auto pairs = avg_pool2d(x, {.kernel = 2});
        const auto last = avg_pool2d<nhwc>(x, {.kernel = {2, 3}, .stride = 1, .padding = "same"});
        return std::tuple_cat(std::tuple(y, pairs, last), slopes(y, x), slopes(pairs, x), slopes(last, x));
    }
};
struct means_in_other_orders {
    template <class X> constexpr auto operator()(const X& x) const {
        const auto apart = avg_pool2d(x, {.kernel = {1, 2}, .stride = 3});
        const auto beyond = avg_pool2d(x, {.kernel = {4, 5}, .stride = {3, 4}, .padding = {{1, 2}, {2, 0}}, .ceil_mode = true});
        return std::tuple_cat(std::tuple(apart, beyond), slopes(apart, x), slopes(beyond, x));
    }
};

/// Whole numbers, of which many are equal, and a NaN.
template <class T, int Rank> array<T, Rank> numbers(const extents_of<Rank>& extents) {
    support::numbers random(7);
    auto x = random.fill<T, Rank>(extents, -3, 3);
    for (T& e : x) e = std::round(e);
    if (x.size() > 20) x.data()[17] = std::numeric_limits<T>::quiet_NaN();
    return x;
}

template <class Device, class T, class Pool> void check(const std::vector<extents_of<4>>& all) {
    constexpr auto pool = [](images<T> x) { return Pool{}(x); };
    const auto f = function<Device>(pool);
    const auto g = function<reference>(pool);
    for (const auto& extents : all) {
        const auto x = numbers<T, 4>(extents);
        for (const auto how : {support::layout::dense, support::layout::transposed, support::layout::window}) {
            const support::placed<T, 4> placed(x, how);
            const auto made = f(placed.get()), expected = g(placed.get());
            INFO(extents[0] << " x " << extents[1] << " x " << extents[2] << " x " << extents[3]);
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                (check_same(std::get<I>(made).template to<cpu>(), std::get<I>(expected)), ...);
            }(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(made)>>>());
        }
    }
}

template <class Device> void check_all(const std::vector<extents_of<4>>& all) {
    check<Device, float, largest>(all);
    check<Device, float, largest_in_other_orders>(all);
    check<Device, float, means>(all);
    check<Device, double, means_in_other_orders>(all);
}

}  // namespace device_pooling

#endif
