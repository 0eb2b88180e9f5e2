// SPDX-License-Identifier: MIT
// Complex numbers, of which there are none: what says so knows them.
#ifndef CROTON_CORE_COMPLEX_HPP
#define CROTON_CORE_COMPLEX_HPP

#include <concepts>
#include <type_traits>

#include <croton/config.hpp>

namespace croton::inline v0_1::detail {

/// std::complex, and what other libraries have in its place.
template <class X>
concept complex_like = requires(const X& x) {
    typename X::value_type;
    { x.real() } -> std::same_as<typename X::value_type>;
    { x.imag() } -> std::same_as<typename X::value_type>;
};
/// One, or an array of them.
template <class X>
concept holds_complex = complex_like<X> || requires { requires complex_like<std::remove_cv_t<typename X::value_type>>; };

/// Where such are computed with. `real` is false.
template <bool real> constexpr void say_no_complex() {
    static_assert(real, "croton: there are no complex numbers; compute with real and imaginary parts as arrays of their own: the product of a + bi and c + di is "
                        "outputs(a * c - b * d, a * d + b * c), the absolute value hypot(a, b), the argument atan2(b, a)");
}

}  // namespace croton::inline v0_1::detail

#endif
