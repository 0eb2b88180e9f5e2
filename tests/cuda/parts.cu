// SPDX-License-Identifier: MIT
// Parts of arrays on a GPU: slices, what is joined, picked and brought to where indices lead.
#include "device/compare.hpp"

using namespace test;

TEST_CASE("slices and joined arrays") {
    const auto make = [](auto device) {
        return function<decltype(device)>([](matrix<float> x) {
            const auto inner = x(slice(1, -1), slice(none, none, -2));
            const auto [front, back] = split<0>(x, 1, none);
            const auto cost = sum(sqr(inner)) + sum(exp(pad(x, 1, pad_mode::reflect)));
            return outputs(inner * 2, concatenate<1>(x, exp(x), flip<1>(x)), roll<0>(x, 1) - tile<1, 1>(x), repeat<0, 2>(x), pad(x, {{0, 2}, {1, 0}}, 7), diff<0>(x), tril(x), front, back, grad(cost, x));
        });
    };
    auto on_gpu = make(cuda{});
    auto expected = make(reference{});
    for (const auto& size : {std::pair<int, int>{2, 2}, {3, 5}, {300, 7}, {65, 130}}) compare_on<cuda>(on_gpu, expected, random_array<float, 2>(1, size.first, size.second));
}

TEST_CASE("picked by indices, and brought to where they lead") {
    const auto make = [](auto device) {
        return function<decltype(device)>([](matrix<float> x, vector<int> ids, vector<int> columns, matrix<float> v) {
            return outputs(take<0>(x, ids), exp(x(ids, columns)), take_along_axis<1>(x, columns(slice(), none) * 0), add_at<0>(x, ids, v), set_at<0>(x, ids, v), bincount<9>(ids), grad(sum(sqr(x(ids))), x));
        });
    };
    auto on_gpu = make(cuda{});
    auto expected = make(reference{});
    compare_on<cuda>(on_gpu, expected, random_array<float, 2>(1, 5, 33), array<int, 1>{4, 0, 4, 1, 3}, array<int, 1>{0, 32, -1, 7, 7}, random_array<float, 2>(2, 5, 33));
}

TEST_CASE("rows of a table that lazy_adam trains") {
    const auto make = [](auto device) {
        return function<decltype(device)>([](vector<int> ids, shared<matrix<float>> table, shared<adam_state<symbol<float, 2>>> state) {
            auto cost = sum(sqr(take<0>(table, ids)));
            return outputs(cost).updates(lazy_adam(cost, table, state));
        });
    };
    auto on_gpu = make(cuda{});
    auto expected = make(reference{});
    auto table = random_array<float, 2>(3, 100, 17);
    auto state = adam_state<array<float, 2>>::zeros_like(table);
    auto there = table.to<cuda>();
    auto state_there = adam_state<array<float, 2, cuda>>::zeros_like(there);
    for (const auto& ids : {array<int, 1>{5, 99, 5}, array<int, 1>{-1, 0, 7}}) {
        expected(ids, table, state);
        on_gpu(ids.to<cuda>(), there, state_there);
        check_close(there, table);
    }
}
