// SPDX-License-Identifier: MIT
// Integers at the ends of their range: they wrap around, and no quotient traps, on every device and in every lane.
#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>

#include <croton/croton.hpp>

using namespace croton;

namespace {

template <class Device, class T> void check(std::int64_t n) {
    constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    CAPTURE(n);
    auto f = function<Device>([](vector<T> a, vector<T> b) {
        return std::tuple(a + b, a - b, a * b, detail::elementwise<op::divide>(a, b), -a, abs(a), sqr(a));
    });
    const auto constant = [&](T v) {
        array<T, 1> x(n);
        x.fill(v);
        return x;
    };
    const auto is = [](const array<T, 1>& x, T v) {
        for (const T e : x)
            if (e != v) return false;
        return true;
    };
    {
        const auto [sum, difference, product, quotient, negative, magnitude, square] = f(constant(high), constant(T(1)));
        CHECK(is(sum, low));
        CHECK(is(difference, high - 1));
        CHECK(is(product, high));
        CHECK(is(quotient, high));
        CHECK(is(negative, -high));
        CHECK(is(magnitude, high));
        CHECK(is(square, T(1)));
    }
    {
        const auto [sum, difference, product, quotient, negative, magnitude, square] = f(constant(low), constant(T(-1)));
        CHECK(is(sum, high));
        CHECK(is(difference, low + 1));
        CHECK(is(product, low));
        CHECK(is(quotient, low));
        CHECK(is(negative, low));
        CHECK(is(magnitude, low));
        CHECK(is(square, T(0)));
    }
    {
        const auto [sum, difference, product, quotient, negative, magnitude, square] = f(constant(T(-7)), constant(T(0)));
        CHECK(is(quotient, T(0)));
        CHECK(is(product, T(0)));
        CHECK(is(magnitude, T(7)));
    }
    {
        const auto [sum, difference, product, quotient, negative, magnitude, square] = f(constant(T(-7)), constant(T(2)));
        CHECK(is(quotient, T(-3)));  // towards zero, as in C++
    }
}

}  // namespace

TEST_CASE_TEMPLATE("integers at the ends of their range", Device, cpu, reference) {
    for (const std::int64_t n : {1, 3, 37}) {
        check<Device, std::int32_t>(n);
        check<Device, std::int64_t>(n);
    }
}
