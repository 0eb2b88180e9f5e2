// SPDX-License-Identifier: MIT
// half and bfloat16 on a GPU: every conversion, loops and sums, products by cuBLAS, updates.
#include "device/compare.hpp"

#include <array>
#include <bit>

// cuBLAS brings a type named half into the global namespace.
using fp16 = croton::half;

using namespace test;

TEST_CASE("every bit pattern to float and back, and the roundings between neighbours") {
    auto f = function<cuda>([](vector<fp16> h, vector<bfloat16> b, vector<float> x) {
        return outputs(cast<float>(h), cast<float>(b), cast<fp16>(cast<float>(h)), cast<fp16>(x), cast<bfloat16>(x));
    });
    array<fp16, 1> h(65536);
    array<bfloat16, 1> b(65536);
    array<float, 1> x(1 << 20);
    for (int i = 0; i < 65536; ++i) {
        h(i) = fp16::from_bits(static_cast<std::uint16_t>(i));
        b(i) = bfloat16::from_bits(static_cast<std::uint16_t>(i));
    }
    // Every upper half of a float with what is around the middles below it.
    constexpr std::uint32_t low[] = {0, 1, 0x0fff, 0x1000, 0x1001, 0x2fff, 0x3000, 0x3001, 0x4fff, 0x5000, 0x5001, 0x7fff, 0x8000, 0x8001, 0xafff, 0xffff};
    for (std::int64_t i = 0; i < x.size(); ++i) x(i) = std::bit_cast<float>(static_cast<std::uint32_t>(i / 16) << 16 | low[i % 16]);
    const auto [wide_h, wide_b, again, to_h, to_b] = f(h, b, x);
    const auto host_h = wide_h.to<cpu>();
    const auto host_b = wide_b.to<cpu>();
    const auto host_again = again.to<cpu>();
    std::int64_t wrong = 0;
    for (int i = 0; i < 65536; ++i) {
        const float e = h(i), g = b(i);
        wrong += std::isnan(e) ? !std::isnan(host_h(i)) : host_h(i) != e || host_again(i).bits != h(i).bits;
        wrong += std::isnan(g) ? !std::isnan(host_b(i)) : host_b(i) != g;
    }
    CHECK(wrong == 0);
    const auto rounded_h = to_h.to<cpu>();
    const auto rounded_b = to_b.to<cpu>();
    for (std::int64_t i = 0; i < x.size(); ++i) {
        const bool nan = std::isnan(x(i));
        wrong += nan ? !std::isnan(static_cast<float>(rounded_h(i))) : rounded_h(i).bits != fp16(x(i)).bits;
        wrong += nan ? !std::isnan(static_cast<float>(rounded_b(i))) : rounded_b(i).bits != bfloat16(x(i)).bits;
    }
    CHECK(wrong == 0);
}

TEST_CASE("loops, rows and sums of half") {
    const auto make = [](auto device) {
        return function<decltype(device)>([](matrix<fp16> x, vector<bfloat16> b, matrix<float> f, scalar<fp16> s) {
            return outputs(cast<fp16>(x * 2 + b + s), cast<bfloat16>(f), transpose(x), softmax(x), sum(x), sum<0>(x), sum<1>(x * f), max<1>(x));
        });
    };
    auto on_gpu = make(cuda{});
    auto expected = make(reference{});
    for (const auto& size : {std::pair<int, int>{1, 1}, {3, 5}, {2, 8}, {31, 33}, {64, 128}, {129, 1025}, {3, 100'000}}) {
        CAPTURE(size.first);
        const auto x = random_array<fp16, 2>(1, size.first, size.second);
        const auto b = random_array<bfloat16, 1>(2, size.second);
        const auto f = random_array<float, 2>(3, size.first, size.second);
        const auto [e1, e2, e3, e4, e5, e6, e7, e8] = expected(x, b, f, 0.25);
        const auto [r1, r2, r3, r4, r5, r6, r7, r8] = on_gpu(x.to<cuda>(), b.to<cuda>(), f, 0.25);
        check_close(r1, e1, 1e-3);
        check_close(r2, e2, 0);
        check_close(r3, e3, 0);
        check_close(r4, e4);
        check_close(r5, e5, 1e-4);
        check_close(r6, e6, 1e-4);
        check_close(r7, e7, 1e-4);
        check_close(r8, e8, 0);
    }
}

TEST_CASE("products of half and of bfloat16 sum in float") {
    const auto make = [](auto device) {
        return function<decltype(device)>([](matrix<fp16> x, matrix<fp16> w, vector<fp16> v, matrix<float> f, scalar<float> s, matrix<bfloat16> y) {
            return outputs(dot(x, w), dot(x, v), dot(v, w) * s, 0.5 * dot(transpose(w), transpose(x)), dot(f, w), s * dot(cast<bfloat16>(f), y) + dot(f, cast<float>(y)));
        });
    };
    auto on_gpu = make(cuda{});
    auto expected = make(reference{});
    for (const auto& size : {std::array<int, 3>{1, 1, 1}, {3, 4, 5}, {64, 32, 129}, {5, 0, 3}, {0, 4, 3}, {33, 1000, 8}}) {
        CAPTURE(size[0]);
        const int m = size[0], k = size[1], n = size[2];
        const auto x = random_array<fp16, 2>(1, m, k), w = random_array<fp16, 2>(2, k, n);
        const auto v = random_array<fp16, 1>(3, k);
        const auto f = random_array<float, 2>(4, m, k);
        const auto y = random_array<bfloat16, 2>(5, k, n);
        const auto [e1, e2, e3, e4, e5, e6] = expected(x, w, v, f, 1.5, y);
        const auto [r1, r2, r3, r4, r5, r6] = on_gpu(x, w, v, f, 1.5, y);
        check_close(r1, e1);
        check_close(r2, e2);
        check_close(r3, e3);
        check_close(r4, e4);
        check_close(r5, e5);
        check_close(r6, e6);
    }
}

TEST_CASE("training on samples and weights of half") {
    const auto make = [](auto device) {
        return function<decltype(device)>([](matrix<fp16> x, vector<float> y, shared<vector<fp16>> w, shared<scalar<bfloat16>> b) {
            auto r = dot(x, w) + b - y;
            auto cost = mean(sqr(r));
            auto [gw, gb] = grad(cost, w, b);
            return outputs(cost).updates(w -= 0.1 * gw, b -= 0.1 * gb);
        });
    };
    auto on_gpu = make(cuda{});
    auto expected = make(reference{});
    const auto x = random_array<fp16, 2>(1, 400, 30);
    const auto y = random_array<float, 1>(2, 400);
    auto w = random_array<fp16, 1>(3, 30);
    array<bfloat16, 0> b;
    auto gw = w.to<cuda>();
    auto gb = b.to<cuda>();
    const auto gx = x.to<cuda>();
    const auto gy = y.to<cuda>();
    for (int step = 0; step < 10; ++step) check_close(on_gpu(gx, gy, gw, gb), expected(x, y, w, b), 1e-2);
    check_close(gw, w, 1e-2);
}
