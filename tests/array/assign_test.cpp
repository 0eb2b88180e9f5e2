// SPDX-License-Identifier: MIT
// What is assigned to elements, of every pair of ranks that fit: NumPy's `to[...] = from`.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <croton/array/array.hpp>
#include <croton/array/standard.hpp>

#include "message_of.hpp"

using namespace croton;
using test::message_of;

namespace {

template <int Rank> array<int, Rank> counted(const extents_of<Rank>& extents, int from) {
    array<int, Rank> x(extents);
    std::iota(x.begin(), x.end(), from);
    return x;
}

/// The element of `from` that an index into more and longer axes means.
template <int Rank, int Of> int repeated(const array<int, Of>& from, const std::array<std::int64_t, static_cast<std::size_t>(Rank)>& at) {
    std::int64_t offset = 0;
    for (int axis = 0; axis < Of; ++axis) offset = offset * from.extent(axis) + (from.extent(axis) == 1 ? 0 : at[static_cast<std::size_t>(axis + Rank - Of)]);
    return from.data()[offset];
}

/// Every choice of axes that have extent 1, into elements that lie in order, and into every other of an array.
template <int Rank, int Of> void check_pair() {
    constexpr std::array<std::int64_t, 4> longest{2, 3, 1, 4};
    extents_of<Rank> to{}, twice{};
    for (int axis = 0; axis < Rank; ++axis) {
        to[static_cast<std::size_t>(axis)] = longest[static_cast<std::size_t>(axis + 4 - Rank)];
        twice[static_cast<std::size_t>(axis)] = 2 * to[static_cast<std::size_t>(axis)];
    }
    for (unsigned ones = 0; ones < 1u << Of; ++ones) {
        extents_of<Of> extents{};
        for (int axis = 0; axis < Of; ++axis) extents[static_cast<std::size_t>(axis)] = ((ones >> axis) & 1u) != 0 ? 1 : to[static_cast<std::size_t>(axis + Rank - Of)];
        const array<int, Of> from = counted<Of>(extents, 100);
        array<int, Rank> y(to), wide(twice);
        y(ellipsis) = from;
        auto every_other = wide.as_view();
        for (int axis = 0; axis < Rank; ++axis) every_other = every_other.slice(axis, 1, twice[static_cast<std::size_t>(axis)], 2);
        every_other(ellipsis) = from.as_view();
        extents_of<Rank> at{};
        bool same = true;
        for (const int element : y) {
            same = same && element == repeated<Rank>(from, at);
            for (int axis = Rank; axis-- > 0 && ++at[static_cast<std::size_t>(axis)] == to[static_cast<std::size_t>(axis)];) at[static_cast<std::size_t>(axis)] = 0;
        }
        CAPTURE(Rank);
        CAPTURE(Of);
        CAPTURE(ones);
        CHECK(same);
        CHECK(every_other == y.as_view());
        CHECK(std::accumulate(wide.begin(), wide.end(), 0) == std::accumulate(y.begin(), y.end(), 0));  // nothing else is written
    }
}

template <int Rank> void check_rank() {
    [&]<int... Of>(std::integer_sequence<int, Of...>) { (check_pair<Rank, Of>(), ...); }(std::make_integer_sequence<int, Rank + 1>());
}

}  // namespace

TEST_CASE("every pair of ranks") {
    check_rank<1>();
    check_rank<2>();
    check_rank<3>();
    check_rank<4>();
}

TEST_CASE("rows and columns of the same array") {
    array<int, 2> m{{1, 2}, {3, 4}};
    m(slice()) = m(1);
    CHECK(m == array<int, 2>{{3, 4}, {3, 4}});
    m(0, 0) = 5;
    m(slice()) = m(slice(), slice(0, 1));
    CHECK(m == array<int, 2>{{5, 5}, {3, 3}});
    m(0, 1) = 7;
    m(ellipsis) = m(0)(slice(none, none, -1));
    CHECK(m == array<int, 2>{{7, 5}, {7, 5}});
    m(slice(), 0) = m(0, slice(1, none));
    CHECK(m == array<int, 2>{{5, 5}, {5, 5}});
}

TEST_CASE("arrays of others, and whole arrays") {
    const std::vector<int> v{1, 2, 3};
    array<int, 2> m(2, 3);
    m(slice()) = v;
    CHECK(m == array<int, 2>{{1, 2, 3}, {1, 2, 3}});
    array<int, 3> cube(2, 2, 3);
    cube = m;
    CHECK(cube(1) == m);
    m = array<int, 1>{4, 5, 6};
    CHECK(m == array<int, 2>{{4, 5, 6}, {4, 5, 6}});
    cube = m(0);
    CHECK(cube(0, 1) == m(0));
    array<int, 2> none_yet(0, 3);
    none_yet = m(0);
    CHECK(none_yet.extents() == extents_of<2>{0, 3});
}

TEST_CASE("extents that do not fit") {
    array<int, 2> m(2, 3);
    const array<int, 1> two{1, 2};
    CHECK(message_of([&] { m(slice()) = two; }) == "assign: elements of shape [2] do not fit into shape [2,3]");
    CHECK(message_of([&] { m = two; }) == "assign: elements of shape [2] do not fit into shape [2,3]");
    CHECK(message_of([&] { m(slice(0, 1)) = m; }) == "assign: elements of shape [2,3] do not fit into shape [1,3]");
    CHECK(message_of([&] { m(slice(0, 1), slice(0, 1)) = array<int, 2>(0, 1); }) == "assign: elements of shape [0,1] do not fit into shape [1,1]");
    CHECK(m == array<int, 2>(2, 3));
}

TEST_CASE("numbers that elements do not hold") {
    array<std::uint8_t, 1> bytes{1, 2, 3};
    CHECK(message_of([&] { bytes = 300; }) == "300 is assigned to elements of uint8, which holds 0 to 255");
    CHECK(message_of([&] { bytes(slice(0, 2)) = -1; }) == "-1 is assigned to elements of uint8, which holds 0 to 255");
    CHECK(message_of([&] { bytes = 256.0; }) == "256 is assigned to elements of uint8, which holds 0 to 255");
    CHECK(bytes == array<std::uint8_t, 1>{1, 2, 3});
    bytes = 255.9;
    CHECK(bytes(0) == 255);
    bytes = -0.5;
    CHECK(bytes(0) == 0);
    array<std::int64_t, 1> wide(1);
    wide = -9223372036854775808.0;
    CHECK(wide(0) == std::numeric_limits<std::int64_t>::lowest());
    CHECK(message_of([&] { wide = 9223372036854775808.0; }) == "9.22337203685478e+18 is assigned to elements of int64, which holds -9223372036854775808 to 9223372036854775807");
    CHECK(message_of([&] { wide = std::numeric_limits<float>::quiet_NaN(); }) == "nan is assigned to elements of int64, which holds -9223372036854775808 to 9223372036854775807");
    array<float, 2> x(1, 2);
    CHECK(message_of([&] { x = 1e300; }) == "1e+300 is assigned to elements of float, which holds no number as large");
    x = std::numeric_limits<double>::infinity();
    CHECK(x(0, 1) == std::numeric_limits<float>::infinity());
    array<half, 1> h(1);
    CHECK(message_of([&] { h = 1e6; }) == "1000000 is assigned to elements of half, which holds no number as large");
    array<bool, 1> q(1);
    q = 0.5;
    CHECK(q(0));
}

TEST_CASE("numbers in braces") {
    array<int, 2> x(2, 3);
    x(0) = {4, 5, 6};
    x(1, slice(none, none, 2)) = {7};
    CHECK(x == array<int, 2>{{4, 5, 6}, {7, 0, 7}});
    x(slice()) = {1, 2, 3};
    CHECK(x == array<int, 2>{{1, 2, 3}, {1, 2, 3}});
    CHECK_THROWS_AS((x(0) = {1, 2}), shape_error);
}
