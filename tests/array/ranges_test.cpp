// SPDX-License-Identifier: MIT
// Arrays and views with one axis as ranges, whatever their step.
#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <ranges>
#include <vector>

#include <croton/array/array.hpp>
#include <croton/array/rows.hpp>

using namespace croton;

// In clang before 16 the views of libstdc++ do not compile.
#if !defined(__clang__) || __clang_major__ >= 16
#define HAS_VIEWS 1
#endif

namespace {

template <class X> std::vector<float> listed(const X& x) {
    std::vector<float> all;
    for (float v : x) all.push_back(v);
    return all;
}

}  // namespace

TEST_CASE("concepts") {
    using strided = view<float, 1>;
    static_assert(std::ranges::random_access_range<strided> && std::ranges::sized_range<strided> && std::ranges::common_range<strided>);
    static_assert(std::ranges::borrowed_range<strided> && std::ranges::view<strided>);
    static_assert(!std::ranges::contiguous_range<strided>);
    static_assert(std::ranges::random_access_range<view<const float, 1>> && std::ranges::output_range<strided, float>);
    static_assert(std::ranges::contiguous_range<array<float, 1>&> && std::ranges::contiguous_range<const array<float, 1>&>);
    static_assert(!std::ranges::range<view<float, 2>>);
}

TEST_CASE("loops") {
    array<float, 2> x{{1, 2, 3}, {4, 5, 6}};
    CHECK(listed(x) == std::vector<float>{1, 2, 3, 4, 5, 6});
    CHECK(listed(x(1)) == std::vector<float>{4, 5, 6});
    CHECK(listed(x(slice(), 1)) == std::vector<float>{2, 5});
    CHECK(listed(x(0, slice(none, none, -2))) == std::vector<float>{3, 1});
    CHECK(listed(x(0, slice(1, 1))).empty());
    CHECK(listed(view<float, 1>(x.data(), {3}, {0})) == std::vector<float>{1, 1, 1});
    CHECK(listed(view<const float, 1>()).empty());
    for (float& v : x(slice(), 2)) v = -v;
    CHECK(x == array<float, 2>{{1, 2, -3}, {4, 5, -6}});
    for (auto row : x.as_view().transpose()(slice(1, 3), 0)) CHECK((row == 2 || row == -3));
}

TEST_CASE("rows") {
    array<float, 2> x{{1, 2, 3}, {4, 5, 6}};
    static_assert(std::ranges::random_access_range<decltype(x.rows())> && std::ranges::borrowed_range<decltype(x.rows())>);
    for (auto row : x.rows()) row(slice(0, 1)) = -row(1);
    CHECK(x == array<float, 2>{{-2, 2, 3}, {-5, 5, 6}});
    std::vector<float> sums;
    for (auto column : std::as_const(x).transpose().rows()) sums.push_back(std::accumulate(column.begin(), column.end(), 0.0f));
    CHECK(sums == std::vector<float>{-7, 7, 9});
    const auto all = x.rows();
    CHECK((all.size() == 2 && all.end() - all.begin() == 2 && all.begin()[1] == x(1)));
    CHECK((*std::ranges::max_element(all, {}, [](auto row) { return row(2); }))(0) == -5);
    array<float, 3> cube(2, 3, 4);
    CHECK(cube(1).rows().size() == 3);
    CHECK((*cube.rows().begin()).extent(1) == 4);
}

TEST_CASE("algorithms") {
    std::vector<float> memory{5, 0, 1, 0, 4, 0, 2, 0, 3, 0};
    view<float, 1> odd(memory.data(), {5}, {2});
    std::ranges::sort(odd);
    CHECK(memory == std::vector<float>{1, 0, 2, 0, 3, 0, 4, 0, 5, 0});
    CHECK(std::accumulate(odd.begin(), odd.end(), 0.0f) == 15);
    CHECK(*std::ranges::lower_bound(odd, 3.5f) == 4);
    std::reverse(odd.begin(), odd.end());
    CHECK(std::ranges::equal(odd, std::vector<float>{5, 4, 3, 2, 1}));
    const auto it = odd.begin();
    CHECK(it[3] == 2);
    CHECK(*(it + 2) == *(2 + it));
    CHECK(*std::prev(odd.end()) == 1);
    CHECK((it < odd.end() && odd.end() - it == 5));
    const array<float, 1> copy(odd.begin(), odd.end());
    CHECK(copy == array<float, 1>{5, 4, 3, 2, 1});
#ifdef HAS_VIEWS
    std::vector<float> piped;
    for (float v : odd | std::views::reverse | std::views::transform([](float f) { return 10 * f; }) | std::views::take(2)) piped.push_back(v);
    CHECK(piped == std::vector<float>{10, 20});
#endif
}
