// SPDX-License-Identifier: MIT
// Drawn arrays of any floating type, and how near two arrays are, wherever they lie.
#ifndef CROTON_TESTS_FUNCTION_HALF_HPP
#define CROTON_TESTS_FUNCTION_HALF_HPP

#include <cmath>
#include <cstdint>

#include <croton/croton.hpp>

namespace test {

using namespace croton;

template <class T, int R> array<T, R> drawn(unsigned seed, extents_of<R> extents, float size = 1) {
    array<T, R> a(extents);
    unsigned state = seed * 2654435761u + 17;
    for (T& x : a) x = static_cast<T>(size * (static_cast<float>((state = state * 1664525u + 1013904223u) >> 8) / 8388608.0f - 1));
    return a;
}

template <class T, int R> bool near(const array<T, R>& got, const array<T, R>& want, double tolerance = 2e-5) {
    if (got.extents() != want.extents()) return false;
    for (std::int64_t i = 0; i < want.size(); ++i) {
        const double x = static_cast<double>(got.data()[i]), y = static_cast<double>(want.data()[i]);
        if (!(x == y || (std::isnan(x) && std::isnan(y)) || std::fabs(x - y) <= tolerance * std::fmax(1.0, std::fabs(y)))) return false;
    }
    return true;
}
template <class T, int R, class Device> bool near(const array<T, R, Device>& got, const array<T, R>& want, double tolerance = 2e-5) {
    return near(got.template to<cpu>(), want, tolerance);
}

}  // namespace test

#endif
