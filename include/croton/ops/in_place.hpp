// SPDX-License-Identifier: MIT
// Assignments that compute: of variables, and of parameters, which they update.
#ifndef CROTON_OPS_IN_PLACE_HPP
#define CROTON_OPS_IN_PLACE_HPP

#include <croton/ops/bits.hpp>
#include <croton/ops/rounding.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class A> constexpr auto says_const() {
    static_assert(sizeof(A) == 0, "croton: an expression that is const keeps its value; declare a variable, as in auto y = x + 1 or expr<float, 1> y = x");
    return sentence_stands<A>();
}
template <traced A> constexpr auto left_alone(const A& a) {
    a.graph->stopped = true;
    return a;
}

/// A parameter is updated. What stands for something computed, as an array of the gradient of a model, stands for the value from then on.
template <traced A, traced E> constexpr update_list<1> assign(A& a, const E& value) {
    if constexpr (rank_of<E> == rank_of<A> && std::is_same_v<number_in<E>, number_in<A>>) {
        if ((*a.graph)[a.id].what != tag<structure::input>) {
            const int before = a.id;
            a.graph = value.graph;
            a.id = value.id;
            return {{update_of{before, value.id}}};
        }
    }
    return make_update(a, untyped(value));
}

}  // namespace detail

/// `s += x` makes `s` the handle of the sum; on a parameter it is an update of the parameter instead. So are the others. What would be lost is a sentence.
#define CROTON_IN_PLACE(op, binary)                                                                                    \
    template <class T, int R, detail::operand X> constexpr expr<T, R>& operator op(expr<T, R>& a, X x) { return a = a binary x; } \
    template <class T, int R, detail::operand X> constexpr update_list<1> operator op(const symbol<T, R>& w, X x) {    \
        return detail::make_update(w, detail::untyped(w binary x));                                                    \
    }                                                                                                                  \
    template <class T, int R, detail::operand X> constexpr update_list<1> operator op(symbol<T, R>& w, X x) { return detail::assign(w, w binary x); } \
    template <class T, int R, detail::operand X> constexpr auto operator op(expr<T, R>&& a, const X&) noexcept(detail::says_no_part<expr<T, R>>()) { return detail::left_alone(a); } \
    template <class T, int R, detail::operand X> constexpr auto operator op(const expr<T, R>& a, const X&) noexcept(detail::says_const<expr<T, R>>()) { return detail::left_alone(a); }

CROTON_IN_PLACE(+=, +)
CROTON_IN_PLACE(-=, -)
CROTON_IN_PLACE(*=, *)
CROTON_IN_PLACE(/=, /)
CROTON_IN_PLACE(%=, %)
CROTON_IN_PLACE(&=, &)
CROTON_IN_PLACE(|=, |)
CROTON_IN_PLACE(^=, ^)
CROTON_IN_PLACE(<<=, <<)
CROTON_IN_PLACE(>>=, >>)
#undef CROTON_IN_PLACE

}  // namespace croton::inline v0_1

#endif
