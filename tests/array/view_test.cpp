// SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <croton/array/view.hpp>

#include "message_of.hpp"

using namespace croton;
using test::message_of;

static_assert(std::is_trivially_copyable_v<view<float, 2>>);
static_assert(std::is_convertible_v<view<float, 2>, view<const float, 2>>);
static_assert(!std::is_convertible_v<view<const float, 2>, view<float, 2>>);
static_assert(std::is_convertible_v<std::span<float>, view<float, 1>>);
static_assert(!std::is_convertible_v<std::span<const float>, view<float, 1>>);

namespace {

std::vector<int> counted(int n) {
    std::vector<int> values(static_cast<std::size_t>(n));
    std::iota(values.begin(), values.end(), 0);
    return values;
}

}  // namespace

TEST_CASE("a pointer with extents is a dense view") {
    auto values = counted(24);
    view<int, 3> x(values.data(), {2, 3, 4});
    CHECK(x.size() == 24);
    CHECK(x.extent(1) == 3);
    CHECK(x.stride(0) == 12);
    CHECK(x(1, 2, 3) == 23);
    CHECK(x.is_contiguous());
    CHECK(x[1](2, 3) == 23);
    CHECK(x[1][2][3] == 23);
    x(0, 0, 1) = 100;
    CHECK(values[1] == 100);
    CHECK(view(values.data(), std::array<std::int64_t, 2>{4, 6})(3, 5) == 23);
}

TEST_CASE("a span is a rank-1 view") {
    auto values = counted(5);
    view<int, 1> x = std::span(values);
    CHECK(x.extent(0) == 5);
    CHECK(x[4] == 4);
    view y = std::span(values);
    static_assert(std::is_same_v<decltype(y), view<int, 1>>);
}

TEST_CASE("a rank-0 view is one number") {
    double number = 2.5;
    view<double, 0> x(&number, {});
    CHECK(x.size() == 1);
    CHECK(x.is_contiguous());
    CHECK(x() == 2.5);
    CHECK(x.transpose()() == 2.5);
    x.fill(3);
    CHECK(number == 3);
}

TEST_CASE("slices") {
    auto values = counted(20);
    view<int, 2> x(values.data(), {4, 5});
    const auto inner = x.slice(0, 1, 3).slice(1, 1, 5, 2);
    CHECK(inner.extents() == extents_of<2>{2, 2});
    CHECK(inner(0, 0) == 6);
    CHECK(inner(1, 1) == 13);
    CHECK(!inner.is_contiguous());
    CHECK(x.slice(0, 1, 3).is_contiguous());
    const auto backwards = x[0].slice(0, 4, -1, -1);
    CHECK(backwards.extent(0) == 5);
    CHECK(backwards[0] == 4);
    CHECK(backwards[4] == 0);
    CHECK(x[0].slice(0, 4, -1, -3).extent(0) == 2);
    CHECK(x[0].slice(0, 0, 5, 100).extent(0) == 1);
    CHECK(x.slice(1, 5, 5).size() == 0);
    CHECK(x[0].slice(0, 0, 5, std::numeric_limits<std::int64_t>::max()).extent(0) == 1);
}

TEST_CASE("a slice that leaves the axis is an error") {
    auto values = counted(20);
    view<int, 2> x(values.data(), {4, 5});
    CHECK_THROWS_AS((void)x.slice(1, 0, 6), shape_error);
    CHECK_THROWS_AS((void)x.slice(1, -1, 2), shape_error);
    CHECK_THROWS_AS((void)x.slice(1, 3, 2), shape_error);
    CHECK_THROWS_AS((void)x.slice(1, 0, 2, 0), shape_error);
    CHECK_THROWS_AS((void)x.slice(1, 5, 0, -1), shape_error);
    CHECK_THROWS_AS((void)x.slice(2, 0, 1), shape_error);
    CHECK(message_of([&] { (void)x.slice(1, 0, 6); }) == "slice: from 0 to 6 by 1 leaves axis 1 of extent 5");
}

TEST_CASE("transpose reverses the axes") {
    auto values = counted(24);
    view<int, 3> x(values.data(), {2, 3, 4});
    const auto y = x.transpose();
    CHECK(y.extents() == extents_of<3>{4, 3, 2});
    CHECK(y(3, 2, 1) == x(1, 2, 3));
    CHECK(!y.is_contiguous());
    CHECK(y.transpose() == x);
}

TEST_CASE("contiguous means dense where an axis has more than one index") {
    auto values = counted(24);
    CHECK(view<int, 2>(values.data(), {1, 4}, {99, 1}).is_contiguous());
    CHECK(view<int, 2>(values.data(), {4, 1}, {1, 99}).is_contiguous());
    CHECK(view<int, 2>(values.data(), {0, 4}, {7, 7}).is_contiguous());
    CHECK(!view<int, 2>(values.data(), {2, 2}, {0, 1}).is_contiguous());
    CHECK(!view<int, 1>(values.data() + 3, {4}, {-1}).is_contiguous());
}

TEST_CASE("a stride may be zero") {
    int one = 7;
    const view<const int, 2> x(&one, {3, 4}, {0, 0});
    CHECK(x(2, 3) == 7);
    std::vector<int> to(12);
    view<int, 2>(to.data(), {3, 4}).copy_from(x);
    CHECK(to == std::vector<int>(12, 7));
}

TEST_CASE("copy_from copies elements and checks extents") {
    auto values = counted(6);
    std::vector<int> to(6);
    view<int, 2> x(values.data(), {2, 3});
    view<int, 2> y(to.data(), {3, 2});
    y.copy_from(x.transpose());
    CHECK(to == std::vector<int>{0, 3, 1, 4, 2, 5});
    CHECK(message_of([&] { y.copy_from(x); }) == "copy_from: elements of shape [2,3] do not fit into shape [3,2]");
    CHECK(to == std::vector<int>{0, 3, 1, 4, 2, 5});
}

TEST_CASE("copy_from an overlapping view copies what was there before") {
    auto values = counted(6);
    view<int, 1> x = std::span(values);
    x.slice(0, 1, 6).copy_from(x.slice(0, 0, 5));
    CHECK(values == std::vector<int>{0, 0, 1, 2, 3, 4});
    std::iota(values.begin(), values.end(), 0);
    x.copy_from(x.slice(0, 5, -1, -1));
    CHECK(values == std::vector<int>{5, 4, 3, 2, 1, 0});
    auto nine = counted(9);
    view<int, 2> square(nine.data(), {3, 3});
    square.copy_from(square.transpose());
    CHECK(nine == std::vector<int>{0, 3, 6, 1, 4, 7, 2, 5, 8});
    CHECK(square.overlaps(square));
    CHECK(!square.slice(0, 0, 1).overlaps(square.slice(0, 1, 3)));
}

TEST_CASE("equality is of extents and elements") {
    auto values = counted(6);
    auto same = counted(6);
    view<int, 2> x(values.data(), {2, 3});
    CHECK(x == view<const int, 2>(same.data(), {2, 3}));
    CHECK(x != view<int, 2>(same.data(), {3, 2}));
    same[5] = 0;
    CHECK(x != view<int, 2>(same.data(), {2, 3}));
}

TEST_CASE("at checks the index") {
    auto values = counted(6);
    view<int, 2> x(values.data(), {2, 3});
    CHECK(x.at(1, 2) == 5);
    CHECK_THROWS_AS((void)x.at(1, 3), std::out_of_range);
    CHECK(message_of([&] { (void)x.at(1, 3); }) == "index 3 is outside axis 1 of extent 3");
    CHECK(message_of([&] { (void)x.at(-3, 0); }) == "index -3 is outside axis 0 of extent 2");
}

TEST_CASE("extents must be those of an array") {
    CHECK(message_of([] { view<int, 2>(nullptr, {2, -3}); }) ==
          "the extents [2,-3] are not an array's: axis 1 is negative");
}

TEST_CASE("an empty view") {
    view<float, 2> x;
    CHECK(x.size() == 0);
    CHECK(x == view<float, 2>());
    x.fill(1);
    x.copy_from(view<float, 2>());
}
