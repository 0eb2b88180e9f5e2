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

TEST_CASE("derivatives of derivatives") {
    const auto x = numbers<double, 3>(1, 2, 2, 7), w = numbers<double, 3>(2, 3, 2, 3);
    CHECK_NOTHROW(verify_grad([](tensor<double, dynamic, 2, dynamic> a, tensor<double, 3, 2, dynamic> b) {
        const auto y = conv1d(a, b, {.stride = 2, .padding = 1});
        return std::tuple(y, grad(sum(y * y * y), a, b));
    }, x, w));
}

TEST_CASE("views, integers, half numbers and batches") {
    const auto f = function<cpu>([](tensor<float, dynamic, dynamic, dynamic> x, tensor<float, 3, 2, 2> w, tensor<int, dynamic, 2, dynamic> k, tensor<int, 3, 2, 2> v,
                                    tensor<half, dynamic, 2, dynamic> h) {
        const auto y = conv1d(x, w, {.stride = 2});
        const auto turned = conv1d(x(slice(none, none), slice(none, none, -1), slice(none, none, 2)), transpose<0, 2, 1>(w));
        // Each image by itself, each with a kernel of its own, and one after the other.
        const auto one = [&](auto a) { return squeeze<0>(conv1d(newaxis<0>(a), w, {.stride = 2})); };
        const auto own = vmap([](auto a, auto b) { return squeeze<0>(conv1d(newaxis<0>(a), b, {.stride = 2})); }, x, stack<0>(w, 2 * w));
        const auto [last, turns] = scan([&](auto total, auto a) { return step(total + sum(one(a)), one(a)); }, sum(w) * 0, x);
        return std::tuple(y, turned, vmap(one, x), own, turns, last, conv1d(k, v, {.padding = "full"}), conv1d(h, w));
    });
    const auto x = numbers<float, 3>(1, 2, 2, 5), w = numbers<float, 3>(3, 3, 2, 2);
    const auto k = array<int, 3>(1, 2, 3), v = array<int, 3>(3, 2, 2);
    const auto results = f(x, w, k, v, array<half, 3>(1, 2, 4));
    const auto& y = std::get<0>(results);
    CHECK(y.extents() == std::array<std::int64_t, 3>{2, 3, 2});
    for (int n = 0; n < 2; ++n)
        for (int o = 0; o < 3; ++o)
            for (int p = 0; p < 2; ++p) {
                float sum = 0;
                for (int i = 0; i < 2; ++i)
                    for (int j = 0; j < 2; ++j) sum += x(n, i, 2 * p + j) * w(o, i, j);
                CHECK(y(n, o, p) == sum);
                CHECK(std::get<2>(results)(n, o, p) == sum);
                CHECK(std::get<3>(results)(n, o, p) == sum * static_cast<float>(n + 1));
                CHECK(std::get<4>(results)(n, o, p) == sum);
                float turned = 0;
                for (int i = 0; i < 2; ++i)
                    for (int j = 0; j < 2; ++j) turned += x(n, 1 - i, 2 * (p + j)) * w(o, j, i);
                CHECK(std::get<1>(results)(n, o, p) == turned);
            }
}

TEST_CASE("what only the call knows") {
    const auto f = function<cpu>([](tensor<float, dynamic, dynamic, dynamic, dynamic> x, tensor<float, dynamic, dynamic, dynamic, dynamic> w) {
        return conv2d(x, w, {.padding = 1, .groups = 2});
    });
    const auto call = [&](std::int64_t channels, std::int64_t size, std::int64_t out, std::int64_t in, std::int64_t kernel) {
        return f(array<float, 4>(1, channels, size, size), array<float, 4>(out, in, kernel, kernel));
    };
    CHECK(call(4, 5, 6, 2, 3).extents() == std::array<std::int64_t, 4>{1, 6, 5, 5});
    CHECK_THROWS_WITH_AS(call(4, 3, 6, 2, 7), doctest::Contains("conv2d: a window of 7 does not fit into an image of 3 elements along axis 2 with its padding"), shape_error);
    CHECK_THROWS_WITH_AS(call(4, 3, 5, 2, 3), doctest::Contains("groups have the same number of channels"), shape_error);
    CHECK_THROWS_WITH_AS(call(5, 3, 6, 2, 3), doctest::Contains("kernels for 2 channels in 2 groups see 4, but argument 1 has extent 5 along axis 1; a convolution needs them equal"), shape_error);
}
