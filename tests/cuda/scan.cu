// SPDX-License-Identifier: MIT
// Loops on a GPU: forwards and backwards, nested, with the number of the turn, of several lengths.
#include "device/compare.hpp"

using namespace test;

namespace {

template <class F, class R, class... X> void compare(F& on_gpu, R& expected, const X&... x) {
    const auto e = expected(x...);
    const auto r = on_gpu(x.template to<cuda>()...);
    [&]<std::size_t... I>(std::index_sequence<I...>) { (check_close(std::get<I>(r), std::get<I>(e)), ...); }(std::make_index_sequence<std::tuple_size_v<decltype(e)>>());
}

}  // namespace

TEST_CASE("a recurrent network and its gradient, at several lengths") {
    const auto make = [](auto device) {
        return function<decltype(device)>([](tensor<float, dynamic, 3, dynamic> x, matrix<float> h0, matrix<float> w, matrix<float> u, vector<float> b) {
            auto [last, ys] = scan([&](auto h, auto xt) {
                auto n = tanh(dot(xt, w) + dot(h, u) + b);
                return step(n, sum<1>(n));
            }, h0, x);
            auto cost = sum(sqr(last)) + sum(ys);
            return std::tuple_cat(std::tuple(cost, ys), grad(cost, x, w, u, b));
        });
    };
    auto on_gpu = make(cuda{});
    auto expected = make(reference{});
    for (const int turns : {3, 40, 0, 3})
        compare(on_gpu, expected, random_array<float, 3>(1, turns, 3, 5), random_array<float, 2>(2, 3, 7), random_array<float, 2>(3, 5, 7), random_array<float, 2>(4, 7, 7), random_array<float, 1>(5, 7));
}

TEST_CASE("a loop in a loop, backwards, and the number of the turn") {
    const auto make = [](auto device) {
        return function<decltype(device)>([](matrix<float> x, vector<float> w) {
            auto [state, rows] = scan([&](auto s, auto row) {
                auto [total, parts] = scan([&](auto t, auto k) { return step(t * 0.5f + sum(row) * cast<float>(k), t); }, sum(s), times(4));
                return step(s + w * total, parts);
            }, w, x, {.reverse = true});
            return std::tuple(state, rows);
        });
    };
    auto on_gpu = make(cuda{});
    auto expected = make(reference{});
    compare(on_gpu, expected, random_array<float, 2>(1, 6, 5), random_array<float, 1>(2, 9));
}
