// SPDX-License-Identifier: MIT
// Routines on a GPU: what is cumulated, sorted and searched along an axis.
#include "device/factors.hpp"

using namespace test;

TEST_CASE("along every axis, few rows and many") {
    const auto make = [](auto device) {
        return function<decltype(device)>([](matrix<float> x, vector<float> v) {
            auto y = cumsum<0>(x);
            const auto [largest, places] = topk<2, 1>(x);
            return outputs(y, cumprod<1>(x), logcumsumexp<0>(x), grad(sum(sqr(y)), x), sort<1>(x), argsort<0>(x), largest, places,
                           searchsorted<side::right>(v, x), grad(sum(sort<0>(x) * y), x));
        });
    };
    auto on_gpu = make(cuda{});
    auto expected = make(reference{});
    for (const auto& size : {std::pair<int, int>{0, 4}, {1, 2}, {5, 300}, {300, 5}, {700, 130}}) {
        CAPTURE(size.first);
        const auto x = random_array<float, 2>(1, size.first, size.second);
        const array<float, 1> v{-0.5f, 0, 0, 0.25f};
        const auto e = expected(x, v);
        const auto r = on_gpu(x.to<cuda>(), v.to<cuda>());
        [&]<std::size_t... I>(std::index_sequence<I...>) { (check_close(std::get<I>(r), std::get<I>(e)), ...); }(std::make_index_sequence<10>());
    }
}
