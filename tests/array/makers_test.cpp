// SPDX-License-Identifier: MIT
// Arrays made of numbers alone; what is compared with is NumPy's.
#include <doctest/doctest.h>

#include <limits>

#include <croton/croton.hpp>

using namespace croton;

TEST_CASE("zeros, ones and full") {
    CHECK(zeros<float>(2, 3) == array<float, 2>(2, 3));
    CHECK(zeros<int>({2, 0}).extents() == extents_of<2>{2, 0});
    CHECK(zeros<bool>().size() == 1);
    static_assert(std::is_same_v<decltype(zeros(4)), array<double, 1>>);
    CHECK(ones<std::uint8_t>(3) == array<std::uint8_t, 1>{1, 1, 1});
    CHECK(ones({1, 2}) == array<double, 2>{{1, 1}});
    CHECK(ones<half>(2) == array<half, 1>{half(1.0f), half(1.0f)});
    CHECK(full<float>({2, 2}, 0.5f) == array<float, 2>{{0.5f, 0.5f}, {0.5f, 0.5f}});
    CHECK_THROWS_AS(zeros<float>(-1), shape_error);
    CHECK(zeros<float, 2, 3>() == zeros<float>(2, 3));
    CHECK(ones<int, 2>() == array<int, 1>{1, 1});
    CHECK(full<float, 1, 2>(0.5f) == array<float, 2>{{0.5f, 0.5f}});
}

TEST_CASE("arange") {
    static_assert(std::is_same_v<decltype(arange(5)), array<std::int64_t, 1>>);
    static_assert(std::is_same_v<decltype(arange(1, 2.5)), array<double, 1>>);
    CHECK(arange(5) == array<std::int64_t, 1>{0, 1, 2, 3, 4});
    CHECK(arange<float>(3) == array<float, 1>{0, 1, 2});
    CHECK(arange(2, 9, 3) == array<std::int64_t, 1>{2, 5, 8});
    CHECK(arange(5, 0, -2) == array<std::int64_t, 1>{5, 3, 1});
    CHECK(arange(0.0, 1.0, 0.25) == array<double, 1>{0, 0.25, 0.5, 0.75});
    CHECK(arange<double>(0.5, 3) == array<double, 1>{0.5, 1.5, 2.5});
    CHECK(arange<std::int8_t>(-2, 2) == array<std::int8_t, 1>{-2, -1, 0, 1});
    CHECK(arange<half>(3) == array<half, 1>{half(0.0f), half(1.0f), half(2.0f)});
    CHECK(arange(0).size() == 0);
    CHECK(arange(3, 1).size() == 0);
    CHECK(arange(-2.5).size() == 0);
    CHECK_THROWS_WITH_AS(arange(1, 2, 0), "arange: the step is 0", value_error);
    CHECK_THROWS_AS(arange(0.0, std::numeric_limits<double>::infinity()), value_error);
    CHECK_THROWS_AS(arange(std::numeric_limits<double>::quiet_NaN()), value_error);
}

TEST_CASE("linspace") {
    CHECK(linspace(0, 1, 5) == array<double, 1>{0, 0.25, 0.5, 0.75, 1});
    CHECK(linspace(0, 1).size() == 50);
    CHECK(linspace<float>(1, -1, 3) == array<float, 1>{1, 0, -1});
    CHECK(linspace(2, 3, 1) == array<double, 1>{2});
    CHECK(linspace(2, 3, 0).size() == 0);
    CHECK(linspace(0, 0.3, 4)(3) == 0.3);
    CHECK_THROWS_WITH_AS(linspace(0, 1, -1), "linspace: the number of elements is -1", value_error);
}

TEST_CASE("logspace and geomspace") {
    const auto near = [](const array<double, 1>& a, const array<double, 1>& b) { return allclose(a, b, 1e-14, 0.0); };
    CHECK(near(logspace(0, 2, 3), {1, 10, 100}));
    CHECK(near(logspace(0, 3, 4, 2), {1, 2, 4, 8}));
    CHECK(logspace<float>(1, -1, 2) == array<float, 1>{10, 0.1f});
    CHECK((logspace(1, 2).size() == 50 && logspace(1, 2, 0).size() == 0 && logspace(2, 3, 1) == array<double, 1>{100}));
    CHECK(near(geomspace(1, 1000, 4), {1, 10, 100, 1000}));
    CHECK(near(geomspace(-8, -1, 4), {-8, -4, -2, -1}));
    CHECK((geomspace(0.1, 0.7, 5)(0) == 0.1 && geomspace(0.1, 0.7, 5)(4) == 0.7));
    CHECK((geomspace(1, 2).size() == 50 && geomspace(1, 2, 0).size() == 0 && geomspace(2, 3, 1) == array<double, 1>{2}));
    CHECK_THROWS_WITH_AS(logspace(0, 1, -1), "logspace: the number of elements is -1", value_error);
    CHECK_THROWS_WITH_AS(geomspace(1, 2, -1), "geomspace: the number of elements is -1", value_error);
    CHECK_THROWS_AS(geomspace(0, 2), value_error);
    CHECK_THROWS_AS(geomspace(-1, 2), value_error);
}

TEST_CASE("eye") {
    CHECK(eye(2) == array<double, 2>{{1, 0}, {0, 1}});
    CHECK(eye<float>(2, 3, 1) == array<float, 2>{{0, 1, 0}, {0, 0, 1}});
    CHECK(eye<int>(3, 2, -1) == array<int, 2>{{0, 0}, {1, 0}, {0, 1}});
    CHECK(eye(0).size() == 0);
    CHECK(eye(2, 2, 5) == array<double, 2>(2, 2));
}

TEST_CASE("they are operands") {
    const array<float, 1> x{1, 2, 3};
    const array<float, 1> y = x + arange<float>(3) * 2;
    CHECK(y == array<float, 1>{1, 4, 7});
    CHECK(function<cpu>([](matrix<double> m) { return sum(m); })(eye(4)) == array<double, 0>(4.0));
}

// clang 14 ends in an error of its own where it deduces a class that it has from a precompiled header.
#if !defined(__clang__) || __clang_major__ > 14
TEST_CASE("what an array is made of says what it is") {
    const array x{1.5, 2.0};
    const array m({{1, 2, 3}, {4, 5, 6}});
    const array t({{{true}, {false}}});
    const array row = m(1, slice(0, 2));
    const array same = x;
    const array again{x};
    const array twice = 2 * x;
    const array number = sum(x);
    const array listed({1.0f, 2.0f});
    const array seen{view<const int, 2>(m)};
    static_assert(std::is_same_v<decltype(x), const array<double, 1>> && std::is_same_v<decltype(m), const array<int, 2>> && std::is_same_v<decltype(t), const array<bool, 3>>);
    static_assert(std::is_same_v<decltype(row), const array<int, 1>> && std::is_same_v<decltype(twice), const array<double, 1>> && std::is_same_v<decltype(number), const array<double, 0>>);
    CHECK((x(0) == 1.5 && m(1, 2) == 6 && t(0, 0, 0) && row == array<int, 1>{4, 5} && twice == array<double, 1>{3, 4} && number() == 3.5 && same == x && again == x));
    CHECK((listed == array<float, 1>{1, 2} && seen == m));
}
#endif
