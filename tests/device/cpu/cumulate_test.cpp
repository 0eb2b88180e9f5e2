// SPDX-License-Identifier: MIT
// Sums, products and extremes along rows, some rows at a time and a row in each lane, beside the reference.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

#include <croton/croton.hpp>

#include "device/cpu/beside_reference.hpp"

using namespace croton;

namespace {

template <class T> constexpr auto along_rows = [](matrix<T> x) {
    auto sums = cumsum<1>(x);
    auto extremes = cummax<1>(x);
    return outputs(sums, cumprod<1>(x), extremes, cummin<1>(x), cummax<0>(x), cumsum<1>(x(slice(), slice(none, none, -1))));
};
template <class T> constexpr auto slopes = [](matrix<T> x) { return grad(sum(sqr(cumsum<1>(x))) + sum(cumprod<1>(x)) + sum(sqr(cummax<1>(x))), x); };

template <class T> array<T, 2> made(std::int64_t rows, std::int64_t columns) {
    array<T, 2> x(rows, columns);
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(1 + 0.01 * static_cast<double>(i * 7919 % 13 - 6));
    return x;
}

}  // namespace

TEST_CASE_TEMPLATE("rows of any number and length", T, float, double) {
    const auto f = function<cpu>(along_rows<T>);
    const auto right = function<reference>(along_rows<T>);
    const auto g = function<cpu>(slopes<T>);
    const auto right_g = function<reference>(slopes<T>);
    for (const int count : {1, 2}) {
        const auto scope = threads(count);
        for (const std::int64_t rows : {0, 1, 3, 4, 5, 8, 9, 16, 17, 33, 400})
            for (const std::int64_t n : {1, 3, 4, 7, 8, 15, 63, 64, 65, 130}) {
                if (count == 2 && rows < 400) continue;
                CAPTURE(rows);
                CAPTURE(n);
                const array<T, 2> x = made<T>(rows, n);
                check_same(f(x), right(x));
                check_same(g(x), right_g(x), 1e-4);
                const array<T, 2> wide = made<T>(rows, 2 * n + 1);
                const auto part = wide(slice(), slice(1, n + 1)), second = wide(slice(), slice(0, 2 * n, 2));
                check_same(f(part), right(part));
                check_same(f(second), right(second));
            }
    }
}

TEST_CASE("whole numbers") {
    const auto f = function<cpu>(along_rows<std::int32_t>);
    const auto right = function<reference>(along_rows<std::int32_t>);
    for (const std::int64_t rows : {7, 8, 20}) {
        array<std::int32_t, 2> x(rows, 100);
        for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<std::int32_t>(i * 7919 % 101 - 50);
        check_same(f(x), right(x));
    }
}

TEST_CASE("what is no number stays") {
    array<float, 2> x = made<float>(17, 70);
    x(3, 5) = x(8, 69) = x(16, 0) = std::nanf("");
    x(4, 6) = INFINITY;
    x(5, 6) = -INFINITY;
    const array<float, 2> y = function<cpu>([](matrix<float> a) { return cummax<1>(a); })(x), expected = function<reference>([](matrix<float> a) { return cummax<1>(a); })(x);
    for (std::int64_t i = 0; i < x.size(); ++i) CHECK((y.data()[i] == expected.data()[i] || (std::isnan(y.data()[i]) && std::isnan(expected.data()[i]))));
    CHECK(std::isnan(y(3, 69)));
    CHECK(!std::isnan(y(3, 4)));
}
