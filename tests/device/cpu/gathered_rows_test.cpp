// SPDX-License-Identifier: MIT
// Short rows of which indices choose elements, a row in each lane, beside the reference. Sanitizers see whether a lane without a row reads one.
#include <doctest/doctest.h>

#include <cstdint>

#include "device/cpu/beside_reference.hpp"
#include "ops/support.hpp"

using namespace croton;

namespace {

// Columns that are the same for all rows, alone and beside what lies along rows or is one number for each.
template <class T, class I> constexpr auto columns = [](matrix<T> x, vector<I> at, vector<T> by_row) {
    const auto some = take<1>(x, at);
    return outputs(some, take<1>(x, at - I(2)) * some + newaxis<1>(by_row), sum<1>(some), sum(some), sum<0>(some));
};
// One or more of each row, as a loss takes them.
template <class T, class I> constexpr auto of_each_row = [](matrix<T> x, matrix<I> at) {
    const auto some = take_along_axis<1>(x, at);
    return outputs(some, min<1>(some), sum(some), x * newaxis<1>(sum<1>(some)));
};
template <class T> constexpr auto of_matrices = [](tensor<T, -1, -1, -1> x) { return outputs(diagonal(x), trace(x), diagonal<1>(x)); };
// What is chosen from does not lie side by side, and rows stand before a short axis.
template <class T, class I> constexpr auto apart = [](tensor<T, -1, -1, -1> x, vector<I> at) {
    const auto some = take<1>(x, at);
    return outputs(some, sum<1>(some), take<2>(x, at), sum<2>(take<2>(x, at)));
};

constexpr std::int64_t rows[] = {0, 1, 2, 31, 32, 33, 47, 64, 100, 700, 1025};

template <class T, int Rank> array<T, Rank> made(const std::array<std::int64_t, static_cast<std::size_t>(Rank)>& extents) {
    array<T, Rank> x = support::numbers(3).fill<T, Rank>(extents, 0, 9);
    for (auto& v : x) v = static_cast<T>(static_cast<int>(v));
    return x;
}
/// Indices from -n to n - 1.
template <class I, int Rank> array<I, Rank> indices(const std::array<std::int64_t, static_cast<std::size_t>(Rank)>& extents, int n) {
    array<I, Rank> at(extents);
    unsigned k = 5;
    for (auto& i : at) {
        k = k * 1664525u + 1013904223u;
        const int any = static_cast<int>((k >> 8) % static_cast<unsigned>(2 * n)) - n;
        i = static_cast<I>(std::is_signed_v<I> ? any : any + (any < 0 ? n : 0));
    }
    return at;
}

}  // namespace

TEST_CASE_TEMPLATE("columns of short rows", T, float, std::uint8_t) {
    const auto f = function<cpu>(columns<T, std::int64_t>);
    const auto right = function<reference>(columns<T, std::int64_t>);
    for (const std::int64_t n : rows)
        for (const std::int64_t count : {1, 2, 5, 16, 17, 40}) {
            CAPTURE(n);
            CAPTURE(count);
            const array<T, 2> x = made<T, 2>({n, 7});
            array<std::int64_t, 1> at = indices<std::int64_t, 1>({count}, 5);
            const array<T, 1> by_row = made<T, 1>({n});
            if (n == 0) continue;  // no largest
            check_same(f(x, at, by_row), right(x, at, by_row));
            const array<T, 2> wide = made<T, 2>({n, 15});
            const auto every_second = wide.slice(1, 1, 15, 2);
            check_same(f(every_second, at, by_row), right(every_second, at, by_row));
            const array<T, 2> other = made<T, 2>({7, n});
            check_same(f(other.transpose(), at, by_row), right(other.transpose(), at, by_row));
        }
}

TEST_CASE_TEMPLATE("some of each row, by indices of any type", I, std::int64_t, std::int32_t, std::uint8_t) {
    const auto f = function<cpu>(of_each_row<float, I>);
    const auto right = function<reference>(of_each_row<float, I>);
    for (const std::int64_t n : rows)
        for (const std::int64_t count : {1, 3, 16, 20}) {
            CAPTURE(n);
            CAPTURE(count);
            const array<I, 2> at = indices<I, 2>({n, count}, 6);
            const array<float, 2> x = made<float, 2>({n, 6});
            check_same(f(x, at), right(x, at));
            const array<I, 2> other = indices<I, 2>({count, n}, 6);
            check_same(f(x, other.transpose()), right(x, other.transpose()));
        }
}

TEST_CASE_TEMPLATE("diagonals and traces of many matrices", T, float, std::int64_t) {
    const auto f = function<cpu>(of_matrices<T>);
    const auto right = function<reference>(of_matrices<T>);
    for (const std::int64_t n : rows)
        for (const std::int64_t size : {1, 2, 3, 4, 9}) {
            CAPTURE(n);
            CAPTURE(size);
            const array<T, 3> x = made<T, 3>({n, size, size});
            check_same(f(x), right(x));
            const array<T, 3> turned = made<T, 3>({size, n, size});
            const auto view = turned.template transpose<1, 0, 2>();
            check_same(f(view), right(view));
        }
}

TEST_CASE_TEMPLATE("rows of what lies apart", T, double) {
    const auto f = function<cpu>(apart<T, std::int32_t>);
    const auto right = function<reference>(apart<T, std::int32_t>);
    for (const std::int64_t n : rows)
        for (const std::int64_t size : {1, 3, 8})
            for (const std::int64_t count : {1, 2, 11}) {
                CAPTURE(n);
                CAPTURE(size);
                CAPTURE(count);
                const array<std::int32_t, 1> at = indices<std::int32_t, 1>({count}, static_cast<int>(size));
                const array<T, 3> x = made<T, 3>({n, size, size});
                check_same(f(x, at), right(x, at));
            }
}

TEST_CASE("on several threads, and of numbers of 16 bits") {
    const auto three = threads(3);
    const auto f = function<cpu>(columns<float, std::int64_t>);
    const auto right = function<reference>(columns<float, std::int64_t>);
    const array<float, 2> x = made<float, 2>({100'003, 4});
    const array<std::int64_t, 1> at = indices<std::int64_t, 1>({3}, 4);
    const array<float, 1> by_row = made<float, 1>({100'003});
    check_same(f(x, at, by_row), right(x, at, by_row));

    const auto g = function<cpu>(of_each_row<half, std::int64_t>);
    const auto right_too = function<reference>(of_each_row<half, std::int64_t>);
    array<half, 2> y(200, 5);
    int k = 0;
    for (auto& v : y) v = static_cast<half>(static_cast<float>(k++ % 7));
    const array<std::int64_t, 2> each = indices<std::int64_t, 2>({200, 2}, 5);
    check_same(g(y, each), right_too(y, each));
}
