// SPDX-License-Identifier: MIT
// What expressions on arrays are made of: which types are operands, their elements and devices, and what is wrong with some beside each other.
#ifndef CROTON_LAZY_OPERANDS_HPP
#define CROTON_LAZY_OPERANDS_HPP

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <croton/core/wrong.hpp>
#include <croton/device/cpu/cpu.hpp>
#include <croton/function/binding.hpp>
#include <croton/lazy/constant.hpp>
#include <croton/ops/elementwise.hpp>
#include <croton/ops/random.hpp>
#include <croton/ops/refused.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class X>
concept lazy_expression = requires { typename std::remove_cvref_t<X>::lazy_graph; };
/// An array, a view, or an expression on such.
template <class X>
concept own_array = lazy_expression<X> || array_like<std::remove_cvref_t<X>>;
/// What is computed with where it stands: those, and arrays of other libraries.
template <class X>
concept lazy_array = own_array<X> || seen<std::remove_reference_t<X>>;
/// Those of croton, without arrays of rank 0, which are numbers where no other array is with them.
template <class X>
concept lazy_array_with_axes = lazy_expression<X> || array_with_axes<std::remove_cvref_t<X>>;
template <class X> inline constexpr bool is_lazy_tag = std::is_same_v<X, keepdims_t>;
template <auto Value> inline constexpr bool is_lazy_tag<constant_value<Value>> = true;
/// A random state, which what is drawn from it counts on.
template <class X> inline constexpr bool is_state_of_draws = false;
template <template <class, int> class A> inline constexpr bool is_state_of_draws<random_state<A>> = array_like<A<std::uint64_t, 0>>;
template <class X>
concept state_of_draws = is_state_of_draws<std::remove_cvref_t<X>>;
template <class X>
concept lazy_operand = lazy_array<X> || number<std::remove_cvref_t<X>> || is_lazy_tag<std::remove_cvref_t<X>> || state_of_draws<X>;

/// Whether a function is called on arrays, or on a state of them, and not in a lambda that is traced. Arrays of a library that has functions of the same names stay its own,
/// unless one of croton's is with them.
template <class... X>
concept on_arrays = (own_array<X> || ... || (plainly_seen<std::remove_reference_t<X>> || ... || (state_of_draws<X> || ...))) && !(traced<std::remove_cvref_t<X>> || ...);
/// The result of something wrong among the arguments.
template <class... X>
concept on_wrong = some_wrong<std::remove_cvref_t<X>...>;
/// The same of an operator, by which other libraries and std::vector mean something of their own: two arrays of rank 0 are the numbers that they are.
template <class... X>
concept operates_on_arrays = (lazy_array_with_axes<X> || ...) && ((lazy_array<X> || number<std::remove_cvref_t<X>> || holds_complex<std::remove_cvref_t<X>>) && ...);
/// The same of an array that is written, whatever its rank, and of an expression, which is not.
template <class Y, class X>
concept operates_in_place = own_array<Y> && !traced<std::remove_cvref_t<X>> && (lazy_array<X> || number<std::remove_cvref_t<X>> || holds_complex<std::remove_cvref_t<X>>);

/// The element type and the device of an operand; those of a number are its own.
template <class X> struct operand_traits {
    using element = X;
    using device = void;
};
template <class X> requires (array_like<X> || seen<X>)
struct operand_traits<X> {
    using element = typename argument_traits<X>::element;
    using device = typename argument_traits<X>::device;
};
template <lazy_expression X> struct operand_traits<X> {
    using element = typename X::value_type;
    using device = typename X::device;
};
template <state_of_draws X> struct operand_traits<X> {
    using element = std::uint64_t;
    using device = typename argument_traits<decltype(X::key)>::device;
};
template <lazy_array X> inline constexpr int rank_of_array = [] {
    if constexpr (lazy_expression<X>) return X::rank;
    else return argument_traits<X>::rank;
}();

/// The device of all operands: that of those which do not lie on the host.
template <class... Device> struct joint_device {
    using type = cpu;
};
template <class First, class... Rest> struct joint_device<First, Rest...> {
    using rest = typename joint_device<Rest...>::type;
    using type = std::conditional_t<std::is_void_v<First> || std::is_same_v<First, cpu>, rest, First>;
};

/// The element type that numbers are converted to: that of the first array that holds no truth values. Beside those alone it is the one that all numbers
/// go into, as in `where(mask, 1.5, 0)`.
template <class Joint, class... X> struct joint_number {
    using type = Joint;
};
template <class Joint, class First, class... Rest> struct joint_number<Joint, First, Rest...> {
    using with = typename std::conditional_t<number<First>, choice<std::conditional_t<std::is_void_v<Joint>, First, Joint>, First>, std::type_identity<Joint>>::type;
    using type = typename joint_number<with, Rest...>::type;
};
template <class... X> struct element_of_arrays {
    using type = void;
};
template <class First, class... Rest> struct element_of_arrays<First, Rest...> {
    using element = arithmetic_t<typename operand_traits<First>::element>;
    using type = typename std::conditional_t<lazy_array<First> && !std::is_same_v<element, bool>, std::type_identity<element>, element_of_arrays<Rest...>>::type;
};
template <class... X> struct number_element {
    using of_arrays = typename element_of_arrays<X...>::type;
    using type = typename std::conditional_t<std::is_void_v<of_arrays>, joint_number<void, X...>, std::type_identity<of_arrays>>::type;
};

/// The same of the numbers of a function that says itself what they are.
template <class Function, class... X> struct number_beside : number_element<X...> {};
template <class Function, class... X> requires requires { typename Function::numbers; }
struct number_beside<Function, X...> {
    using type = typename Function::numbers;
};

/// The element type that operators compute with, of an array, and void of a number.
template <class X> struct element_computed {
    using type = void;
};
template <lazy_array X> struct element_computed<X> {
    using type = arithmetic_t<typename operand_traits<X>::element>;
};
template <class Op, class A, class B> struct unlike_operands {
    static constexpr void say(text_builder& text) {
        constexpr bool truth = std::is_same_v<A, bool> || std::is_same_v<B, bool>;
        using other = std::conditional_t<std::is_same_v<A, bool>, B, A>;
        text << Op::name << ": argument 1 holds " << name_of(element_of<A>) << " and argument 2 holds " << name_of(element_of<B>) << "; convert "
             << (truth ? "the truth values" : "one of them") << " with cast<" << name_of(element_of<other>) << ">(x)";
        if (!truth) text << " or cast<" << name_of(element_of<B>) << ">(x)";
    }
};
/// Says that an operator does not take its arrays, and true where it does. `both`: of integers it is another.
template <class Op, bool both, class A, class B = void> constexpr bool says_of_operation() {
    using T = std::conditional_t<std::is_void_v<A>, B, A>;
    if constexpr (!std::is_void_v<A> && !std::is_void_v<B> && !std::is_same_v<A, B>) return sentence_of<unlike_operands<Op, A, B>>(), false;
    else if constexpr (!both && !takes_element<Op, T>) return sentence_of<wrong_operand<Op, T>>(), false;
    else return true;
}

/// Says what is wrong with numbers of type `Element` beside each other, where the reader stands.
template <class Function, class Element, class... X> constexpr bool says_of_elements() {
    constexpr bool integers = std::is_integral_v<Element> && !std::is_same_v<Element, bool>, whole = !integers || !(std::is_floating_point_v<X> || ...);
    static_assert(whole, "croton: a number with a fraction stands beside integers, where NumPy gives double; write cast<double>(x) * 2.5");
    if constexpr (requires { Function::sign; }) {
        constexpr bool beside = !(std::is_same_v<X, bool> || ...);
        static_assert(beside, "croton: one truth value stands beside an array; a == b compares whole arrays, and equal(a, b) their elements; one that is meant is float(c), beside truth values array<bool, 0>(c)");
        constexpr bool divides = whole && integers && Function::sign == "/", turns = std::is_floating_point_v<Element> && Function::sign == "^";
        static_assert(!divides, "croton: / of integers would cut fractions off, where NumPy gives double; write floor_divide(x, y), or cast<double>(x) / y");
        static_assert(!turns, "croton: ^ is the exclusive or of integers and bools; a power is pow(a, b)");
        if constexpr (whole && beside && !divides && !turns && requires { typename Function::operation; }) return says_of_operation<typename Function::operation, Function::sign == "&" || Function::sign == "|" || Function::sign == "^", typename element_computed<X>::type...>();
        else return whole && beside && !divides && !turns;
    } else if constexpr (whole && requires { typename Function::operation; }) {
        return says_of_operation<typename Function::operation, false, typename element_computed<X>::type...>();
    } else {
        return whole;
    }
}

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
