// SPDX-License-Identifier: MIT
// Parts of arrays and views by indices, as NumPy has them.
#include <doctest/doctest.h>

#include <type_traits>

#include <croton/array/array.hpp>
#include <croton/array/print.hpp>

#include "array/counted.hpp"

using namespace croton;

namespace {

template <class T, int Rank> array<std::remove_const_t<T>, Rank> copied(view<T, Rank> v) { return v; }

}  // namespace

TEST_CASE("slices, whole numbers, fewer indices than axes") {
    auto a = counted(4, 5);
    CHECK(copied(a(slice(1, -1), slice(none, none, 2))) == array<int, 2>{{10, 12, 14}, {20, 22, 24}});
    CHECK(copied(a(2)) == array<int, 1>{20, 21, 22, 23, 24});
    CHECK(copied(a(-1, slice())) == array<int, 1>{30, 31, 32, 33, 34});
    CHECK(copied(a(slice(), -2)) == array<int, 1>{3, 13, 23, 33});
    CHECK(copied(a(slice(none, none, -3))) == array<int, 2>{{30, 31, 32, 33, 34}, {0, 1, 2, 3, 4}});
    CHECK(copied(a(ellipsis, 0)) == array<int, 1>{0, 10, 20, 30});
    CHECK(copied(a(1, ellipsis)) == array<int, 1>{10, 11, 12, 13, 14});
    CHECK(copied(a(ellipsis)) == a);
    CHECK(a(3, none, slice(2)).extents() == extents_of<2>{1, 2});
    CHECK(a(none).extents() == extents_of<3>{1, 4, 5});
    CHECK(a(slice(3, 1)).extents() == extents_of<2>{0, 5});
    CHECK(a(1, 2, ellipsis)() == 12);
    CHECK(a(-1, -2) == 33);
    CHECK(a.at(-4, 0) == 0);
    CHECK(a(1u, 2u) == 12);
}

TEST_CASE("a part is a view: it writes through, and const arrays give views of const") {
    auto a = counted(3, 3);
    a(slice(1, none), 0).fill(-1);
    CHECK(a == array<int, 2>{{0, 1, 2}, {-1, 11, 12}, {-1, 21, 22}});
    a(0).copy_from(array<int, 1>{7, 8, 9});
    CHECK(a(0, 2) == 9);
    const auto& c = a;
    static_assert(std::is_same_v<decltype(c(0)), view<const int, 1>>);
    static_assert(std::is_same_v<decltype(a(0)), view<int, 1>>);
    // Of what is about to go there is no view.
    static_assert(std::is_same_v<decltype(counted(2, 2)(0)), array<int, 1>>);
    CHECK(counted(2, 2)(slice(), 1) == array<int, 1>{1, 11});
}

TEST_CASE("parts of parts, of strided views, of empty arrays") {
    auto a = counted(6, 7);
    const auto odd = a(slice(1, none, 2), slice(none, none, -1));
    CHECK(copied(odd(slice(1, none), slice(1, 3))) == array<int, 2>{{35, 34}, {55, 54}});
    CHECK(copied(odd.transpose()(0)) == array<int, 1>{16, 36, 56});
    array<int, 2> none_there(0, 3);
    CHECK(none_there(slice(1, -1), 2).extents() == extents_of<1>{0});
    CHECK(none_there(slice(none, none, -1)).extents() == extents_of<2>{0, 3});
    array<float, 1> one{5};
    CHECK(one(slice(-3, none))(0) == 5);
    CHECK(one(slice(1, none)).size() == 0);
}

TEST_CASE("indices outside, and a step of 0") {
    auto a = counted(2, 3);
    CHECK_THROWS_WITH_AS(a(2), "index 2 is outside axis 0 of extent 2", std::out_of_range);
    CHECK_THROWS_WITH_AS(a(slice(), -4), "index -4 is outside axis 1 of extent 3", std::out_of_range);
    CHECK_THROWS_WITH_AS(a(slice(none, none, 0)), "slice: the step along axis 0 is 0", shape_error);
    CHECK_THROWS_AS(a.at(0, -4), std::out_of_range);
}

TEST_CASE("eight axes") {
    array<int, 8> a(2, 1, 3, 1, 2, 1, 1, 4);
    int i = 0;
    for (int& x : a) x = i++;
    const auto part = a(1, slice(), slice(none, none, -2), ellipsis, slice(1, -1));
    CHECK(part.extents() == extents_of<7>{1, 2, 1, 2, 1, 1, 2});
    CHECK(part(0, 0, 0, 0, 0, 0, 0) == a(1, 0, 2, 0, 0, 0, 0, 1));
    CHECK(part(0, -1, 0, 1, 0, 0, -1) == a(1, 0, 0, 0, 1, 0, 0, 2));
}

TEST_CASE("square brackets count from the end where the index is negative, as parentheses do") {
    array<int, 2> x{{1, 2, 3}, {4, 5, 6}};
    array<int, 1> v{7, 8, 9};
    CHECK(v[-1] == 9);
    CHECK(x[-1] == array<int, 1>{4, 5, 6});
    CHECK(x[-2][-3] == 1);
    CHECK(x(slice(), slice(none, none, -1))[-1][-1] == 4);
    CHECK(v(slice(none, none, -2))[-1] == 7);
    CHECK(array<int, 1>(v)[-2] == 8);
    CHECK(array<int, 2>(x)[-1](0) == 4);
    v[-1] = 0;
    x[-1][0] = 0;
    CHECK(v(2) == 0);
    CHECK(x(1, 0) == 0);
    for (const std::int64_t i : {0, 1, 2}) CHECK(&v[i] == &v[i - 3]);
}
