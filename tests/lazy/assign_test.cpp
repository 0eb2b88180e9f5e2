// SPDX-License-Identifier: MIT
// Assigning expressions to arrays and to parts of them, also where they read what is written: NumPy's values, and memory only where it is needed.
#include <doctest/doctest.h>

#include <cstdint>

#include <croton/croton.hpp>

#include "faults.hpp"

using namespace croton;

namespace {

array<float, 1> counting(std::int64_t n) {
    array<float, 1> x(n);
    for (std::int64_t i = 0; i < n; ++i) x(i) = static_cast<float>(i + 1);
    return x;
}

template <class F> long allocations(F&& f) {
    f();
    const long before = test::allocations;
    f();
    return test::allocations - before;
}

}  // namespace

TEST_CASE("an array of the extents, an empty one, one of others") {
    const array<float, 1> a{1, 2, 3};
    array<float, 1> y(3);
    const float* const at = y.data();
    y = a * 2;
    CHECK(y == array<float, 1>{2, 4, 6});
    CHECK(y.data() == at);
    array<float, 1> sized;
    sized = a + 1;
    CHECK(sized == array<float, 1>{2, 3, 4});
    array<float, 1> other(2);
    CHECK_THROWS_AS(other = a + 1, shape_error);
    CHECK(other == array<float, 1>{0, 0});
    array<float, 1> none_left(3);
    CHECK_THROWS_AS((none_left = array<float, 1>(0) * 2), shape_error);
    array<float, 2> rows(2, 3);
    rows = a - 1;
    CHECK(rows == array<float, 2>{{0, 1, 2}, {0, 1, 2}});
    rows = sum(a);
    CHECK(rows == array<float, 2>{{6, 6, 6}, {6, 6, 6}});
    array<float, 0> number;
    number = sum(a);
    CHECK(static_cast<float>(number) == 6);
}

TEST_CASE("whichever extents differ, nothing is written") {
    for (std::int64_t n = 1; n <= 5; ++n)
        for (std::int64_t m = 1; m <= 5; ++m)
            for (std::int64_t k = 1; k <= 5; ++k) {
                CAPTURE(n);
                CAPTURE(m);
                CAPTURE(k);
                const array<float, 1> a = counting(n), b = counting(m);
                const array<float, 2> c(n, m), d(m, k);
                array<float, 1> y(k), scaled(k), added(k);
                array<float, 2> rows(k, n);
                if (n == m && m == k) {
                    y = a + 2 * b;
                    CHECK(y(n - 1) == 3 * static_cast<float>(n));
                    scaled = a / norm(b);
                    CHECK(scaled(0) == doctest::Approx(1 / static_cast<float>(norm(b))));
                    rows = c + d + 1;
                    CHECK(rows(k - 1, n - 1) == 1);
                } else {
                    CHECK_THROWS_AS(y = a + 2 * b, shape_error);
                    CHECK_THROWS_AS(rows = c + d + 1, shape_error);
                    // A sum of squares has an extent of its own.
                    if (n != k) CHECK_THROWS_AS(scaled = a / norm(b), shape_error);
                    CHECK(y == array<float, 1>(k));
                    CHECK(rows == array<float, 2>(k, n));
                }
                if (n != k) CHECK_THROWS_AS(added += 2 * a, shape_error);
                CHECK(added == array<float, 1>(k));
            }
    array<float, 2> flat(0, 4), other(4, 0);
    CHECK_THROWS_AS(flat += other, shape_error);
    flat += flat * 2;
    CHECK(flat.extent(1) == 4);
}

TEST_CASE("parts") {
    array<float, 2> x{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    const array<float, 1> v{10, 20, 30};
    x(slice(), 1) += 100;
    CHECK(x == array<float, 2>{{1, 102, 3}, {4, 105, 6}, {7, 108, 9}});
    x(slice(0, 2)) = v * 2;
    CHECK(x == array<float, 2>{{20, 40, 60}, {20, 40, 60}, {7, 108, 9}});
    x(2) = v;
    x(slice(), slice(none, none, 2)) = 0;
    CHECK(x == array<float, 2>{{0, 40, 0}, {0, 40, 0}, {0, 20, 0}});
    x.transpose() = x + array<float, 2>{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}};
    CHECK(x == array<float, 2>{{0, 3, 6}, {41, 44, 27}, {2, 5, 8}});
    x(1) /= 2;
    x(0) -= 1;
    x(2) *= v;
    CHECK(x == array<float, 2>{{-1, 2, 5}, {20.5, 22, 13.5}, {20, 100, 240}});
    auto line = x(0);
    line = v + 1;
    CHECK(x(0) == array<float, 1>{11, 21, 31});
    CHECK_THROWS_AS(x(slice(0, 2), 0) = v * 1, shape_error);
    CHECK_THROWS_AS(x(slice(0, 2), 0) = v, shape_error);
    array<int, 1> whole{7, 8, 9};
    whole %= 4;
    CHECK(whole == array<int, 1>{3, 0, 1});
    whole |= 4;
    whole &= 5;
    whole ^= 1;
    CHECK(whole == array<int, 1>{4, 5, 4});
    array<float, 1> nothing(0);
    nothing += 1;
    nothing(slice(0, 0)) = nothing * 2;
    CHECK(nothing.size() == 0);
}

TEST_CASE("what has one element along an axis is repeated there, as NumPy does") {
    array<float, 2> x{{1, 2}, {3, 4}}, y(2, 2), sized;
    const array<float, 1> v{1, 2};
    y = sum<1>(x, keepdims);
    CHECK(y == array<float, 2>{{3, 3}, {7, 7}});
    CHECK(allocations([&] { y = sum<1>(x, keepdims); }) == 0);
    y = newaxis<1>(v) * 2;
    CHECK(y == array<float, 2>{{2, 2}, {4, 4}});
    y = v(none, slice()) + 1;
    CHECK(y == array<float, 2>{{2, 3}, {2, 3}});
    y(slice(none, none, -1)) = sum(x, keepdims);
    CHECK(y == array<float, 2>{{10, 10}, {10, 10}});
    x = max<1>(x, keepdims);
    CHECK(x == array<float, 2>{{2, 2}, {4, 4}});
    sized = sum<1>(x, keepdims);
    CHECK(sized == array<float, 2>{{4}, {8}});
    sized = max<1>(x, keepdims);
    CHECK(sized == array<float, 2>{{2}, {4}});
    array<float, 1> three(3);
    three = stack<0>(sum(v));
    CHECK(three == array<float, 1>{3, 3, 3});
    array<float, 2> longer(3, 2);
    CHECK_THROWS_AS(longer = sum<1>(x, keepdims), shape_error);
    CHECK_THROWS_AS(longer(slice(), slice(0, 0)) = sum<1>(x, keepdims), shape_error);
    CHECK(longer == array<float, 2>(3, 2));
}

TEST_CASE("numbers in place, and views that are const") {
    array<float, 0> number = array<float, 0>::full({}, 3);
    const array<float, 0> other = number;
    number += other;
    number *= 2;
    CHECK(number.item() == 12);
    CHECK((sum(array<float, 1>{1, 2}) * number).item() == 36);
    CHECK(number.as_view().item() == 12);
    CHECK(number() == 12);
    const array<float, 1> v{1, 2, 3};
    number -= sum(v) + other;
    number /= v(1);
    CHECK(number() == 1.5f);
    CHECK(allocations([&] { number += other; }) == 0);
    array<float, 5> deep(2, 1, 3, 1, 2);
    deep += number;
    deep(1, ellipsis, slice(none, none, -1)) += array<float, 1>{10, 20};
    CHECK(sum<0, 1, 2, 3>(deep) == array<float, 1>{3 * (deep(0, 0, 0, 0, 0) + deep(1, 0, 0, 0, 0)), 3 * (deep(0, 0, 0, 0, 1) + deep(1, 0, 0, 0, 1))});
    CHECK(deep(1, 0, 2, 0, 0) == deep(0, 0, 2, 0, 0) + 20);
    array<float, 1> y{1, 2, 3};
    const auto first = y(slice(0, 2));
    first += 5;
    CHECK(y == array<float, 1>{6, 7, 3});
    first = first * 2;
    CHECK(y == array<float, 1>{12, 14, 3});
}

TEST_CASE("what is written may be read") {
    for (const std::int64_t n : {1, 2, 7, 16, 33, 100}) {
        const array<float, 1> first = counting(n), other = counting(n);
        array<float, 1> x = first;
        CHECK(allocations([&] { x = x * 2 + other; }) == 0);
        for (std::int64_t i = 0; i < n; ++i) CHECK(x(i) == 4 * first(i) + 3 * other(i));

        x = first;
        x = x(slice(none, none, -1)) + x;
        for (std::int64_t i = 0; i < n; ++i) CHECK(x(i) == static_cast<float>(n + 1));

        x = first;
        x(slice(1, none)) = x(slice(0, -1)) + 0;
        for (std::int64_t i = 0; i < n; ++i) CHECK(x(i) == static_cast<float>(i == 0 ? 1 : i));

        x = first;
        x(slice(0, -1)) = x(slice(1, none)) + x(slice(0, -1));
        for (std::int64_t i = 0; i + 1 < n; ++i) CHECK(x(i) == static_cast<float>(2 * i + 3));

        x = first;
        x += x(slice(none, none, -1));
        for (std::int64_t i = 0; i < n; ++i) CHECK(x(i) == static_cast<float>(n + 1));

        x = first;
        x -= sum(x) / static_cast<float>(n);
        for (std::int64_t i = 0; i < n; ++i) CHECK(x(i) == doctest::Approx(static_cast<double>(i) - static_cast<double>(n - 1) / 2));

        x = first;
        x(slice(none, none, 2)) *= x(slice(none, none, 2));
        for (std::int64_t i = 0; i < n; ++i) CHECK(x(i) == (i % 2 == 0 ? first(i) * first(i) : first(i)));

        x = first;
        CHECK(allocations([&] { x += other; }) == 0);
        CHECK(allocations([&] { x(slice(1, none)) *= 2; }) == 0);
        CHECK(allocations([&] { x = exp(-x) * other; }) == 0);
    }
    array<float, 2> m{{1, 2}, {3, 4}};
    m = m.transpose() + 0;
    CHECK(m == array<float, 2>{{1, 3}, {2, 4}});
    m = dot(m, m);
    CHECK(m == array<float, 2>{{7, 15}, {10, 22}});
    m += dot(m, m);
    CHECK(m == array<float, 2>{{206, 450}, {300, 656}});
    m += m(0);
    CHECK(m == array<float, 2>{{412, 900}, {506, 1106}});
    m(0) = m(slice(), 0) + m(1);
    CHECK(m == array<float, 2>{{918, 1612}, {506, 1106}});
    m = m(0) * 1;
    CHECK(m == array<float, 2>{{918, 1612}, {918, 1612}});
}

TEST_CASE("steady state allocates nothing") {
    const array<double, 2> m{{1, 2}, {3, 4}};
    const array<double, 1> v{1, 2};
    array<double, 1> y(2);
    CHECK(allocations([&] { y = dot(m, v) + v; }) == 0);
    CHECK(allocations([&] { y = softmax<0>(v); }) == 0);
    CHECK(allocations([&] { y(slice(0, 1)) = sum(v); }) == 0);
    double total = 0;
    CHECK(allocations([&] { total += sum(v * v); }) == 0);
    CHECK(total == 10);
}
