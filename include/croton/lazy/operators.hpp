// SPDX-License-Identifier: MIT
// The operators on arrays and on expressions of them.
#ifndef CROTON_LAZY_OPERATORS_HPP
#define CROTON_LAZY_OPERATORS_HPP

#include <string_view>
#include <utility>

#include <croton/lazy/lazy.hpp>

namespace croton::inline v0_1 {

#define CROTON_BINARY(name_, sign_, operation_)                                                        \
    namespace detail::call_of {                                                                        \
    struct name_ {                                                                                     \
        using operation = op::operation_;                                                              \
        static constexpr std::string_view sign = #sign_;                                               \
        template <class A, class B> constexpr auto operator()(A a, B b) const { return a sign_ b; }    \
    };                                                                                                 \
    }                                                                                                  \
    template <class A, class B> requires detail::operates_on_arrays<A, B>                              \
    auto operator sign_(A&& a, B&& b) { return detail::lazily<detail::call_of::name_>(std::forward<A>(a), std::forward<B>(b)); }

CROTON_BINARY(plus, +, add)
CROTON_BINARY(minus, -, subtract)
CROTON_BINARY(times, *, multiply)
CROTON_BINARY(over, /, divide)
CROTON_BINARY(modulo, %, remainder)
CROTON_BINARY(less, <, less)
CROTON_BINARY(less_equal, <=, less_equal)
CROTON_BINARY(greater, >, greater)
CROTON_BINARY(greater_equal, >=, greater_equal)
CROTON_BINARY(and_, &, logical_and)
CROTON_BINARY(or_, |, logical_or)
CROTON_BINARY(xor_, ^, logical_xor)
CROTON_BINARY(both, &&, logical_and)
CROTON_BINARY(either, ||, logical_or)
CROTON_BINARY(shifted_left, <<, left_shift)
CROTON_BINARY(shifted_right, >>, right_shift)
#undef CROTON_BINARY

#define CROTON_UNARY(name_, sign_, ...)                                                                \
    namespace detail::call_of {                                                                        \
    struct name_ {                                                                                     \
        static constexpr std::string_view sign = #sign_;                                               \
        __VA_ARGS__                                                                                    \
        template <class A> constexpr auto operator()(A a) const { return sign_ a; }                    \
    };                                                                                                 \
    }                                                                                                  \
    template <class A> requires detail::operates_on_arrays<A>                                          \
    auto operator sign_(A&& a) { return detail::lazily<detail::call_of::name_>(std::forward<A>(a)); }

CROTON_UNARY(negative, -, using operation = op::negative;)
CROTON_UNARY(positive, +, )
CROTON_UNARY(not_, !, using operation = op::logical_not;)
CROTON_UNARY(complement, ~, )
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
