// SPDX-License-Identifier: MIT
// Calls of functions that are one product of few numbers, which keep nothing: the values of all other calls, whatever lies where, and the same sentences.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>

#include <croton/croton.hpp>

#include "faults.hpp"
#include "message_of.hpp"
#include "profile/profile.hpp"

using namespace croton;
using test::message_of;

namespace {

// Multiples of a quarter that are small: every sum of their products is exact, in whatever order.
template <class T> array<T, 2> drawn(std::int64_t rows, std::int64_t cols, unsigned seed) {
    array<T, 2> x(rows, cols);
    std::mt19937 random(seed);
    for (T& each : x) each = static_cast<T>(static_cast<int>(random() % 17) - 8) / T(4);
    return x;
}

template <class X, class Y> auto multiplied(const X& x, const Y& y) {
    array<std::remove_cvref_t<decltype(x(0, 0))>, 2> z(x.extent(0), y.extent(1));
    for (std::int64_t i = 0; i < x.extent(0); ++i)
        for (std::int64_t j = 0; j < y.extent(1); ++j) {
            z(i, j) = 0;
            for (std::int64_t k = 0; k < x.extent(1); ++k) z(i, j) += x(i, k) * y(k, j);
        }
    return z;
}

template <class T> const auto product = function<cpu>("product", [](matrix<T> x, matrix<T> y) { return dot(x, y); });
template <class T> const auto turned = function<cpu>("turned", [](matrix<T> x, matrix<T> y) { return T(-2) * dot(transpose(x), y); });
const auto other_turned = function<cpu>("other_turned", [](matrix<float> x, matrix<float> y) { return dot(x, transpose(y)); });

}  // namespace

TEST_CASE_TEMPLATE("products of all sizes, also of no elements", T, float, double) {
    const std::int64_t sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 33, 47, 48, 49, 64, 65};
    std::mt19937 random(5);
    for (std::int64_t m : sizes)
        for (std::int64_t n : sizes) {
            const std::int64_t k = sizes[random() % 20];
            CAPTURE(m);
            CAPTURE(k);
            CAPTURE(n);
            const auto x = drawn<T>(m, k, 1), y = drawn<T>(k, n, 2), z = drawn<T>(k, m, 3);
            const auto expected = multiplied(x, y);
            array<T, 2> result(m, n);
            product<T>.call_into(result, x, y);
            CHECK(result == expected);
            CHECK(product<T>(x, y) == expected);
            auto other = multiplied(z.transpose(), y);
            for (T& each : other) each *= T(-2);
            turned<T>.call_into(result, z, y);
            CHECK(result == other);
        }
}

TEST_CASE("matrices that do not lie in order") {
    const auto x = drawn<float>(7, 20, 1), y = drawn<float>(20, 13, 2);
    array<float, 2> wide(7, 26);
    product<float>.call_into(wide(slice(), slice(0, 13)), x, y);
    CHECK(array<float, 2>(wide(slice(), slice(0, 13))) == multiplied(x, y));
    CHECK(product<float>(x(slice(1, 6), slice(2, 12)), y(slice(0, 20, 2), slice())) == multiplied(x(slice(1, 6), slice(2, 12)), y(slice(0, 20, 2), slice())));
    CHECK(other_turned(x, array<float, 2>(y.transpose())) == multiplied(x, y));
}

TEST_CASE("results in the memory of arguments") {
    const auto x = drawn<float>(12, 12, 1), y = drawn<float>(12, 12, 2);
    const auto expected = multiplied(x, y), square = multiplied(x, x);
    auto left = x, right = y, both = x;
    product<float>.call_into(left, left, y);
    product<float>.call_into(right, x, right);
    product<float>.call_into(both, both, both);
    CHECK(left == expected);
    CHECK(right == expected);
    CHECK(both == square);
}

TEST_CASE("numbers that are none, and matrices that do not fit") {
    auto x = drawn<float>(6, 5, 1);
    const auto y = drawn<float>(5, 14, 2);
    x(2, 3) = std::numeric_limits<float>::quiet_NaN();
    const auto z = product<float>(x, y);
    for (std::int64_t i = 0; i < 6; ++i) CHECK(std::isnan(z(i, 7)) == (i == 2));

    array<float, 2> narrow(6, 13);
    CHECK(message_of([&] { product<float>.call_into(narrow, x, y); }).find("product: ") == 0);
    CHECK(message_of([&] { product<float>(x, x); }).find("product: ") == 0);
}

TEST_CASE("they allocate nothing, and a profile sees them as all others") {
    const auto x = drawn<float>(8, 8, 1), y = drawn<float>(8, 16, 2);
    array<float, 2> z(8, 16);
    const long before = test::allocations;
    product<float>.call_into(z, x, y);
    CHECK(test::allocations == before);

    support::ticking_profile scope{"short calls"};
    product<float>.call_into(z, x, y);
    CHECK(product<float>(x, y) == z);
    REQUIRE(scope.functions().size() == 1);
    CHECK(scope.functions()[0].name == "product");
    CHECK(scope.functions()[0].calls == 2);
    CHECK(z == multiplied(x, y));
}
