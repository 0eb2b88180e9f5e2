// SPDX-License-Identifier: MIT
// Integers of every width between the others: conversion both ways, beside floats and doubles in one loop, as indices, in
// structures and in models, on every device and at sizes around those of SIMD registers.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

namespace {

template <class T> array<T, 1> spread(std::int64_t n) {
    array<T, 1> x(n);
    for (std::int64_t i = 0; i < n; ++i) x(i) = static_cast<T>(static_cast<T>(i * 37 - 90) + (i % 3 == 0 ? std::numeric_limits<T>::max() : T(0)));
    return x;
}

template <class U, class T, class X> void same_as_static_cast(const array<T, 1>& x, const X& y) {
    REQUIRE(y.size() == x.size());
    for (std::int64_t i = 0; i < x.size(); ++i) {
        CAPTURE(x(i));
        CHECK(y(i) == static_cast<U>(x(i)));
    }
}

template <class Device, class T> void check_casts() {
    auto f = function<Device>([](vector<T> x) {
        return std::tuple(cast<bool>(x), cast<std::int8_t>(x), cast<std::uint8_t>(x), cast<std::int16_t>(x), cast<std::uint16_t>(x), cast<int>(x), cast<std::uint32_t>(x),
                          cast<std::int64_t>(x), cast<std::uint64_t>(x), cast<float>(x), cast<double>(x));
    });
    for (const std::int64_t n : {1, 7, 67}) {
        const auto x = spread<T>(n);
        const auto [b, i1, u1, i2, u2, i4, u4, i8, u8, f4, f8] = f(x);
        same_as_static_cast<bool>(x, b);
        same_as_static_cast<std::int8_t>(x, i1);
        same_as_static_cast<std::uint8_t>(x, u1);
        same_as_static_cast<std::int16_t>(x, i2);
        same_as_static_cast<std::uint16_t>(x, u2);
        same_as_static_cast<int>(x, i4);
        same_as_static_cast<std::uint32_t>(x, u4);
        same_as_static_cast<std::int64_t>(x, i8);
        same_as_static_cast<std::uint64_t>(x, u8);
        same_as_static_cast<float>(x, f4);
        same_as_static_cast<double>(x, f8);
    }
}

}  // namespace

TEST_CASE_TEMPLATE("integers become integers of other widths as in C++ and NumPy", Device, cpu, reference) {
    check_casts<Device, std::int8_t>();
    check_casts<Device, std::uint16_t>();
    check_casts<Device, std::uint64_t>();
}

TEST_CASE_TEMPLATE("floating-point numbers are cut off and wrap around, and what is too large is 0", Device, cpu, reference) {
    const auto check = []<class T>(T) {
        auto f = function<Device>([](vector<T> x) {
            return std::tuple(cast<std::int8_t>(x), cast<std::uint8_t>(x), cast<std::int16_t>(x), cast<std::uint16_t>(x), cast<std::uint32_t>(x), cast<std::uint64_t>(x));
        });
        constexpr T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
        const array<T, 1> x{0, T(1.9), T(-1.9), 255, 256, 300, -129, 65535, 70000, T(3e9), T(-3e9), T(1e19), T(-1e19), T(1e20), inf, -inf, nan, 127, 128, T(-0.5)};
        const auto [i1, u1, i2, u2, u4, u8] = f(x);
        CHECK(i1 == array<std::int8_t, 1>{0, 1, -1, -1, 0, 44, 127, -1, 112, 0, 0, 0, 0, 0, 0, 0, 0, 127, -128, 0});
        CHECK(u1 == array<std::uint8_t, 1>{0, 1, 255, 255, 0, 44, 127, 255, 112, 0, 0, 0, 0, 0, 0, 0, 0, 127, 128, 0});
        CHECK(i2 == array<std::int16_t, 1>{0, 1, -1, 255, 256, 300, -129, -1, 4464, 0, 0, 0, 0, 0, 0, 0, 0, 127, 128, 0});
        CHECK(u2 == array<std::uint16_t, 1>{0, 1, 65535, 255, 256, 300, 65407, 65535, 4464, 0, 0, 0, 0, 0, 0, 0, 0, 127, 128, 0});
        CHECK(u4 == array<std::uint32_t, 1>{0, 1, 4294967295u, 255, 256, 300, 4294967167u, 65535, 70000, 3000000000u, 1294967296u, 0, 0, 0, 0, 0, 0, 127, 128, 0});
        const std::uint64_t ten19 = static_cast<std::uint64_t>(T(1e19));
        CHECK(u8 == array<std::uint64_t, 1>{0, 1, ~std::uint64_t{0}, 255, 256, 300, ~std::uint64_t{128}, 65535, 70000, 3000000000u, ~std::uint64_t{2999999999u}, ten19, 0, 0, 0, 0, 0, 127, 128, 0});
    };
    check(0.0f);
    check(0.0);
}

TEST_CASE_TEMPLATE("an image becomes floats, is thresholded, and becomes an image again", Device, cpu, reference) {
    auto f = function<Device>([](matrix<std::uint8_t> image) {
        const auto x = cast<float>(image) / 255;
        const auto bright = image > 100;
        return std::tuple(x, bright, where(bright, image, 0), cast<std::uint8_t>(exp(x) * 90), cast<double>(image) * 0.5, where(bright, x, -1.f), cast<std::uint8_t>(bright) * 255);
    });
    for (const std::int64_t n : {1, 5, 33, 131}) {
        array<std::uint8_t, 2> image(3, n);
        for (std::int64_t i = 0; i < image.size(); ++i) image.data()[i] = static_cast<std::uint8_t>(i * 29);
        const auto [x, bright, kept, again, halves, chosen, mask] = f(image);
        for (std::int64_t i = 0; i < image.size(); ++i) {
            const std::uint8_t v = image.data()[i];
            CHECK(x.data()[i] == doctest::Approx(v / 255.0));
            CHECK(bright.data()[i] == (v > 100));
            CHECK(kept.data()[i] == (v > 100 ? v : 0));
            CHECK(std::abs(int(again.data()[i]) - int(std::exp(static_cast<float>(v) / 255) * 90)) <= 1);
            CHECK(halves.data()[i] == v * 0.5);
            CHECK(chosen.data()[i] == (v > 100 ? x.data()[i] : -1.f));
            CHECK(mask.data()[i] == (v > 100 ? 255 : 0));
        }
    }
}

TEST_CASE_TEMPLATE("beside what varies in the rows alone", Device, cpu, reference) {
    auto f = function<Device>([](matrix<std::uint8_t, dim("r"), dim("c")> a, matrix<float, dim("r"), 1> high, matrix<double, dim("r"), 1> low, matrix<std::uint16_t, dim("r"), 1> w) {
        return std::tuple(where(a > 128, high, -high) > 0.5f, where(a > 128, cast<float>(low), high), cast<std::uint16_t>(a) * w);
    });
    array<std::uint8_t, 2> a(4, 50);
    for (std::int64_t i = 0; i < a.size(); ++i) a.data()[i] = static_cast<std::uint8_t>(i * 7);
    const array<float, 2> high{{1}, {0}, {-1}, {2}};
    const array<double, 2> low{{4}, {5}, {6}, {7}};
    const array<std::uint16_t, 2> w{{1000}, {2}, {0}, {65535}};
    const auto [above, chosen, weighted] = f(a, high, low, w);
    for (std::int64_t i = 0; i < 4; ++i)
        for (std::int64_t j = 0; j < 50; ++j) {
            const bool large = a(i, j) > 128;
            CHECK(above(i, j) == ((large ? high(i, 0) : -high(i, 0)) > 0.5f));
            CHECK(chosen(i, j) == (large ? static_cast<float>(low(i, 0)) : high(i, 0)));
            CHECK(weighted(i, j) == static_cast<std::uint16_t>(a(i, j) * unsigned{w(i, 0)}));
        }
}
