// SPDX-License-Identifier: MIT
// Products of half and bfloat16 on a device that takes them as they lie in memory.
#include <doctest/doctest.h>

#include <string>

#include "device/emulated_cuda.hpp"
#include "function/half.hpp"

using namespace test;

TEST_CASE("a product of two halves reads them as they are") {
    const auto make = [](auto device) {
        return function<decltype(device)>([](matrix<half> x, matrix<half> w, vector<half> v, matrix<float> f, vector<half> c, scalar<float> s) {
            return outputs(dot(x, w), dot(x, v) * s + dot(f, cast<half>(f * 2)) * 0, 0.5 * dot(transpose(w), transpose(x)) + newaxis<1>(c), dot(f, w),
                           dot(cast<bfloat16>(f), cast<bfloat16>(f * 2)));
        });
    };
    auto on_gpu = make(emulated_gpu{});
    auto expected = make(reference{});
    const auto text = explain(on_gpu);
    CHECK(text.find("sgemm  of half") != text.npos);
    CHECK(text.find("sgemv  of half") != text.npos);
    CHECK(text.find("sgemm  of bfloat16") != text.npos);
    for (const int n : {1, 4, 33}) {
        CAPTURE(n);
        const auto x = drawn<half, 2>(1, {n, n}), w = drawn<half, 2>(2, {n, n});
        const auto v = drawn<half, 1>(3, {n}), c = drawn<half, 1>(4, {n});
        const auto f = drawn<float, 2>(5, {n, n});
        emulated_gpu::narrow_products = 0;
        const auto [r1, r2, r3, r4, r5] = on_gpu(x, w, v, f, c, 2.0f);
        CHECK(emulated_gpu::narrow_products == 4);
        const auto [e1, e2, e3, e4, e5] = expected(x, w, v, f, c, 2.0f);
        CHECK(near(r1, e1));
        CHECK(near(r2, e2));
        CHECK(near(r3, e3));
        CHECK(near(r4, e4));
        CHECK(near(r5, e5));
    }
}

TEST_CASE("what is repeated, reshaped or of mixed types is turned into float where it must be") {
    const auto make = [](auto device) {
        return function<decltype(device)>([](vector<half, 4> v, matrix<half, 4, 4> w, matrix<bfloat16, 4, 4> b, tensor<half, 2, 2, 2, 2> t, matrix<half, 4, 4> c) {
            return outputs(dot(broadcast_to<3, 4>(v), w), dot(w, b), dot(reshape<4, 4>(t), w), dot(transpose(cast<half>(w * 2)), w) - c * 0.5,
                           dot(broadcast_to<3, 4>(cast<half>(v * 3)), w), dot(w, cast<half>(broadcast_to<4>(cast<half>(sum(v))))));
        });
    };
    auto on_gpu = make(emulated_gpu{});
    auto on_cpu = make(cpu{});
    auto expected = make(reference{});
    const auto v = drawn<half, 1>(1, {4});
    const auto w = drawn<half, 2>(2, {4, 4}), c = drawn<half, 2>(3, {4, 4});
    const auto b = drawn<bfloat16, 2>(4, {4, 4});
    const auto t = drawn<half, 4>(5, {2, 2, 2, 2});
    const auto e = expected(v, w, b, t, c);
    emulated_gpu::narrow_products = 0;
    const auto r = on_gpu(v, w, b, t, c);
    CHECK(emulated_gpu::narrow_products == 2);  // of the reshaped and of the transposed
    const auto p = on_cpu(v, w, b, t, c);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        const bool same[] = {near(std::get<I>(r), std::get<I>(e))..., near(std::get<I>(p), std::get<I>(e))...};
        for (std::size_t i = 0; i < 2 * sizeof...(I); ++i) {
            CAPTURE(i);
            CHECK(same[i]);
        }
    }(std::make_index_sequence<6>());
}
