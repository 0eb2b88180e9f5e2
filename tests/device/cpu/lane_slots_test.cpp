// SPDX-License-Identifier: MIT
// Sums along and down short rows of which a loop reads and writes many arrays, as a memory that is erased and added to and its gradient have them, beside the reference.
#include <doctest/doctest.h>

#include <cstdint>

#include "device/cpu/beside_reference.hpp"
#include "ops/support.hpp"

using namespace croton;

namespace {

template <class T> using cube = tensor<T, dynamic, dynamic, dynamic>;

template <class T> constexpr auto write = [](cube<T> memory, matrix<T> w, matrix<T> erase, matrix<T> add, matrix<T> key) {
    auto next = memory * (1 - newaxis<2>(w) * newaxis<1>(erase)) + newaxis<2>(w) * newaxis<1>(add);
    auto length = sqrt(sum<2>(sqr(next)) + T(1e-3));
    auto score = sum<2>(next * newaxis<1>(key)) / length;
    auto cost = sum(score * score * w);
    auto [of_memory, of_w, of_erase, of_add, of_key] = grad(cost, memory, w, erase, add, key);
    return outputs(next, length, score, of_memory, of_w, of_erase, of_add, of_key);
};
// Rows of each slot, sums down the columns of each batch and of all of them, and what each row leaves.
template <class T> constexpr auto mixed = [](cube<T> x, cube<T> y, cube<T> z, matrix<T> a, matrix<T> b, matrix<T> c, vector<T> v, vector<T> u) {
    auto p = x * newaxis<2>(a) + y * newaxis<1>(c);
    auto q = p * z - newaxis<2>(b);
    auto along = sum<2>(p * u);
    return outputs(q, sum<1>(p * newaxis<2>(b)), sum<2>(q * v), (along - a) / (b * b + 1), sum<0, 1>(q * newaxis<2>(a)), max<2>(q), sum(p * q));
};

template <class T> void check(std::int64_t batch, std::int64_t rows, std::int64_t columns, double of_float = 5e-5, double of_double = 5e-12) {
    static const auto f = function<cpu>(write<T>);
    static const auto f_right = function<reference>(write<T>);
    static const auto g = function<cpu>(mixed<T>);
    static const auto g_right = function<reference>(mixed<T>);
    CAPTURE(batch);
    CAPTURE(rows);
    CAPTURE(columns);
    const auto numbers = [seed = std::uint64_t{0}]<int Rank>(const std::int64_t(&extents)[Rank]) mutable {
        std::array<std::int64_t, Rank> of;
        std::copy_n(extents, Rank, of.begin());
        return support::numbers(++seed).fill<T, Rank>(of);
    };
    auto of = numbers;
    const auto x = of({batch, rows, columns}), y = of({batch, rows, columns}), z = of({batch, rows, columns});
    const auto a = of({batch, rows}), b = of({batch, rows});
    const auto c = of({batch, columns}), d = of({batch, columns}), e = of({batch, columns});
    const auto v = of({columns}), u = of({columns});
    check_same(f(x, a, c, d, e), f_right(x, a, c, d, e), of_float, of_double);
    check_same(g(x, y, z, a, b, c, v, u), g_right(x, y, z, a, b, c, v, u), of_float, of_double);
    const auto placed = support::placed<T, 3>(x, support::layout::transposed);
    check_same(g(placed.get(), y, z, a, b, c, v, u), g_right(x, y, z, a, b, c, v, u), of_float, of_double);
}

TEST_CASE_TEMPLATE("short rows of many arrays", T, float, double) {
    for (const std::int64_t batch : {1, 4})
        for (const std::int64_t rows : {1, 15, 16, 33, 128, 300})
            for (const std::int64_t columns : {1, 2, 7, 8, 20, 33, 64, 65}) check<T>(batch, rows, columns);
}
TEST_CASE("short rows of many arrays on two threads") {
    set_threads(2);
    // Of 300,000 numbers that cancel.
    check<float>(50, 300, 20, 1e-3);
    set_threads(0);
}

}  // namespace
