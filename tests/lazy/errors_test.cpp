// SPDX-License-Identifier: MIT
// What is wrong with an expression when it is evaluated: one sentence with the extents, and nothing has changed.
#include <doctest/doctest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <croton/croton.hpp>

#include "message_of.hpp"

using namespace croton;
using test::message_of;

namespace {

const array<float, 1> two{1, 2}, three{1, 2, 3};
const array<float, 2> rows{{1, 2, 3}, {4, 5, 6}};

}  // namespace

TEST_CASE("operands of other extents") {
    CHECK(message_of([] { static_cast<void>(eval(two + three)); }) ==
          "a + b: argument 2 (b) has extent 3 along axis 0, but argument 1 (a) has extent 2 along axis 0; add needs them equal");
    CHECK(message_of([] { static_cast<void>(eval(rows * two)); }) ==
          "a * b: argument 2 (b) has extent 2 along axis 0, but argument 1 (a) has extent 3 along axis 1; multiply needs them equal");
    CHECK(message_of([] { static_cast<void>(eval(dot(rows, two))); }) ==
          "dot(a, b): argument 2 (b) has extent 2 along axis 0, but argument 1 (a) has extent 3 along axis 1; dot needs them equal");
    CHECK(message_of([] { static_cast<void>(eval(concatenate<1>(rows, rows(slice(0, 1))))); }) ==
          "concatenate(a, b): argument 2 (b) has extent 1 along axis 0, but argument 1 (a) has extent 2 along axis 0; concatenate needs them equal");
    CHECK(message_of([] { static_cast<void>(eval(two + std::vector<float>{1, 2, 3})); }) ==
          "a + b: argument 2 (b) has extent 3 along axis 0, but argument 1 (a) has extent 2 along axis 0; add needs them equal");
    CHECK(message_of([] { static_cast<void>(allclose(two, three)); }) ==
          "allclose(a, b): argument 2 (b) has extent 3 along axis 0, but argument 1 (a) has extent 2 along axis 0; equal needs them equal");
    CHECK(message_of([] { static_cast<void>(eval(take<0>(two, array<int, 1>{2}))); }) ==
          "take(a, b): argument 2 (b) holds the index 2, but take finds 2 elements along its axis: -2 to 1");
    CHECK_FALSE(array_equal(two, three));
}

TEST_CASE("targets of other extents") {
    array<float, 1> y{7, 8};
    CHECK(message_of([&] { y = three + 1; }) == "a + b: result 1 has extent 3 along axis 0, but the array it is written into has 2");
    CHECK(message_of([&] { y += three; }) == "a + b: argument 2 (b) has extent 3 along axis 0, but argument 1 (a) has extent 2 along axis 0; add needs them equal");
    CHECK(message_of([&] { y(slice(0, 1)) = two * 2; }) == "a * b: result 1 has extent 2 along axis 0, but the array it is written into has 1");
    CHECK(message_of([&] { y(slice(0, 1)) = two; }) == "assign: elements of shape [2] do not fit into shape [1]");
    CHECK(message_of([&] { y.as_view() = dot(rows, two); }) ==
          "dot(a, b): argument 2 (b) has extent 2 along axis 0, but argument 1 (a) has extent 3 along axis 1; dot needs them equal");
    CHECK(y == array<float, 1>{7, 8});
    array<float, 2> m(2, 2);
    CHECK(message_of([&] { m = three * 2; }) ==
          "assign(a, b * c): argument 2 (b) has extent 3 along axis 0, but argument 1 (a) has extent 2 along axis 1; the update needs them equal");
    CHECK(message_of([&] { m -= three; }) == "a - b: argument 2 (b) has extent 3 along axis 0, but argument 1 (a) has extent 2 along axis 1; subtract needs them equal");
    CHECK(message_of([&] { m(0) = rows(0) + 1; }) == "a + b: result 1 has extent 3 along axis 0, but the array it is written into has 2");
    CHECK(m == array<float, 2>(2, 2));
    std::vector<float> v{7, 8};
    CHECK(message_of([&] { as_view(v) = three - 1; }) == "a - b: result 1 has extent 3 along axis 0, but the array it is written into has 2");
    CHECK(v == std::vector<float>{7, 8});
}

TEST_CASE("an empty array takes the extents, and keeps them") {
    array<float, 2> y;
    y = rows + 1;
    CHECK(y == array<float, 2>{{2, 3, 4}, {5, 6, 7}});
    CHECK(message_of([&] { y = rows(slice(), slice(0, 2)) + 1; }) == "a + b: result 1 has extent 2 along axis 1, but the array it is written into has 3");
    y = array<float, 2>();
    y = rows(slice(), slice(0, 2)) + 1;
    CHECK(y.extent(1) == 2);
    array<float, 2> moved = std::move(y);
    y = moved * 2;
    CHECK(y.extent(1) == 2);
    array<float, 1> z;
    z += array<float, 1>();
    CHECK(z.size() == 0);
    CHECK(message_of([&] { z += two; }) == "a + b: argument 2 (b) has extent 2 along axis 0, but argument 1 (a) has extent 0 along axis 0; add needs them equal");
    CHECK(z.size() == 0);
}

TEST_CASE("what has no name moves into the expression") {
    auto e = array<float, 1>{1, 2} * std::vector<float>{10, 20} + two;
    auto f = std::move(e) - array<float, 1>{1, 1};
    array<float, 1> over(2);
    over.fill(9);
    CHECK(f == array<float, 1>{10, 41});
    const auto make = [] {
        array<float, 1> local{5, 6};
        return std::move(local) * 2;
    };
    const auto kept = make();
    CHECK(kept == array<float, 1>{10, 12});
    // A part of a temporary is an array of its own.
    auto part = array<float, 2>{{1, 2}, {3, 4}}(1) + two;
    CHECK(part == array<float, 1>{4, 6});
}

TEST_CASE("expressions whose arguments are alike, and do not lie in order: each is called by its own formula") {
    array<std::int8_t, 2> square{{1, 2}, {3, 4}};
    array<std::int8_t, 1> y(2), longer(3);
    const auto column = square(slice(), 1);
    int number = 300;
    CHECK(message_of<value_error>([&] { y = column + number; }) == "argument 2 (b) is 300, but the function takes int8, which holds -128 to 127");
    CHECK(message_of<value_error>([&] { y = number * column; }) == "argument 1 (a) is 300, but the function takes int8, which holds -128 to 127");
    CHECK(message_of([&] { longer = column + column; }) == "a + b: result 1 has extent 2 along axis 0, but the array it is written into has 3");
    CHECK(message_of([&] { longer = column * column; }) == "a * b: result 1 has extent 2 along axis 0, but the array it is written into has 3");
    number = 3;
    y = column + number;
    CHECK((y == array<std::int8_t, 1>{5, 7}));
    y = column * number;
    CHECK((y == array<std::int8_t, 1>{6, 12}));
}
