// SPDX-License-Identifier: MIT
// Random arrays, and results of one device against those of another.
#ifndef CROTON_TESTS_DEVICE_COMPARE_HPP
#define CROTON_TESTS_DEVICE_COMPARE_HPP

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

#include <croton/croton.hpp>

namespace test {

using namespace croton;

template <class T, int R, class... I> array<T, R> random_array(unsigned seed, I... extents) {
    array<T, R> a(extents_of<R>{static_cast<std::int64_t>(extents)...});
    std::uint64_t state = seed * 2654435761u + 17;
    for (T& x : a) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const double v = static_cast<double>(state >> 40) / (1 << 23) - 1;
        if constexpr (std::is_same_v<T, bool>) x = v > 0;
        else if constexpr (std::is_integral_v<T>) x = static_cast<T>(v * 50);
        else x = static_cast<T>(v);
    }
    return a;
}

template <class T, int R> void check_close(const array<T, R>& got, const array<T, R>& want, double tolerance = 1e-5) {
    REQUIRE(got.extents() == want.extents());
    double scale = 1;
    constexpr bool floating = std::is_floating_point_v<arithmetic_t<T>>;
    if constexpr (floating)
        for (const double w : want)
            if (std::isfinite(w) && std::fabs(w) > scale) scale = std::fabs(w);
    std::int64_t wrong = 0, first = -1;
    for (std::int64_t i = 0; i < want.size(); ++i) {
        const T x = got.data()[i], y = want.data()[i];
        bool fits = x == y;
        if constexpr (floating) {
            const double a = static_cast<double>(x), b = static_cast<double>(y);
            fits = fits || (std::isnan(a) && std::isnan(b)) || std::fabs(a - b) <= tolerance * scale;
        }
        if (!fits && wrong++ == 0) first = i;
    }
    CAPTURE(first);
    CHECK(wrong == 0);
}
template <class T, int R, class Device>
    requires(!std::is_same_v<Device, cpu>)
void check_close(const array<T, R, Device>& got, const array<T, R>& want, double tolerance = 1e-5) {
    if constexpr (R == 0) CHECK(static_cast<double>(static_cast<T>(got)) == doctest::Approx(static_cast<double>(static_cast<T>(want))).epsilon(tolerance));
    else check_close(got.template to<cpu>(), want, tolerance);
}

/// The results of a function on `Device`, whose arguments lie there, beside those of another.
template <class Device, class F, class R, class... X> void compare_on(F& on_device, R& expected, const X&... x) {
    const auto e = expected(x...);
    const auto r = on_device(x.template to<Device>()...);
    [&]<std::size_t... I>(std::index_sequence<I...>) { (check_close(std::get<I>(r), std::get<I>(e)), ...); }(std::make_index_sequence<std::tuple_size_v<decltype(e)>>());
}

}  // namespace test

#endif
