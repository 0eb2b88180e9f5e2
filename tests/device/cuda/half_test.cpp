// SPDX-License-Identifier: MIT
// half and bfloat16 on emulated blocks: pieces of 8, sums in wider types.
#include <doctest/doctest.h>

#include "device/emulated_cuda.hpp"
#include "function/half.hpp"

using namespace test;

TEST_CASE("loops, rows and sums") {
    const auto make = [](auto device) {
        return function<decltype(device)>([](matrix<half> x, vector<bfloat16> b, matrix<float> f, scalar<half> s) {
            return outputs(cast<half>(x * 2 + b + s), cast<bfloat16>(f), transpose(x), softmax(x), sum(x), sum<0>(x), sum<1>(x * f), max<1>(x));
        });
    };
    auto on_gpu = make(emulated_gpu{});
    auto expected = make(reference{});
    for (const auto& size : {std::pair<std::int64_t, std::int64_t>{1, 1}, {3, 5}, {2, 8}, {16, 64}, {9, 200}, {70, 31}}) {
        CAPTURE(size.first);
        const std::int64_t n = size.first, m = size.second;
        const auto x = drawn<half, 2>(1, {n, m});
        const auto b = drawn<bfloat16, 1>(2, {m});
        const auto f = drawn<float, 2>(3, {n, m});
        const auto e = expected(x, b, f, 0.25);
        const auto check = [&](const auto& argument) {
            const auto r = on_gpu(argument, b, f, 0.25);
            const double tolerance[] = {1e-3, 0, 0, 2e-5, 2e-5, 2e-5, 2e-5, 0};
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                const bool same[] = {near(std::get<I>(r), std::get<I>(e), tolerance[I])...};
                for (std::size_t i = 0; i < sizeof...(I); ++i) {
                    CAPTURE(i);
                    CHECK(same[i]);
                }
            }(std::make_index_sequence<8>());
        };
        check(x);
        // One element off what 16 bytes are aligned to, and with steps.
        array<half, 2> wide(n, 2 * m + 1);
        auto part = wide.as_view().slice(1, 1, m + 1);
        part.copy_from(x.as_view());
        check(part);
        auto strided = wide.as_view().slice(1, 0, 2 * m, 2);
        strided.copy_from(x.as_view());
        check(strided);
    }
}

TEST_CASE("training in half, on the device") {
    const auto make = [](auto device) {
        return function<decltype(device)>([](matrix<half> x, vector<float> y, shared<vector<half>> w) {
            auto r = dot(x, w) - y;
            auto cost = mean(sqr(r));
            return outputs(cost).updates(w -= 0.1 * grad(cost, w));
        });
    };
    auto on_gpu = make(emulated_gpu{});
    auto expected = make(reference{});
    const auto x = drawn<half, 2>(1, {40, 9});
    const auto y = drawn<float, 1>(2, {40});
    auto w = drawn<half, 1>(3, {9});
    auto on_device = w.to<emulated_gpu>();
    for (int step = 0; step < 5; ++step) CHECK(near(on_gpu(x, y, on_device), expected(x, y, w), 1e-2));
    CHECK(near(on_device, w, 1e-2));
}
