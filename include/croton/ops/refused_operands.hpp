// SPDX-License-Identifier: MIT
// What is neither a number nor an array beside an operator: each says only that.
#ifndef CROTON_OPS_REFUSED_OPERANDS_HPP
#define CROTON_OPS_REFUSED_OPERANDS_HPP

#include <string_view>
#include <tuple>
#include <type_traits>

#include <croton/core/later.hpp>
#include <croton/core/wrong.hpp>
#include <croton/ops/refused.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// What is no number where it stands beside something else: arrays with axes and expressions on such.
template <class X>
concept array_beside_others = (unevaluated<X> && X::rank != 0) || array_with_axes<X>;
template <class X>
concept has_operators = traced<X> || array_beside_others<X>;
template <class X>
concept unevaluated_number = (unevaluated<X> && X::rank == 0) || traced<X>;
/// What is asked whether it is one, or the text of one: `x == nullptr`.
template <class X>
concept no_value = std::is_null_pointer_v<X> || std::is_convertible_v<const X&, const char*>;
template <class X>
concept compiled_function = requires { X::plan(); };

/// Whether a list has elements that are numbers, and none that arrays hold.
template <class X> inline constexpr bool holds_other_numbers = false;
template <class X> requires requires { typename X::value_type; }
inline constexpr bool holds_other_numbers<X> = std::is_arithmetic_v<typename X::value_type> && !element_type<typename X::value_type>;

/// Says why `X` is no operand.
template <class X> constexpr bool says_no_operand() {
    constexpr bool nothing = std::is_null_pointer_v<X>, text = !nothing && std::is_convertible_v<const X&, std::string_view>, pointer = !text && (nothing || std::is_pointer_v<X> || std::is_array_v<X>);
    constexpr bool list = !text && requires(const X& x) { x.data(); x.size(); x[0] + 1; }, unheld = list && holds_other_numbers<X>, foreign = list && !unheld;
    static_assert(!text, "croton: text is no operand of an expression");
    static_assert(!pointer, "croton: a pointer says no extents; make a view of what lies there, as in view<float, 1>(p, {n})");
    static_assert(!unheld, "croton: a list holds numbers that arrays do not: they hold bool (std::vector<bool> has bits), the integers of <cstdint> (std::int64_t for long long), float and double");
    static_assert(!foreign, "croton: an array of another library meets an expression; in a function pass it as an argument, and declare a parameter for it; elsewhere make a view of it");
    static_assert(text || pointer || list, "croton: an operand is neither a number nor an array; expressions take numbers, arrays, views, and std::vector, std::array and std::span of numbers");
    return sentence_stands<X>();
}

/// The same, where arrays are operands elsewhere.
template <class A, class X> constexpr bool says_no_operand_of() {
    if constexpr (array_like<X> || unevaluated<X>) return says_array_met<A>();
    else return says_no_operand<later<A, X>>();
}

template <class A> constexpr bool says_no_text() { return says_no_operand<later<A, const char*>>(); }

/// Whatever stands beside an operator that nothing else takes: any other operator fits better.
struct no_operand {
    template <class X> requires (!some_wrong<X>) constexpr no_operand(const X&) noexcept(says_no_operand<X>()) {}
};

}  // namespace detail

#define CROTON_REFUSE(op)                                                                                              \
    template <detail::has_operators A> constexpr auto operator op(const A& a, detail::no_operand) -> detail::refused_t<A> { return detail::refused(a); } \
    template <detail::has_operators A> constexpr auto operator op(detail::no_operand, const A& a) -> detail::refused_t<A> { return detail::refused(a); }

CROTON_REFUSE(+)
CROTON_REFUSE(-)
CROTON_REFUSE(*)
CROTON_REFUSE(/)
CROTON_REFUSE(%)
CROTON_REFUSE(<)
CROTON_REFUSE(<=)
CROTON_REFUSE(>)
CROTON_REFUSE(>=)
#undef CROTON_REFUSE

#define CROTON_REFUSE(op)                                                                                              \
    template <detail::array_beside_others A> detail::wrong_result operator op(const A&, detail::no_operand);                      \
    template <detail::array_beside_others A> detail::wrong_result operator op(detail::no_operand, const A&);           \
    template <traced A, class X> requires (!detail::operand<X>)                                                        \
    constexpr auto operator op(const A& a, const X&) noexcept(detail::says_no_operand_of<A, X>()) -> detail::refused_t<A> { return detail::refused(a); }

CROTON_REFUSE(+=)
CROTON_REFUSE(-=)
CROTON_REFUSE(*=)
CROTON_REFUSE(/=)
CROTON_REFUSE(%=)
CROTON_REFUSE(&=)
CROTON_REFUSE(|=)
CROTON_REFUSE(^=)
#undef CROTON_REFUSE

// A number would say how far into the text.
template <detail::unevaluated_number A> constexpr auto operator+(const A& a, const char*) noexcept(detail::says_no_text<A>()) -> detail::refused_t<A> { return detail::refused(a); }
template <detail::unevaluated_number A> constexpr auto operator+(const char*, const A& a) noexcept(detail::says_no_text<A>()) -> detail::refused_t<A> { return detail::refused(a); }

template <detail::has_operators A, detail::no_value B>
constexpr auto operator==(const A& a, const B&) noexcept(detail::says_no_operand<detail::later<A, std::remove_cvref_t<B>>>()) -> detail::refused_t<A> { return detail::refused(a); }
template <detail::has_operators A, detail::no_value B>
constexpr auto operator!=(const A& a, const B&) noexcept(detail::says_no_operand<detail::later<A, std::remove_cvref_t<B>>>()) -> detail::refused_t<A> { return detail::refused(a); }

template <detail::has_operators A, detail::no_value B> constexpr auto operator==(const B& b, const A& a) noexcept(noexcept(a == b)) -> detail::refused_t<A> { return a == b; }
template <detail::has_operators A, detail::no_value B> constexpr auto operator!=(const B& b, const A& a) noexcept(noexcept(a == b)) -> detail::refused_t<A> { return a == b; }

// What gives several arrays, beside a number.
#define CROTON_REFUSE(op)                                                                                              \
    template <class... X, class B> requires (sizeof...(X) > 0 && (detail::array_like<X> && ...) && std::is_arithmetic_v<B>) \
    detail::wrong_result operator op(const std::tuple<X...>&, const B&) {                                              \
        static_assert(sizeof(B) > 99, "croton: several results are no array; name them, as in auto [y, z] = f(x)");    \
        return {};                                                                                                     \
    }

CROTON_REFUSE(+)
CROTON_REFUSE(-)
CROTON_REFUSE(*)
CROTON_REFUSE(/)
#undef CROTON_REFUSE

#define CROTON_REFUSE(op)                                                                                              \
    template <class A, class B> requires (detail::compiled_function<A> || detail::compiled_function<B>)                \
    constexpr auto operator op(const A&, const B&) {                                                                   \
        static_assert(sizeof(A) == 0, "croton: a function is called with its arguments, as in f(x), and then computed with"); \
        return detail::wrong_result();                                                                                 \
    }

CROTON_REFUSE(+)
CROTON_REFUSE(-)
CROTON_REFUSE(*)
CROTON_REFUSE(/)
#undef CROTON_REFUSE

}  // namespace croton::inline v0_1

#endif
