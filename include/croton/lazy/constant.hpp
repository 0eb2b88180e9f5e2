// SPDX-License-Identifier: MIT
// A value that the compiler knows, as an argument of a function on arrays.
#ifndef CROTON_LAZY_CONSTANT_HPP
#define CROTON_LAZY_CONSTANT_HPP

namespace croton::inline v0_1 {

template <auto Value> struct constant_value {
    static constexpr auto value = Value;
};

/// What decides how an expression is computed is a constant of its graph, and so of its type: `norm(x, constant<1>)`, `roll<0>(x, constant<2>)`,
/// `var(x, constant<ddof(1)>)`, `conv2d(x, w, constant<convolution_options{.stride = 2}>)`. A number that is written alone is an argument.
template <auto Value> inline constexpr constant_value<Value> constant{};

}  // namespace croton::inline v0_1

#endif
