// SPDX-License-Identifier: MIT
// How far the rewrites of a function may go.
#ifndef CROTON_GRAPH_ALGEBRA_HPP
#define CROTON_GRAPH_ALGEBRA_HPP

namespace croton::inline v0_1 {

/// The algebra of a function. Unless one is named, what was written is what is computed: no rewrite turns a NaN or an infinity
/// into a number, overflows or underflows where the written order does not, or cancels what was written to be there.
namespace algebra {

struct free_t {};
/// `function<cpu>(f, algebra::free)`: the rewrites may compute as with real numbers, as those of Theano do. (x + y) - y is x
/// and 0 * x is 0, whatever rounding, NaN and infinity make of them.
inline constexpr free_t free{};

}  // namespace algebra

namespace detail {

/// A lambda whose function has `algebra::free`.
template <class F> struct with_free_algebra : F {
    using F::operator();
};

template <class F> struct free_algebra_of {
    using type = F;  // no lambda: whoever makes a function of it says so
};
template <class F>
    requires requires { &F::operator(); }
struct free_algebra_of<F> {
    using type = with_free_algebra<F>;
};
template <class F> using with_free_algebra_t = typename free_algebra_of<F>::type;

template <class F> inline constexpr bool has_free_algebra = false;
template <class F> inline constexpr bool has_free_algebra<with_free_algebra<F>> = true;

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
