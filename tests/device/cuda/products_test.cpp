// SPDX-License-Identifier: MIT
// Products of every element type on emulated blocks, beside plain loops: of small whole numbers, which no type rounds.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <tuple>
#include <utility>

#include <croton/croton.hpp>

#include "device/emulated_cuda.hpp"

using namespace croton;

namespace {

template <class T> struct products {
    constexpr auto operator()(matrix<T, dim("m"), dim("k")> a, matrix<T, dim("k"), dim("n")> b, vector<T, dim("k")> v, tensor<T, 2, dim("m"), dim("k")> x, tensor<T, 2, dim("k"), dim("n")> y) const {
        return std::tuple(dot(a, b), dot(a, v), dot(v, v), matmul(x, y), matmul(x, b), einsum<"bmk,bkn->nm">(x, y), dot(transpose(b), transpose(a)), outer(v, v),
                          dot(a, b) + newaxis<1>(dot(a, v)), tensordot<1>(x, b));
    }
};
template <class T, int Rank> array<T, Rank> filled(const std::array<std::int64_t, static_cast<std::size_t>(Rank)>& extents, int seed) {
    auto x = array<T, Rank>::uninitialized(extents);
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(static_cast<float>((7 * i + seed) % 3));
    return x;
}

}  // namespace

TEST_CASE_TEMPLATE("products on emulated blocks", T, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, half, bfloat16,
                   float, double) {
    const auto on_gpu = function<emulated_gpu>(products<T>());
    const auto plain = function<reference>(products<T>());
    for (const auto& size : {std::array<std::int64_t, 3>{1, 1, 1}, {3, 5, 2}, {17, 9, 33}, {2, 0, 3}, {0, 4, 1}}) {
        const std::int64_t m = size[0], k = size[1], n = size[2];
        CAPTURE(m);
        const auto a = filled<T, 2>({m, k}, 1), b = filled<T, 2>({k, n}, 2);
        const auto v = filled<T, 1>({k}, 0);
        const auto x = filled<T, 3>({2, m, k}, 1), y = filled<T, 3>({2, k, n}, 0);
        const auto got = on_gpu(a, b, v, x, y);
        const auto wanted = plain(a, b, v, x, y);
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            const bool same[] = {std::get<I>(got).template to<cpu>() == std::get<I>(wanted)...};
            for (std::size_t i = 0; i < sizeof...(I); ++i) {
                CAPTURE(i);
                CHECK(same[i]);
            }
        }(std::make_index_sequence<10>());
    }
}
