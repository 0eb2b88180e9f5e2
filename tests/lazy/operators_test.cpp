// SPDX-License-Identifier: MIT
// Operators on arrays, views and numbers: values, element types, ranks, and what an expression holds on to.
#include <doctest/doctest.h>

#include <cstdint>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

namespace {

template <class X> std::string printed(const X& x) {
    std::ostringstream out;
    out << x;
    return out.str();
}

template <class T> array<T, 1> counting(std::int64_t n, T first = 1) {
    array<T, 1> x(n);
    for (T& each : x) each = first++;
    return x;
}

}  // namespace

TEST_CASE_TEMPLATE("arithmetic of arrays and numbers", T, float, double) {
    for (const std::int64_t n : {0, 1, 2, 15, 16, 17, 100}) {
        const array<T, 1> a = counting<T>(n), b = counting<T>(n, 3);
        const array<T, 1> y = (a + 2 * b) / 4 - a * b;
        const array<T, 1> z = -a % 3;
        REQUIRE(y.extent(0) == n);
        for (std::int64_t i = 0; i < n; ++i) {
            CHECK(y(i) == (a(i) + 2 * b(i)) / 4 - a(i) * b(i));
            // The sign is that of the divisor, as in NumPy.
            CHECK(z(i) == static_cast<T>((3 - (i + 1) % 3) % 3));
        }
    }
}

TEST_CASE("whole numbers, bits and truth values") {
    const array<int, 1> a{5, 6, 7}, b{3, 0, 12};
    CHECK((a & b) == array<int, 1>{1, 0, 4});
    CHECK((a | b) == array<int, 1>{7, 6, 15});
    CHECK((a ^ 1) == array<int, 1>{4, 7, 6});
    CHECK(~a == array<int, 1>{-6, -7, -8});
    CHECK(eval(a % 4) == array<int, 1>{1, 2, 3});
    CHECK((a + 1) == array<int, 1>{6, 7, 8});
    const auto mask = a > b;
    static_assert(std::is_same_v<decltype(mask)::value_type, bool>);
    CHECK(mask == array<bool, 1>{true, true, false});
    CHECK(!mask == array<bool, 1>{false, false, true});
    CHECK(((a >= 6) & (b <= 0)) == array<bool, 1>{false, true, false});
    CHECK(where(a < 7, a, 0) == array<int, 1>{5, 6, 0});
    // Beside truth values alone numbers keep the type they have.
    CHECK(where(mask, 1.5, 0.5) == array<double, 1>{1.5, 1.5, 0.5});
    CHECK(where(mask, 1.5, 0) == array<double, 1>{1.5, 1.5, 0});
    CHECK(where(mask, 2, 2.5f) == array<float, 1>{2, 2, 2.5f});
    CHECK(where(mask, 2, true) == array<int, 1>{2, 2, 1});
    CHECK_THROWS_AS(eval(counting<std::uint8_t>(3) + 300), value_error);
    CHECK((counting<std::uint8_t>(3) + 3) == array<std::uint8_t, 1>{4, 5, 6});
}

TEST_CASE("half is computed with in float") {
    const array<half, 1> x{half(1), half(2)};
    const auto y = x * 2 + 1;
    static_assert(std::is_same_v<decltype(y)::value_type, float>);
    CHECK(y == array<float, 1>{3, 5});
}

TEST_CASE("ranks: lower ones are repeated, rank 0 is a number") {
    const array<float, 2> m{{1, 2, 3}, {4, 5, 6}};
    const array<float, 1> v{10, 20, 30};
    CHECK((m + v) == array<float, 2>{{11, 22, 33}, {14, 25, 36}});
    CHECK((v - m) == array<float, 2>{{9, 18, 27}, {6, 15, 24}});
    const float total = sum(m);
    CHECK(total == 21);
    const array<float, 0> kept = sum(m);
    CHECK(static_cast<float>(kept) == 21);
    CHECK((m / kept) == array<float, 2>{{1 / 21.f, 2 / 21.f, 3 / 21.f}, {4 / 21.f, 5 / 21.f, 6 / 21.f}});
    CHECK(kept * 2 == 42);
    static_assert(std::is_same_v<decltype(kept * 2), float>);
    const double share = sum(v) / total;
    CHECK(share == doctest::Approx(60 / 21.));
    CHECK_THROWS_AS(eval(m + array<float, 1>{1, 2}), shape_error);
    CHECK((array<float, 2>(0, 3) + v) == array<float, 2>(0, 3));
}

TEST_CASE("views: parts, steps, transposed, of vectors") {
    array<double, 2> x{{1, 2, 3}, {4, 5, 6}};
    CHECK((x.transpose() * 2) == array<double, 2>{{2, 8}, {4, 10}, {6, 12}});
    CHECK((x(slice(), slice(none, none, -1)) - x) == array<double, 2>{{2, 0, -2}, {2, 0, -2}});
    CHECK((x(1) + x(0)) == array<double, 1>{5, 7, 9});
    std::vector<double> numbers{1, 2, 3};
    CHECK((view(std::span(numbers)) * x(0)) == array<double, 1>{1, 4, 9});
    CHECK(x(slice(), 0) * 1 == x(slice(), 0));
}

TEST_CASE("an expression refers to arrays with a name, and keeps the others") {
    array<float, 1> a{1, 2};
    const auto kept = [&] { return a * array<float, 1>{10, 20} + eval(a + 1); }();
    CHECK(kept == array<float, 1>{12, 43});
    a = array<float, 1>{2, 3};
    CHECK(kept == array<float, 1>{22, 63});
    const auto twice = kept * 2;
    CHECK(twice == array<float, 1>{44, 126});
    CHECK((a + (kept - kept)) == a);
}

TEST_CASE("printing, comparing, other devices") {
    const array<float, 1> a{1, 2}, b{1, 2.5f};
    CHECK(printed(a + b) == "[2.  4.5]");
    CHECK(a * 2 == a + a);
    CHECK_FALSE(a + 0 == b);
    CHECK(a + 0 != b);
    CHECK(a == a * 1);
    CHECK(array_equal(a, a + 0));
    CHECK_FALSE(array_equal(a, b));
    CHECK_FALSE(array_equal(a, array<float, 1>{1}));
    CHECK(allclose(a, b, 0, 0.5));
    CHECK_FALSE(allclose(a, b));
    CHECK(allclose(array<float, 1>(0), array<float, 1>(0)));
    const float infinite = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const array<float, 1> special{infinite, -infinite, nan, 1, infinite}, other{infinite, infinite, nan, infinite, 1};
    CHECK(isclose(special, other) == array<bool, 1>{true, false, false, false, false});
    const array<int, 1> whole{1, 200'000}, next{2, 200'001};
    CHECK(isclose(whole, next) == array<bool, 1>{false, true});
    CHECK(isclose(whole, 1) == array<bool, 1>{true, false});
    CHECK(isclose(1, whole) == array<bool, 1>{true, false});
    CHECK_FALSE(allclose(whole, next));
    CHECK(allclose(whole, next, 0, 1));
    CHECK_FALSE(allclose(whole, next, 0, 0));
    const array<std::uint8_t, 1> least{0, 255}, most{255, 255};
    CHECK(isclose(least, most) == array<bool, 1>{false, true});
    CHECK(allclose(array<bool, 1>{true, false}, array<bool, 1>{true, false}));
    auto near = function<cpu>([](vector<std::int64_t> x, vector<std::int64_t> y) { return outputs(isclose(x, y, 0.5, 0.0), isclose(x, 1.5, 0.0, 0.5)); });
    const auto [of_two, of_one] = near(array<std::int64_t, 1>{1, 2, -4}, array<std::int64_t, 1>{2, 5, -3});
    CHECK(of_two == array<bool, 1>{true, false, true});
    CHECK(of_one == array<bool, 1>{true, true, false});
    CHECK(equal(a, b) == array<bool, 1>{true, false});
    CHECK(not_equal(a, b) == array<bool, 1>{false, true});
    CHECK(eval<reference>(a + b) == eval(a + b));
}

TEST_CASE("as indices, and the one element of a number") {
    const array<float, 1> v{1, 5, 3};
    const array<int, 1> ids{1, 0};
    CHECK(v(ids - 1) == array<float, 1>{1, 3});
    CHECK(v(argmax(v))() == 5);
    CHECK(array<float, 2>{{1, 2}, {3, 4}}(slice(), ids + 0) == array<float, 2>{{2, 1}, {4, 3}});
    CHECK(sum(v)() == 9);
}

TEST_CASE("as the argument of a function, and explained") {
    auto f = function<cpu>([](matrix<float> x, vector<float> y) { return outputs(dot(x, y), sum(x)); });
    const array<float, 2> m{{1, 2}, {3, 4}};
    const auto [product, total] = f(m * 2, m(0) + 1);
    CHECK(product == array<float, 1>{16, 36});
    CHECK(static_cast<float>(total) == 20);
    array<float, 1> into(2);
    array<float, 0> number;
    f.call_into(std::tie(into, number), m * 2, m(0) + 1);
    CHECK(into == product);
    // A product and what is added to it are one call of the BLAS.
    const std::string text = explain(dot(m, m) + m * 2);
    CHECK(text.find("\"dot(a, b) + (c * d)\"") != std::string::npos);
    CHECK(text.find("plan: 1 step") != std::string::npos);
}

TEST_CASE("an axis that none brings is repeated") {
    array<float, 2> x{{1, 2}, {3, 4}, {5, 6}};
    const array<float, 2> centres{{0, 0}, {1, 1}};
    static_assert(std::is_same_v<decltype(x(slice(), 0)), view<float, 1>>);
    static_assert(decltype(x(slice(), none))::new_axes == 2);
    static_assert(decltype(x(none, ellipsis, none, 1))::new_axes == 5);
    CHECK(sum<2>(sqr(x(slice(), none) - centres)) == array<float, 2>{{5, 1}, {25, 13}, {61, 41}});
    array<float, 1> v{1, 2, 3};
    const array<float, 2> products = v(slice(), none) * v(none, slice());
    CHECK(products == array<float, 2>{{1, 2, 3}, {2, 4, 6}, {3, 6, 9}});
    auto column = v(slice(), none);
    CHECK(allclose(column - v, array<float, 2>{{0, -1, -2}, {1, 0, -1}, {2, 1, 0}}));
    CHECK(column(2, 0) == 3);
    CHECK(eval(column).extents() == extents_of<2>{3, 1});
    CHECK(function<cpu>([](matrix<float> a) { return sum<1>(a); })(v(none)) == array<float, 1>{6});
    // What is written lies in the array.
    v(none) = array<float, 2>{{4, 5, 6}};
    CHECK(v == array<float, 1>{4, 5, 6});
    v(none) = x(slice(), 0)(none);
    CHECK(v == array<float, 1>{1, 3, 5});
    v(none, slice(0, 2)) += x(none, slice(0, 2), 1);
    CHECK(v == array<float, 1>{3, 7, 5});
    const array<float, 0> number(2.5f);
    CHECK(number(none) * v == array<float, 1>{7.5f, 17.5f, 12.5f});
    const array<float, 2> empty(0, 2);
    CHECK(eval(empty(slice(), none) - centres).extents() == extents_of<3>{0, 2, 2});
    // Of what has no name, too.
    CHECK(sum<2>(sqr((x * 2)(slice(), none) - 2 * centres)) == array<float, 2>{{20, 4}, {100, 52}, {244, 164}});
    CHECK(eval(array<float, 1>{1, 2}(slice(), none) - array<float, 1>{1, 2, 3}) == array<float, 2>{{0, -1, -2}, {1, 0, -1}});
    CHECK(eval(array<float, 1>{1, 2}[none] * array<float, 1>{3, 4}(slice(), none)) == array<float, 2>{{3, 6}, {4, 8}});
    auto row = (x + 1)(0, slice())(none);
    static_assert(std::is_convertible_v<decltype(row), array<float, 2>> && decltype(row)::new_axes == 1);
    CHECK(eval(row + x) == array<float, 2>{{3, 5}, {5, 7}, {7, 9}});
    CHECK((x * 2)[slice(1, none)] == array<float, 2>{{6, 8}, {10, 12}});
    CHECK((x * 2)(ellipsis, 1) == array<float, 1>{4, 8, 12});
    const array<float, 2> kept = (x * 2)(slice(0, 1), none)(0);
    CHECK(kept == array<float, 2>{{2, 4}});
    CHECK(function<cpu>([](matrix<float> a) { return sum<0>(a); })((x(0) * 1)(slice(), none)) == array<float, 1>{3});
    const array<float, 3> one(3, 1, 2);
    CHECK_THROWS_WITH_AS(eval(one - centres), doctest::Contains("an extent of 1 where its type says so"), shape_error);
}

// C++ reads a ** b as a * (*b), which is refused; what asks for iterators still hears no, and pointers to arrays are theirs.
static_assert(!std::input_or_output_iterator<array<float, 1>> && !std::indirectly_readable<array<float, 1>> && !std::input_iterator<view<float, 1>> && !std::input_iterator<expr<float, 1>>);
static_assert(std::is_same_v<decltype(*std::declval<std::optional<array<float, 1>>&>()), array<float, 1>&>);
