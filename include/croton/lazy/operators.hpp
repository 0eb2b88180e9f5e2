// SPDX-License-Identifier: MIT
// The operators on arrays and on expressions of them.
#ifndef CROTON_LAZY_OPERATORS_HPP
#define CROTON_LAZY_OPERATORS_HPP

#include <string_view>
#include <utility>

#include <croton/lazy/lazy.hpp>

namespace croton::inline v0_1 {

#define CROTON_BINARY(name_, op)                                                                       \
    namespace detail::call_of {                                                                        \
    struct name_ {                                                                                     \
        static constexpr std::string_view sign = #op;                                                  \
        template <class A, class B> constexpr auto operator()(A a, B b) const { return a op b; }       \
    };                                                                                                 \
    }                                                                                                  \
    template <class A, class B> requires detail::operates_on_arrays<A, B>                              \
    auto operator op(A&& a, B&& b) { return detail::lazily<detail::call_of::name_>(std::forward<A>(a), std::forward<B>(b)); }

CROTON_BINARY(plus, +)
CROTON_BINARY(minus, -)
CROTON_BINARY(times, *)
CROTON_BINARY(over, /)
CROTON_BINARY(modulo, %)
CROTON_BINARY(less, <)
CROTON_BINARY(less_equal, <=)
CROTON_BINARY(greater, >)
CROTON_BINARY(greater_equal, >=)
CROTON_BINARY(and_, &)
CROTON_BINARY(or_, |)
CROTON_BINARY(xor_, ^)
CROTON_BINARY(both, &&)
CROTON_BINARY(either, ||)
CROTON_BINARY(shifted_left, <<)
CROTON_BINARY(shifted_right, >>)
#undef CROTON_BINARY

#define CROTON_UNARY(name_, op)                                                                        \
    namespace detail::call_of {                                                                        \
    struct name_ {                                                                                     \
        static constexpr std::string_view sign = #op;                                                  \
        template <class A> constexpr auto operator()(A a) const { return op a; }                       \
    };                                                                                                 \
    }                                                                                                  \
    template <class A> requires detail::operates_on_arrays<A>                                          \
    auto operator op(A&& a) { return detail::lazily<detail::call_of::name_>(std::forward<A>(a)); }

CROTON_UNARY(negative, -)
CROTON_UNARY(positive, +)
CROTON_UNARY(not_, !)
CROTON_UNARY(complement, ~)
#undef CROTON_UNARY

// In place: the array, or the part of one, is written where it lies.

#define CROTON_IN_PLACE(op, binary)                                                                    \
    template <class Y, class X> requires detail::operates_in_place<Y, X>                               \
    CROTON_INLINE Y&& operator op(Y&& y, X&& x) {                                                      \
        if constexpr (detail::says_of_target<Y>()) detail::lazily<detail::call_of::binary>(y, std::forward<X>(x)).assign_to(y); \
        return std::forward<Y>(y);                                                                     \
    }

CROTON_IN_PLACE(+=, plus)
CROTON_IN_PLACE(-=, minus)
CROTON_IN_PLACE(*=, times)
CROTON_IN_PLACE(/=, over)
CROTON_IN_PLACE(%=, modulo)
CROTON_IN_PLACE(&=, and_)
CROTON_IN_PLACE(|=, or_)
CROTON_IN_PLACE(^=, xor_)
CROTON_IN_PLACE(<<=, shifted_left)
CROTON_IN_PLACE(>>=, shifted_right)
#undef CROTON_IN_PLACE

}  // namespace croton::inline v0_1

#endif
