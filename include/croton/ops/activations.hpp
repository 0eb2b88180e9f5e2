// SPDX-License-Identifier: MIT
// Elementwise functions between the layers of a network, as PyTorch has them.
#ifndef CROTON_OPS_ACTIVATIONS_HPP
#define CROTON_OPS_ACTIVATIONS_HPP

#include <croton/ops/functions.hpp>

namespace croton::inline v0_1 {

template <traced X> constexpr auto sigmoid(const X& x) { return detail::elementwise<op::sigmoid>(x); }
template <traced X> constexpr auto softplus(const X& x) { return detail::elementwise<op::softplus>(x); }
template <traced X> constexpr auto relu(const X& x) { return detail::elementwise<op::relu>(x); }
// g++ 12 warns of an enumerator that has the name of a variable outside.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
/// How a function is computed: as it is defined, or by a formula near it.
enum class approximate { none, tanh };
#pragma GCC diagnostic pop

/// x times the share of the normal distribution below x: exactly, by erf, as in PyTorch; by the formula with tanh, which JAX takes
/// and GPT-2 was trained with, as gelu(x, approximate::tanh).
template <traced X> constexpr auto gelu(const X& x, approximate how = approximate::none) {
    if constexpr (detail::takes_element<op::gelu, detail::number_in<X>>)
        if (how == approximate::tanh) return detail::elementwise<op::gelu_tanh>(x);
    return detail::elementwise<op::gelu>(x);
}
/// x sigmoid(x), also called swish.
template <traced X> constexpr auto silu(const X& x) { return x * sigmoid(x); }
/// x tanh(softplus(x)). Misra, Mish: A Self Regularized Non-Monotonic Activation Function, 2019.
template <traced X> constexpr auto mish(const X& x) { return x * tanh(softplus(x)); }
/// x / (1 + |x|).
template <traced X> constexpr auto softsign(const X& x) { return detail::elementwise<op::softsign>(x); }

/// x above 0, and slope x elsewhere.
template <traced X, detail::operand S = double> constexpr auto leaky_relu(const X& x, S slope = 0.01) { return where(x > 0, x, slope * x); }
/// The same with a slope that is learned: one number, or one for each channel, which broadcasts.
template <traced X, detail::operand S> constexpr auto prelu(const X& x, S slope) { return where(x > 0, x, slope * where(x > 0, 0, x)); }

// What is not chosen is computed too, and its derivative must not be infinite: so it sees 0 for a large x.

/// x above 0, and alpha (e^x - 1) elsewhere.
template <traced X, detail::operand A = double> constexpr auto elu(const X& x, A alpha = 1) { return where(x > 0, x, alpha * expm1(where(x > 0, 0, x))); }
/// x above 0, and alpha (e^(x / alpha) - 1) elsewhere: its slope at 0 is 1 for every alpha.
template <traced X, detail::operand A = double> constexpr auto celu(const X& x, A alpha = 1) {
    return where(x > 0, x, alpha * expm1(where(x > 0, 0, x) / alpha));
}
/// elu with the two numbers that keep mean 0 and variance 1. Klambauer et al., Self-Normalizing Neural Networks, 2017.
template <traced X> constexpr auto selu(const X& x) { return 1.0507009873554804934193349852946 * elu(x, 1.6732632423543772848170429916717); }

/// 0 up to -3, 1 from 3, and (x + 3) / 6 between: sigmoid in three lines.
template <traced X> constexpr auto hard_sigmoid(const X& x) { return where(x <= -3, 0, where(x >= 3, 1, (x + 3) / 6.0)); }
/// 0 up to -3, x from 3, and x (x + 3) / 6 between.
template <traced X> constexpr auto hard_swish(const X& x) {
    const auto between = where(x >= 3, 0, x);
    return where(x <= -3, 0, where(x >= 3, x, between * (between + 3) / 6.0));
}

}  // namespace croton::inline v0_1

#endif
