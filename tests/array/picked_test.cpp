// SPDX-License-Identifier: MIT
// Arrays and views indexed by arrays of whole numbers.
#include <doctest/doctest.h>

#include <type_traits>
#include <utility>
#include <vector>

#include <croton/array/picked.hpp>
#include <croton/array/print.hpp>
#include <croton/core/half.hpp>

#include "array/counted.hpp"

using namespace croton;

TEST_CASE("rows, columns and single elements, several times and from the end") {
    const auto a = counted(4, 3);
    const array<int, 1> ids{3, 0, -1, 3};
    CHECK(a(ids) == array<int, 2>{{30, 31, 32}, {0, 1, 2}, {30, 31, 32}, {30, 31, 32}});
    CHECK(a(slice(), array<std::int64_t, 1>{2, -3}) == array<int, 2>{{2, 0}, {12, 10}, {22, 20}, {32, 30}});
    CHECK(a(ids, array<std::int64_t, 1>{0, 1, 2, -1}) == array<int, 1>{30, 1, 32, 32});
    CHECK(a(array<int, 2>{{0}, {1}}, array<int, 1>{2, 0, 1}) == array<int, 2>{{2, 0, 1}, {12, 10, 11}});
    CHECK(a(1, array<int, 2>{{0, 2}, {1, 1}}) == array<int, 2>{{10, 12}, {11, 11}});
    CHECK(a(array<int, 0>(2)) == array<int, 1>{20, 21, 22});
    CHECK(a(array<int, 0>(2), array<int, 0>(-1))() == 22);
    CHECK(a(ellipsis, array<int, 1>{1}) == array<int, 2>{{1}, {11}, {21}, {31}});
    CHECK(a(slice(none, none, -2), array<int, 1>{0, 0}) == array<int, 2>{{30, 30}, {10, 10}});
    CHECK(a(none, ids, 0) == array<int, 2>{{30, 0, 30, 30}});
    CHECK(counted(2, 2)(array<int, 1>{1}) == array<int, 2>{{10, 11}});
    static_assert(std::is_same_v<decltype(a(ids)), array<int, 2>>);
}

TEST_CASE("of views and by views") {
    auto a = counted(4, 3);
    const array<int, 1> ids{0, 9, 2, 9};
    const auto every_second = ids(slice(none, none, 2));
    CHECK(a.transpose()(every_second) == array<int, 2>{{0, 10, 20, 30}, {2, 12, 22, 32}});
    CHECK(a(slice(1, none), slice(none, none, -1))(every_second) == array<int, 2>{{12, 11, 10}, {32, 31, 30}});
    const array<double, 3> cube(2, 3, 4);
    CHECK(cube(slice(), every_second).extents() == extents_of<3>{2, 2, 4});
    CHECK(cube(slice(), every_second, every_second).extents() == extents_of<2>{2, 2});
    CHECK(cube(array<int, 2>(5, 6)).extents() == extents_of<4>{5, 6, 3, 4});
    const array<half, 1> h{half(1.5f), half(2)};
    CHECK(h(array<int, 1>{1, 0, 0}) == array<half, 1>{half(2), half(1.5f), half(1.5f)});
    const array<bool, 8> deep(1, 1, 1, 1, 1, 1, 1, 2);
    CHECK(deep(ellipsis, array<int, 1>{1, 1, 0}).extents() == extents_of<8>{1, 1, 1, 1, 1, 1, 1, 3});
}

TEST_CASE("none picked, nothing to pick from, places outside") {
    const auto a = counted(4, 3);
    CHECK(a(array<int, 1>(0)).extents() == extents_of<2>{0, 3});
    CHECK(a(array<int, 1>(0), array<int, 1>{1}).size() == 0);
    const array<int, 2> empty(0, 3);
    CHECK(empty(array<int, 1>(0)).extents() == extents_of<2>{0, 3});
    CHECK(empty(slice(), array<int, 1>{2, 2}).extents() == extents_of<2>{0, 2});
    CHECK_THROWS_WITH_AS(empty(array<int, 1>{0}), "index 0 is outside axis 0 of extent 0", std::out_of_range);
    CHECK_THROWS_WITH_AS(a(array<int, 1>{0, 4}), "index 4 is outside axis 0 of extent 4", std::out_of_range);
    CHECK_THROWS_WITH_AS(a(1, array<std::int64_t, 1>{-4}), "index -4 is outside axis 1 of extent 3", std::out_of_range);
    CHECK_THROWS_WITH_AS(a(array<int, 1>{0, 1}, array<int, 1>{0, 1, 2}), "indices: an array of shape [3] does not go with one of shape [2]", shape_error);
}

TEST_CASE("any index in square brackets, and those of the standard library") {
    array<float, 2> a{{1, 2}, {3, 4}, {5, 6}};
    const std::vector<int> ids{2, 0};
    CHECK(a[array<int, 1>{2, 0}] == array<float, 2>{{5, 6}, {1, 2}});
    CHECK(a[ids] == array<float, 2>{{5, 6}, {1, 2}});
    CHECK(a(slice(), std::vector<int>{1}) == array<float, 2>{{2}, {4}, {6}});
    a[slice(1, none)] = 0;
    CHECK(a == array<float, 2>{{1, 2}, {0, 0}, {0, 0}});
    CHECK(std::as_const(a)[slice(none, none, -1)] == array<float, 2>{{0, 0}, {0, 0}, {1, 2}});
    CHECK(a.as_view()[ellipsis] == a);
    CHECK(array<float, 1>{1, 2, 3}[slice(0, 2)] == array<float, 1>{1, 2});
}

TEST_CASE("by masks: of one axis, of several, among other indices, and of the wrong length") {
    const auto a = counted(4, 3);
    const array<bool, 1> rows{true, false, false, true}, columns{false, true, true};
    CHECK(a(rows) == array<int, 2>{{0, 1, 2}, {30, 31, 32}});
    CHECK(a(slice(), columns) == array<int, 2>{{1, 2}, {11, 12}, {21, 22}, {31, 32}});
    CHECK(a(ellipsis, columns) == a(slice(), columns));
    CHECK(a(rows, columns) == array<int, 1>{1, 32});
    CHECK(a(rows, array<int, 1>{2, 0}) == array<int, 1>{2, 30});
    CHECK(a(rows, 1) == array<int, 1>{1, 31});
    CHECK(a(rows, slice(none, none, -1)) == array<int, 2>{{2, 1, 0}, {32, 31, 30}});
    CHECK(a(none, rows).extents() == extents_of<3>{1, 2, 3});
    const array<bool, 2> each{{true, false, false}, {false, false, true}, {false, false, false}, {true, true, false}};
    CHECK(a(each) == array<int, 1>{0, 12, 30, 31});
    const array<bool, 2> other{{true, false, false, true}, {false, false, false, true}, {false, true, false, false}};
    CHECK(a(other.transpose()) == array<int, 1>{0, 12, 30, 31});
    CHECK(a.transpose()(other) == array<int, 1>{0, 30, 31, 12});
    const array<int, 3> cube(2, 4, 3);
    CHECK(cube(slice(), each).extents() == extents_of<2>{2, 4});
    CHECK(cube(slice(), rows).extents() == extents_of<3>{2, 2, 3});
    CHECK(array<int, 3>(4, 3, 5)(each).extents() == extents_of<2>{4, 5});
    CHECK(a[rows] == a(rows));
    CHECK(a(array<bool, 1>(4)).extents() == extents_of<2>{0, 3});
    CHECK(array<int, 1>(0)(array<bool, 1>(0)).size() == 0);
    CHECK(array<bool, 1>{true, false}(array<bool, 1>{false, true}) == array<bool, 1>{false});
    const array<bool, 1> every{true, false, false, true, true};
    CHECK(array<int, 1>{1, 2, 3}(every(slice(none, none, 2))) == array<int, 1>{1, 3});
    CHECK_THROWS_WITH_AS(a(columns), "indices: a mask with 3 elements along axis 0, whose extent is 4", shape_error);
    CHECK_THROWS_WITH_AS(a(slice(), rows), "indices: a mask with 4 elements along axis 1, whose extent is 3", shape_error);
    CHECK_THROWS_WITH_AS(a(other), "indices: a mask with 3 elements along axis 0, whose extent is 4", shape_error);
    CHECK_THROWS_WITH_AS(a(array<bool, 1>{true, true, true, true}, columns), "indices: an array of shape [2] does not go with one of shape [4]", shape_error);
    CHECK_THROWS_WITH_AS(a(array<bool, 1>(5)), "indices: a mask with 5 elements along axis 0, whose extent is 4", shape_error);
}
