// SPDX-License-Identifier: MIT
// What may be passed for a parameter: everything that holds the elements gives the same result.
#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

namespace {

template <class Device> auto made() {
    return function<Device>([](matrix<float> x, vector<float> v, scalar<float> s) { return x * v + s; });
}

array<float, 2> counting(std::int64_t rows, std::int64_t columns) {
    array<float, 2> x(rows, columns);
    float next = 1;
    for (float& each : x) each = next++;
    return x;
}

// x * v + s by hand.
template <class X, class V> array<float, 2> expected(const X& x, const V& v, float s) {
    array<float, 2> y(x.extent(0), x.extent(1));
    for (std::int64_t i = 0; i < x.extent(0); ++i)
        for (std::int64_t j = 0; j < x.extent(1); ++j) y(i, j) = x(i, j) * v(j) + s;
    return y;
}

}  // namespace

TEST_CASE_TEMPLATE("every kind of argument", Device, cpu, reference) {
    auto f = made<Device>();
    array<float, 2> x = counting(5, 7);
    array<float, 1> v{1, -1, 2, -2, 3, -3, 0.5F};
    const array<float, 0> s{10};
    const array<float, 2> y = expected(x, v, 10);

    SUBCASE("arrays, also const and temporary ones") {
        const array<float, 2> const_x = x;
        CHECK(f(x, v, s) == y);
        CHECK(f(const_x, v, s) == y);
        CHECK(f(counting(5, 7), array<float, 1>(v), array<float, 0>(s)) == y);
    }
    SUBCASE("arrays of the other host device") {
        const array<float, 2, array_device<reference>> other = x;
        CHECK(f(other, v, s) == y);
    }
    SUBCASE("views, of const elements too") {
        const array<float, 2>& const_x = x;
        CHECK(f(view(x), view(v), s) == y);
        CHECK(f(const_x.as_view(), v.as_view(), s) == y);
    }
    SUBCASE("rows and columns that are skipped") {
        array<float, 2> wide = counting(10, 14);
        const auto every_other = wide.slice(0, 0, 10, 2).slice(1, 1, 14, 2);
        CHECK(f(every_other, v, s) == expected(every_other, v, 10));
        const auto rows = wide.slice(1, 3, 10);
        CHECK(f(rows, v, s) == expected(rows, v, 10));
    }
    SUBCASE("backwards") {
        const auto up = x.slice(0, 4, -1, -1);
        const auto left = x.slice(1, 6, -1, -1);
        const auto both = up.slice(1, 6, -1, -1);
        CHECK(f(up, v, s) == expected(up, v, 10));
        CHECK(f(left, v, s) == expected(left, v, 10));
        CHECK(f(both, v.slice(0, 6, -1, -1), s) == expected(both, v.slice(0, 6, -1, -1), 10));
    }
    SUBCASE("transposed") {
        array<float, 2> t = counting(7, 5);
        CHECK(f(t.transpose(), v, s) == expected(t.transpose(), v, 10));
    }
    SUBCASE("one row or one number repeated: stride 0") {
        const view<float, 2> repeated(x.data(), {5, 7}, {0, 1});
        const view<float, 1> same(v.data(), {7}, {0});
        CHECK(f(repeated, same, s) == expected(repeated, same, 10));
    }
    SUBCASE("std::span and std::vector") {
        std::vector<float> values(v.begin(), v.end());
        const std::vector<float> const_values = values;
        CHECK(f(x, values, s) == y);
        CHECK(f(x, const_values, s) == y);
        CHECK(f(x, std::span(values), s) == y);
        CHECK(f(x, std::span(const_values), s) == y);
        CHECK(f(x, std::span<const float, 7>(const_values), s) == y);
    }
    SUBCASE("numbers of any arithmetic type") {
        const double tenth = 10;
        CHECK(f(x, v, 10) == y);
        CHECK(f(x, v, 10.0F) == y);
        CHECK(f(x, v, tenth) == y);
        CHECK(f(x, v, std::int64_t{10}) == y);
    }
    SUBCASE("kinds that change from call to call") {
        std::vector<float> values(v.begin(), v.end());
        array<float, 2> t = counting(7, 5);
        for (int i = 0; i < 3; ++i) {
            CHECK(f(x, v, s) == y);
            CHECK(f(t.transpose(), values, 10) == expected(t.transpose(), v, 10));
            CHECK(f(x.slice(0, 0, 2), std::span(values), 1) == expected(x.slice(0, 0, 2), v, 1));
        }
    }
}

TEST_CASE("a strided argument of a reshape is copied, and copied anew at each call") {
    auto f = function<cpu>([](matrix<float> x) { return 2 * flatten(x); });
    array<float, 2> x = counting(4, 6);
    array<float, 1> y = f(x.transpose());
    REQUIRE(y.extent(0) == 24);
    CHECK(y(0) == 2 * x(0, 0));
    CHECK(y(1) == 2 * x(1, 0));
    CHECK(y(23) == 2 * x(3, 5));
    x(1, 0) = 100;
    y = f(x.transpose());
    CHECK(y(1) == 200);
    y = f(x);
    CHECK(y(6) == 200);
    y = f(x.slice(1, 5, -1, -2));
    REQUIRE(y.extent(0) == 12);
    CHECK(y(0) == 2 * x(0, 5));
    CHECK(y(2) == 2 * x(0, 1));
}

TEST_CASE("integers and bools") {
    auto f = function<cpu>([](vector<int> i, vector<std::int64_t> k, vector<bool> b, scalar<int> n) {
        return std::tuple(i + n, where(b, k, -k));
    });
    const array<int, 1> i{1, 2, 3};
    const std::vector<std::int64_t> k{10, 20, 30};
    const array<bool, 1> b{true, false, true};
    const auto [sum, signed_k] = f(i, k, b, 5);
    CHECK(sum == array<int, 1>{6, 7, 8});
    CHECK(signed_k == array<std::int64_t, 1>{10, -20, 30});
}

TEST_CASE("a number that its scalar cannot hold changes nothing") {
    auto f = function<reference>([](scalar<int> x, shared<scalar<std::int64_t>> n) { return outputs(x * 2).updates(n += cast<std::int64_t>(x)); });
    array<std::int64_t, 0> n{5};
    CHECK(f(21, n) == 42);
    CHECK(f(std::int64_t{21}, n) == 42);
    CHECK(f('*', n) == 84);
    CHECK_THROWS_WITH_AS(f(5000000000, n), doctest::Contains("argument 1 is 5000000000, but the function takes int, which holds -2147483648 to 2147483647"), value_error);
    CHECK_THROWS_AS(f(2147483648u, n), value_error);
    CHECK_THROWS_AS(f(-2147483649, n), value_error);
    CHECK_THROWS_AS(f(~std::uint64_t{0}, n), value_error);
    CHECK(f(-2147483647 - 1, n) == 0);
    CHECK(n == 5 + 21 + 21 + 42 - 2147483648);

    auto g = function<reference>([](scalar<std::int64_t> i, scalar<bool> b, scalar<float> x) { return where(named(b, "flag"), i, cast<std::int64_t>(named(x, "size"))); });
    CHECK(g(std::uint64_t{9223372036854775807u}, true, 1e38) == 9223372036854775807);
    CHECK(g(1, 0, 16777217) == 16777216);
    CHECK_THROWS_WITH_AS(g(std::uint64_t{9223372036854775808u}, true, 1), doctest::Contains("argument 1 is 9223372036854775808, but"), value_error);
    CHECK_THROWS_WITH_AS(g(1, 2, 1), doctest::Contains("argument 2 (flag) is 2, but the function takes bool, which holds 0 and 1"), value_error);
    CHECK_THROWS_WITH_AS(g(1, true, 1e39), doctest::Contains("argument 3 (size) is 1e+39, but the function takes float, which holds no number as large"), value_error);

    auto h = function<reference>([](scalar<croton::half> x) { return cast<float>(x); });
    CHECK(h(65504.0f) == 65504.0f);
    CHECK(h(std::numeric_limits<float>::infinity()) == std::numeric_limits<float>::infinity());
    CHECK_THROWS_AS(h(1e6f), value_error);
}
