// SPDX-License-Identifier: MIT
// What is found in arrays: where elements are not 0, and which there are.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <croton/croton.hpp>

using namespace croton;
using ids = array<std::int64_t, 1>;

TEST_CASE("elements that a mask picks, which an expression makes") {
    const array<double, 1> x{3, -1, 0, 2}, y{1, 2, 3, 4};
    const array<double, 2> m{{1, -2, 3}, {-4, 5, 6}};
    CHECK(x(x > 0) == array<double, 1>{3, 2});
    CHECK(y((x > 0) & (y > 1)) == array<double, 1>{4});
    CHECK(eval(x + y)(x > 0) == array<double, 1>{4, 6});
    CHECK(m(m > 2) == array<double, 1>{3, 5, 6});
    CHECK(m(slice(), sum<0>(m) > 0) == array<double, 2>{{-2, 3}, {5, 6}});
    CHECK(m(max<1>(m) > 4, 0) == array<double, 1>{-4});
    CHECK(m.transpose()(m.transpose() < 0) == array<double, 1>{-4, -2});
    CHECK(sum(x(x > 0)) == 5.0);
    const std::vector<float> v{1, 2, 3};
    CHECK(as_view(v)(as_view(v) > 1.5f) == array<float, 1>{2, 3});
}

TEST_CASE("nonzero, flatnonzero and argwhere") {
    const array<double, 1> x{0, 3, -0.0, NAN, 1};
    CHECK(nonzero(x) == ids{1, 3, 4});
    CHECK(nonzero(x > 2) == ids{1});
    CHECK(nonzero(x(slice(none, none, -1))) == ids{0, 1, 3});
    CHECK(x(nonzero(x > 0)) == array<double, 1>{3, 1});
    CHECK(nonzero(std::vector<int>{0, 0, 7}) == ids{2});
    CHECK(nonzero(array<half, 1>{half(0), half(-0.0f), half(1)}) == ids{2});
    CHECK(nonzero(array<float, 1>(0)).size() == 0);

    const array<int, 2> m{{0, 1, 2}, {3, 0, 0}};
    const auto [i, j] = nonzero(m);
    CHECK(i == ids{0, 0, 1});
    CHECK(j == ids{1, 2, 0});
    CHECK(m(i, j) == array<int, 1>{1, 2, 3});
    const auto [k, l] = nonzero(transpose(m) > 1);
    CHECK(k == ids{0, 2});
    CHECK(l == ids{1, 0});
    CHECK(flatnonzero(m) == ids{1, 2, 3});
    CHECK(flatnonzero(m.transpose()) == ids{1, 2, 4});
    CHECK(flatnonzero(array<bool, 0>(true)) == ids{0});
    CHECK(argwhere(m > 0) == array<std::int64_t, 2>{{0, 1}, {0, 2}, {1, 0}});
    CHECK(argwhere(x > 2) == array<std::int64_t, 2>{{1}});
    CHECK(argwhere(array<bool, 8>(1, 1, 1, 1, 1, 1, 1, 1)).extents() == extents_of<2>{0, 8});
    CHECK(std::get<2>(nonzero(array<int, 3>(2, 0, 3))).size() == 0);
}

TEST_CASE("unique elements, how often, where first, and which each is") {
    const array<int, 2> x{{3, 1, 3}, {7, 1, 3}};
    CHECK(unique(x) == array<int, 1>{1, 3, 7});
    CHECK(unique(x.transpose() * -1) == array<int, 1>{-7, -3, -1});
    const auto [values, firsts, inverse, counts] = unique_all(x);
    CHECK(values == array<int, 1>{1, 3, 7});
    CHECK(firsts == ids{1, 0, 3});
    CHECK(inverse == array<std::int64_t, 2>{{1, 0, 1}, {2, 0, 1}});
    CHECK(counts == ids{2, 3, 1});
    CHECK(values(inverse) == x);
    const auto [seen, often] = unique_counts(array<bool, 1>{true, false, true});
    CHECK(seen == array<bool, 1>{false, true});
    CHECK(often == ids{1, 2});
    const auto [names, which] = unique_inverse(std::vector<float>{2, 1, 2});
    CHECK(names == array<float, 1>{1, 2});
    CHECK(which == ids{1, 0, 1});

    const float inf = std::numeric_limits<float>::infinity();
    const array<float, 1> special{NAN, inf, 0, NAN, -inf, -0.0f, 0};
    const array<float, 1> found = unique(special);
    CHECK(found.extent(0) == 4);
    CHECK(found(slice(0, 3)) == array<float, 1>{-inf, 0, inf});
    CHECK(std::isnan(found(3)));
    CHECK(std::get<1>(unique_counts(special)) == ids{1, 3, 1, 2});
    CHECK(unique(array<half, 1>{half(2), half(1), half(2)}) == array<half, 1>{half(1), half(2)});
    CHECK(unique(array<double, 3>(2, 0, 3)).size() == 0);
    CHECK(std::get<2>(unique_all(array<double, 3>(2, 0, 3))).extents() == extents_of<3>{2, 0, 3});
    CHECK(unique(array<int, 0>(4)) == array<int, 1>{4});
    CHECK(unique(array<std::uint64_t, 1>{1, 18446744073709551615u, 1}) == array<std::uint64_t, 1>{1, 18446744073709551615u});
}

TEST_CASE("unique elements of many") {
    array<float, 2> x(41, 100);
    random::normal(x, 5);
    x = round(4 * x);
    x(3, 7) = x(40, 99) = std::numeric_limits<float>::quiet_NaN();
    const array<float, 1> sorted = sort(flatten(x)), values = unique(x);
    CHECK(values.size() > 20);
    const auto [same, firsts, inverse, counts] = unique_all(x.transpose());
    CHECK((array_equal(same(slice(0, -1)), values(slice(0, -1))) && sum(counts) == 4100 && counts(-1) == 2));
    CHECK(array_equal(where(isnan(x), 0, x), where(isnan(same(inverse)), 0, same(inverse)).eval().transpose()));
    for (std::int64_t i = 1; i + 1 < values.size(); ++i) CHECK(values(i - 1) < values(i));
    for (std::int64_t i = 0, at = 0; i < counts.size(); at += counts(i++)) CHECK((same(i) == sorted(at) || std::isnan(sorted(at))));
    const array<float, 1> flat = flatten(transpose(x));
    for (std::int64_t i = 0; i < firsts.size(); ++i) CHECK(inverse(firsts(i) / 41, firsts(i) % 41) == i);
    CHECK((flat(firsts(0)) == values(0) && array_equal(unique(cast<int>(where(isnan(x), 0, x))), cast<int>(values(slice(0, -1))))));
}
