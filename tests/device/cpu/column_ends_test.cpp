// SPDX-License-Identifier: MIT
// Sums along axes in front of others and along short ones behind them, at once, beside the reference.
#include <doctest/doctest.h>

#include <cstdint>

#include "device/cpu/beside_reference.hpp"
#include "ops/support.hpp"

using namespace croton;

namespace {

template <class T> constexpr auto in_front = [](tensor<T, -1, -1, -1> x, vector<T> v) {
    return outputs(sum<0, 2>(x), max<0, 2>(x * newaxis<1>(v)), sum<0, 2>(x * x), sum<0, 2>(max<2>(x, keepdims)), sum<2>(x));
};
template <class T> constexpr auto norms_of_batch = [](tensor<T, -1, -1, -1, -1> x) {
    const auto m = mean<0, 2, 3>(x, keepdims);
    return outputs(m, sum<0, 3>(sqr(x)), max<1, 3>(x), sum<0, 2>(x), sum<3>(sqr(x - m)), sum<0, 1, 3>(x));
};

constexpr std::int64_t sizes[][3] = {{1, 1, 1}, {100, 1, 1}, {100, 3, 1}, {100, 3, 2}, {33, 5, 3}, {2, 100, 3}, {3, 200, 1}, {40, 40, 7}, {1, 70, 24}, {70, 130, 2}, {7, 33, 30}};

}  // namespace

TEST_CASE_TEMPLATE("sums of short rows along an axis in front", T, float, std::int32_t, std::uint8_t) {
    const auto f = function<cpu>(in_front<T>);
    const auto right = function<reference>(in_front<T>);
    for (const auto& size : sizes) {
        const std::int64_t n = size[0], c = size[1], l = size[2];
        CAPTURE(n);
        CAPTURE(c);
        CAPTURE(l);
        const auto v = support::numbers(2).fill<T, 1>({c}, 0.5, 2);
        const auto x = support::numbers(1).fill<T, 3>({n, c, l}, 0.5, 2);
        check_same(f(x, v), right(x, v), 2e-5);
    }
}
TEST_CASE_TEMPLATE("sums of short rows along several axes in front", T, float, double) {
    const auto f = function<cpu>(norms_of_batch<T>);
    const auto right = function<reference>(norms_of_batch<T>);
    for (const auto& size : sizes) {
        CAPTURE(size[0]);
        CAPTURE(size[1]);
        CAPTURE(size[2]);
        const auto x = support::numbers(1).fill<T, 4>({size[0], size[1], 3, size[2]}, 0.5, 2);
        check_same(f(x), right(x), 2e-5);
    }
}
