// SPDX-License-Identifier: MIT
// What structures_test.cpp runs of float and members*_test.cpp do not run of other types: views, joins, what is found, multiplied and carried through loops, on emulated blocks
// beside the reference.
#include <cstdint>
#include <tuple>
#include <type_traits>

#include "device/compare.hpp"
#include "device/emulated_cuda.hpp"

using namespace croton;

namespace {

template <class T> inline constexpr bool is_truth = std::is_same_v<T, bool>;

/// The results of a function on emulated blocks and on the reference are the same, of integers and truth values to the last bit.
template <class F, class... X> void check(F f, const X&... x) {
    auto on_device = function<emulated_gpu>(f);
    auto expected = function<reference>(f);
    const auto got = on_device(x...);
    const auto want = expected(x...);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto check_one = [](std::size_t which, const auto& result, const auto& wanted) {
            CAPTURE(which);
            test::check_close(result.template to<cpu>(), wanted, 1e-12);
        };
        (check_one(I, std::get<I>(got), std::get<I>(want)), ...);
    }(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(want)>>>());
}

}  // namespace

TEST_CASE_TEMPLATE("structures of other types than float on emulated blocks", T, double, std::int32_t, std::uint8_t, bool) {
    const auto x = test::random_array<T, 2>(1, 6, 7), y = test::random_array<T, 2>(2, 6, 7);
    if constexpr (is_truth<T>) {
        check([](matrix<bool> a, matrix<bool> b, vector<bool> h) {
            auto [last, all_of_them] = scan([&](auto s, auto row) { return step(s ^ row, s & row); }, h, a);
            return std::tuple(last, all_of_them, rot90(a) | swapaxes<0, 1>(b), stack<0>(a, b), pad(a, {{1, 2}, {0, 3}}, pad_mode::reflect));
        }, x, y, test::random_array<bool, 1>(6, 7));
    } else {
        check([](matrix<T> a, matrix<T> b, vector<T> edges, vector<T> h) {
            auto [largest, places] = topk<3, 1>(a);
            auto [last, all_of_them] = scan([&](auto s, auto row) { return step(s * T(3) + row, s - row); }, h, a);
            return std::tuple(largest, places, last, all_of_them, rot90(a) + swapaxes<0, 1>(b), stack<0>(a, b), pad(a, {{1, 2}, {0, 3}}, pad_mode::reflect), searchsorted(edges, a), einsum<"ij,kj->ik">(a, b));
        }, x, y, sort(test::random_array<T, 1>(3, 5)), test::random_array<T, 1>(6, 7));
    }
}
