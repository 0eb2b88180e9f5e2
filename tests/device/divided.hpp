// SPDX-License-Identifier: MIT
// Functions whose loops are divided in every way that a device has: by elements, rows, columns and squares, with few and with many of them.
#ifndef CROTON_TESTS_DEVICE_DIVIDED_HPP
#define CROTON_TESTS_DEVICE_DIVIDED_HPP

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include "device/compare.hpp"

namespace test {

template <class Device> auto every_division() {
    return function<Device>("every division", [](matrix<float> x, matrix<double> y, matrix<float> across, vector<float> weight) {
        // Sums of columns inside of rows, and outside.
        const auto cost = sum(sqr(softmax(x) * weight)) + mean(log_softmax(x) * weight);
        return outputs(softmax(x), log_softmax(y), sum<1>(x), sum<0>(x), max<0>(y), sum<0>(x > 0), cost, grad(cost, weight), grad(cost, x), transpose(x), transpose(y) + 1,
                       exp(x) + transpose(across), x * 2);
    });
}
/// Sums of columns that no loop over rows takes up.
template <class Device> auto column_sums() {
    return function<Device>("column sums", [](matrix<float> x, matrix<double> y) { return outputs(sum<0>(exp(x)), mean<0>(y), sum(y)); });
}

/// Around the sizes at which threads, lanes, warps and blocks share a row, up to `most` elements; twice, which gives the same bits.
template <class Device> void check_divisions(std::int64_t most) {
    auto f = every_division<Device>();
    auto g = every_division<reference>();
    auto columns = column_sums<Device>();
    auto expected_columns = column_sums<reference>();
    for (const auto& size : {std::pair<std::int64_t, std::int64_t>{1, 1}, {1, 1000}, {100, 10}, {1000, 3}, {37, 33}, {64, 64}, {5, 2000}, {130, 128}, {500, 40}, {3000, 32}, {4096, 64},
                             {300, 1001}, {2, 300'000}, {100'000, 10}, {8192, 1024}}) {
        const std::int64_t m = size.first, n = size.second;
        if (m * n > most) continue;
        CAPTURE(m);
        CAPTURE(n);
        const auto x = random_array<float, 2>(1, m, n).template to<Device>();
        const auto y = random_array<double, 2>(2, m, n).template to<Device>();
        const auto across = random_array<float, 2>(4, n, m).template to<Device>();
        const auto weight = random_array<float, 1>(3, n).template to<Device>();
        compare_on<Device>(columns, expected_columns, x.template to<cpu>(), y.template to<cpu>());
        const auto first = f(x, y, across, weight), again = f(x, y, across, weight);
        const auto want = g(x.template to<cpu>(), y.template to<cpu>(), across.template to<cpu>(), weight.template to<cpu>());
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            const auto check = [&](std::size_t number, const auto& one, const auto& other, const auto& expected) {
                CAPTURE(number);
                check_close(one, expected, 1e-4);
                check_close(other, one.template to<cpu>(), 1e-30);
            };
            (check(I, std::get<I>(first), std::get<I>(again), std::get<I>(want)), ...);
        }(std::make_index_sequence<std::tuple_size_v<decltype(want)>>());
    }
}

}  // namespace test

#endif
