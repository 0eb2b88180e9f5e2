// SPDX-License-Identifier: MIT
// The elementwise functions and operators of expressions: each only names its entry in the table.
#ifndef CROTON_OPS_ELEMENTWISE_HPP
#define CROTON_OPS_ELEMENTWISE_HPP

#include <type_traits>
#include <utility>

#include <croton/core/complex.hpp>
#include <croton/graph/expr.hpp>
#include <croton/graph/own_operator.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class X>
concept number = std::is_arithmetic_v<X>;
/// The element type that a number has on its own: its own, or as near as there is one, as for long long where int64 is long.
template <class X> using element_of_number = std::conditional_t<element_type<X>, X, std::conditional_t<std::is_floating_point_v<X>, double,
    std::conditional_t<(sizeof(X) < 4), std::int32_t, std::conditional_t<std::is_unsigned_v<X>, std::uint64_t, std::int64_t>>>>;
/// What may stand where numbers do. Of complex ones only, to say that there are none.
template <class X>
concept operand = traced<X> || number<X> || complex_like<X>;
template <operand X> inline constexpr int rank_of_operand = 0;
template <traced X> inline constexpr int rank_of_operand<X> = rank_of<X>;

template <class... X>
concept some_traced = (operand<X> && ...) && (traced<X> || ...);
/// An expression and a number, in either order.
template <class A, class B>
concept array_and_number = (traced<A> && number<B>) || (number<A> && traced<B>);

/// The element type and the graph that a call's literals adopt: those of its first traced argument that is no such literal.
template <class First, class... Rest> constexpr auto lead(const First& first, const Rest&... rest) {
    if constexpr (traced<First> && (!is_weak<First> || !((traced<Rest> && !is_weak<Rest>) || ...))) return as_number(first);
    else return lead(rest...);
}
/// Which operand that is.
template <class... X> inline constexpr int lead_place = [] {
    const bool leads[] = {traced<X> && !is_weak<X>...};
    int at = 0;
    while (!leads[at]) ++at;
    return at;
}();
template <class... X> using led_by = typename decltype(lead(std::declval<X>()...))::element;
template <class A, class B> inline constexpr bool divides_integers = std::is_integral_v<led_by<A, B>> && !std::is_same_v<led_by<A, B>, bool>;

/// The graph of operands, or null where one has no value, or all wait for one: those of a loop's turn on trial. Records the sentence for the first.
template <class... X> constexpr arena* graph_of(const X&... x) {
    arena* g = nullptr;
    bool missing = false;
    const auto look = [&](const auto& operand) {
        if constexpr (traced<decltype(operand)>) {
            if (operand.graph != nullptr) g = operand.graph;
            else missing = missing || operand.id != unplaced;
        }
    };
    (look(x), ...);
    if (missing && g != nullptr && !g->failed()) g->error << "an expression is used that was given no value; start with one, as in expr<float, 1> s = x";
    return missing ? nullptr : g;
}

/// Whether all operands are numbers, of C++ or of a loop that is on trial: no graph is known.
template <class... X> inline constexpr bool only_numbers = ((is_loop_number<X> || !traced<X>) && ...);
/// What an operator gives of such.
template <class R, class... X> using number_of_trial = loop_number<R, std::is_floating_point_v<R> && ((is_weak<X> || !traced<X>) && ...)>;

/// Whether a C++ number can stand beside an expression of `T`.
template <class T, class X>
inline constexpr bool literal_fits = std::is_floating_point_v<T> || std::is_same_v<X, bool> || (!std::is_floating_point_v<X> && !std::is_same_v<T, bool>);

template <class T, class X> struct wrong_literal {
    static constexpr void say(text_builder& text) {
        text << (std::is_floating_point_v<X> ? "a floating-point number" : "a number") << " meets an expression of " << name_of(element_of<T>)
             << "; convert the expression with cast<float>(x)" << (std::is_floating_point_v<X> ? "" : " or cast<int>(x)");
    }
};

/// Records the sentence for a whole number that an expression of `T` cannot hold.
template <class T, class X> constexpr bool check_literal(arena& g, X x) {
    if (std::in_range<T>(x)) return true;
    if (g.failed()) return false;
    g.error << "the literal " << x << (x < 0 ? " is too small for an expression of " : " is too large for an expression of ") << name_of(element_of<T>)
            << (is_narrow_or_unsigned<T> ? "; convert the expression, as in cast<int>(x)" : "; pass it as an argument");
    return false;
}

template <class T, operand X> constexpr int argument_node(arena& g, const X& x) {
    if constexpr (traced<X>) {
        return x.graph == nullptr ? placed_node<T>(g, x) : read_node(x);
    } else if constexpr (complex_like<X>) {
        say_no_complex<!complex_like<X>>();
        g.stopped = true;
        return g.literal(element_of<T>, 0);
    } else {
        if constexpr (!literal_fits<T, X>) {
            sentence_of<wrong_literal<T, X>>();
            g.stopped = true;
            return g.literal(element_of<T>, 0);
        }
        if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool> && std::is_integral_v<X>) {
            if (!check_literal<T>(g, +x)) return g.literal(element_of<T>, 0);
            return g.literal(element_of<T>, static_cast<std::int64_t>(x));
        } else {
            return g.literal(element_of<T>, static_cast<double>(x));
        }
    }
}

template <class... X> inline constexpr int joint_rank = [] {
    int rank = 0;
    ((rank = traced<X> && [] { if constexpr (traced<X>) return rank_of<X>; else return 0; }() > rank
                 ? [] { if constexpr (traced<X>) return rank_of<X>; else return 0; }() : rank), ...);
    return rank;
}();

/// `x holds float`; of what is only stored also what it is read as.
constexpr void describe_element(arena& g, int id) {
    int from = id;
    while (g[from].what == tag<structure::view> || g[from].what == tag<structure::reshape> || g[from].what == tag<structure::broadcast>) from = g[from].in[0];
    const element stored = g[from].what == tag<structure::input>  ? g.leaves[static_cast<int>(g[from].bits)].type
                           : g[from].what == tag<structure::cast> ? g[g[from].in[0]].type
                                                        : g[id].type;
    const bool read = is_stored_only(stored) && g[id].type == element::float32;
    g.describe(g.error, read && g[from].what == tag<structure::cast> ? g[from].in[0] : id);
    g.error << " holds " << name_of(read ? stored : g[id].type) << (read ? ", which is read as float," : "");
}

/// Records the sentence for operands of two element types.
constexpr void element_mismatch(arena& g, std::string_view name, int a, int b) {
    if (g.failed()) return;
    g.error << name << ": ";
    describe_element(g, a);
    g.error << " and ";
    describe_element(g, b);
    g.error << "; convert one of them with cast<" << name_of(g[a].type) << ">(x) or cast<"
            << name_of(g[b].type) << ">(x)";
}

template <class Op, class T>
inline constexpr bool takes_element = Op::kind == op::typing::floating  ? std::is_floating_point_v<T>
                                      : Op::kind == op::typing::numeric ? !std::is_same_v<T, bool>
                                      : Op::kind == op::typing::logical ? std::is_same_v<T, bool>
                                      : Op::kind == op::typing::integral ? std::is_integral_v<T> && !std::is_same_v<T, bool>
                                                                        : true;

template <class Op, class T> struct wrong_operand {
    static constexpr void say(text_builder& text) {
        text << Op::name << " takes "
             << (Op::kind == op::typing::floating ? "float or double" : Op::kind == op::typing::numeric ? "numbers"
                 : Op::kind == op::typing::integral ? "integers" : "bool")
             << ", but its argument holds " << name_of(element_of<T>)
             << (Op::kind == op::typing::floating  ? "; convert it with cast<float>(x)"
                 : Op::kind == op::typing::numeric ? "; convert it with cast<float>(x) or cast<int>(x)"
                 : Op::kind == op::typing::integral ? "; convert it with cast<int>(x)"
                                                   : "; compare first, as in x > 0");
    }
};

/// The node of operator `Op` on operands that share an element type; literals adopt it.
template <class Op, operand... X> constexpr auto elementwise(const X&... x) {
    using T = typename decltype(lead(x...))::element;
    using R = std::conditional_t<Op::kind == op::typing::comparison, bool, T>;
    if constexpr (only_numbers<X...>) {
        return number_of_trial<R, X...>();
    } else {
        arena* const found = graph_of(x...);
        if (found == nullptr) return expr<R, joint_rank<X...>>();
        arena& g = *found;
        if constexpr (!takes_element<Op, T>) {
            sentence_of<wrong_operand<Op, T>>();
            g.stopped = true;
        }
        const int id[] = {argument_node<T>(g, x)...};
        for (const int i : id)
            if (g[i].type != element_of<T>) element_mismatch(g, Op::name, id[lead_place<X...>], i);
        int made;
        if constexpr (sizeof...(X) == 1) made = g.apply(number_of<Op>(g), id[0]);
        else if constexpr (sizeof...(X) == 2) made = g.apply(number_of<Op>(g), id[0], id[1]);
        else made = g.apply(number_of<Op>(g), id[0], id[1], id[2]);
        return expr<R, joint_rank<X...>>{&g, made};
    }
}

/// The operator on truth values, or on integers the one on their bits.
template <class Logical, class Bitwise, operand... X> constexpr auto logical_or_bitwise(const X&... x) {
    using T = typename decltype(lead(x...))::element;
    return detail::elementwise<std::conditional_t<takes_element<Bitwise, T>, Bitwise, Logical>>(x...);
}

}  // namespace detail

// Operands that may be numbers are taken by value: so a constexpr variable beside the lambda is read and not captured.

template <traced X> constexpr auto operator-(const X& x) { return detail::elementwise<op::negative>(x); }
template <traced X> constexpr auto operator+(const X& x) { return detail::as_number(x); }
template <traced X> constexpr auto operator!(const X& x) { return detail::elementwise<op::logical_not>(x); }
/// Of bools ~ & | ^ are logical, of integers they work on the bits.
template <traced X> constexpr auto operator~(const X& x) { return detail::logical_or_bitwise<op::logical_not, op::bitwise_not>(x); }

template <class A, class B> requires detail::some_traced<A, B>
constexpr auto operator+(A a, B b) { return detail::elementwise<op::add>(a, b); }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto operator-(A a, B b) { return detail::elementwise<op::subtract>(a, b); }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto operator*(A a, B b) { return detail::elementwise<op::multiply>(a, b); }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto operator/(A a, B b) {
    constexpr bool fits = !detail::divides_integers<A, B>;
    static_assert(fits, "croton: / of integers would cut fractions off, where NumPy gives double; write floor_divide(x, y), or cast<double>(x) / y");
    if constexpr (fits) return detail::elementwise<op::divide>(a, b);
    else return detail::elementwise<op::add>(a, b);
}
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto operator==(A a, B b) { return detail::elementwise<op::equal>(a, b); }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto operator!=(A a, B b) { return detail::elementwise<op::not_equal>(a, b); }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto operator<(A a, B b) { return detail::elementwise<op::less>(a, b); }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto operator<=(A a, B b) { return detail::elementwise<op::less_equal>(a, b); }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto operator>(A a, B b) { return detail::elementwise<op::greater>(a, b); }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto operator>=(A a, B b) { return detail::elementwise<op::greater_equal>(a, b); }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto operator&(A a, B b) { return detail::logical_or_bitwise<op::logical_and, op::bitwise_and>(a, b); }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto operator|(A a, B b) { return detail::logical_or_bitwise<op::logical_or, op::bitwise_or>(a, b); }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto operator&&(A a, B b) { return detail::elementwise<op::logical_and>(a, b); }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto operator||(A a, B b) { return detail::elementwise<op::logical_or>(a, b); }

/// The new value of a shared parameter: an expression, or a number for all of its elements. A parameter of half or bfloat16
/// takes an expression of float and stores it rounded.
template <traced W, detail::operand X> constexpr update_list<1> update(const W& w, X value) {
    constexpr bool is_symbol = std::is_base_of_v<symbol<detail::element_in<W>, detail::rank_of<W>>, W>;
    static_assert(is_symbol, "croton: update takes a shared parameter and its new value; only parameters can be updated");
    if constexpr (!is_symbol) w.graph->stopped = true;
    return detail::make_update(w, detail::term{w.graph, detail::argument_node<detail::number_in<W>>(*w.graph, value)});
}

namespace detail {

/// The element type of a choice between two numbers: that of the number they are in C++.
template <class A, class B> struct choice {
    using type = element_of_number<std::common_type_t<A, B>>;
};
template <class A, class B> requires some_traced<A, B>
struct choice<A, B> {
    using type = typename decltype(lead(std::declval<A>(), std::declval<B>()))::element;
};

}  // namespace detail

/// `a` where the condition holds, else `b`; the arguments broadcast. Two numbers give an expression of their own type.
template <traced C, class A, class B> requires detail::operand<A> && detail::operand<B>
constexpr auto where(C condition, A a, B b) {
    static_assert(std::is_same_v<detail::element_in<C>, bool>, "croton: the condition of where is a bool expression; compare first, as in x > 0");
    using T = typename detail::choice<A, B>::type;
    if constexpr (detail::only_numbers<C, A, B>) {
        return detail::number_of_trial<T, A, B>();
    } else {
        using R = expr<T, detail::joint_rank<C, A, B>>;
        detail::arena* const found = detail::graph_of(condition, a, b);
        if (found == nullptr) return R();
        detail::arena& g = *found;
        if constexpr (!std::is_same_v<detail::element_in<C>, bool>) g.stopped = true;
        const int ic = detail::argument_node<bool>(g, condition), ia = detail::argument_node<T>(g, a), ib = detail::argument_node<T>(g, b);
        if (g[ia].type != g[ib].type) detail::element_mismatch(g, "where", ia, ib);
        return R{&g, g.apply(detail::code<op::where>, ic, ia, ib)};
    }
}

namespace detail {

/// What the value of `Op` on a number of `T` for each of `I` is; void where it takes no such numbers.
template <class Op, class T, int... I> constexpr auto own_result(std::integer_sequence<int, I...>) {
    if constexpr (requires { Op::value((void(I), T())...); })
        return std::type_identity<std::remove_cvref_t<decltype(Op::value((void(I), T())...))>>{};
    else return std::type_identity<void>{};
}
template <class Op, class T, int Arity>
using own_result_t = typename decltype(own_result<Op, T>(std::make_integer_sequence<int, Arity>()))::type;

/// What the struct of a user takes and gives, where it does not say so: numbers and the same, or a bool.
template <class Op, class T, int Arity> constexpr op::typing own_kind() {
    if constexpr (requires { Op::kind; }) return Op::kind;
    else if constexpr (std::is_same_v<T, bool>) return op::typing::numeric;
    else return std::is_same_v<own_result_t<Op, T, Arity>, bool> ? op::typing::comparison : op::typing::numeric;
}

template <class Op, class T, class Given> struct wrong_value {
    static constexpr int arity = Op::facts.arity;
    static constexpr void say(text_builder& text) {
        text << Op::name << ": its value must take " << arity << " " << name_of(element_of<T>) << " and give "
             << (Op::kind == op::typing::comparison || Op::kind == op::typing::logical ? "bool" : name_of(element_of<T>));
        if constexpr (std::is_void_v<Given>) text << ", but it cannot be called with them";
        else text << ", but it gives another type";
    }
};

template <class Op, class First, class... X> constexpr auto own_elementwise(const First& first, const X&... x) {
    constexpr int arity = 1 + sizeof...(X);
    if constexpr (std::is_same_v<First, term>) {
        return term{first.g, first.g->apply(number_of<own_call<Op, arity, own_kind<Op, float, arity>()>>(*first.g), first.id, x.id...)};
    } else {
        using T = typename decltype(lead(first, x...))::element;
        using Call = own_call<Op, arity, own_kind<Op, T, arity>()>;
        using Given = own_result_t<Op, T, arity>;
        using Wanted = std::conditional_t<Call::kind == op::typing::comparison || Call::kind == op::typing::logical, bool, T>;
        static_assert(Call::kind != op::typing::selection, "croton: the kind of an operator of your own cannot be selection");
        if constexpr (takes_element<Call, T> && !std::is_same_v<Given, Wanted>) {
            sentence_of<wrong_value<Call, T, Given>>();
            lead(first, x...).graph->stopped = true;
        }
        return detail::elementwise<Call>(first, x...);
    }
}

template <class... X>
concept own_operands = sizeof...(X) >= 1 && sizeof...(X) <= 3 && (some_traced<X...> || (std::is_same_v<X, term> && ...));

}  // namespace detail

/// The operator of the struct `Op` on 1 to 3 arguments, which broadcast; numbers among them adopt the element type of the
/// expressions. It differentiates, fuses and runs on every device like the operators above. The struct has
///   name    what messages and explanations call it
///   value   a static CROTON_HD function of numbers. A template is called with lanes of numbers too, which have the operators and,
///           by argument-dependent lookup, the functions of numbers; a function that takes only numbers is called lane by lane
///   pull    if it has a derivative: a static constexpr template of the cotangent g, the result y and the arguments, as nodes,
///           that gives a std::array of the cotangents of the arguments; it may call elementwise<Other>
///   kind    if it is not `numeric`, nor `comparison` where value gives bool: which element types it takes (op::typing)
template <class Op, class... X> requires detail::own_operands<X...>
constexpr auto elementwise(X... x) { return detail::own_elementwise<Op>(x...); }

/// The value in another element type, as static_cast has it; the gradient flows between floating-point types. `cast<half>(x)`
/// is x rounded for storage, as an output or as an update; every operator reads it as float again.
template <element_type T, traced X> constexpr auto cast(const X& x) {
    if constexpr (detail::is_loop_number<X>) return detail::loop_number<arithmetic_t<T>, false>();
    else return expr<T, detail::rank_of<X>>{x.graph, detail::structure::cast::of(*x.graph, element_of<T>, x.id)};
}
/// To complex numbers: a compile-time error.
template <detail::complex_like T, traced X> constexpr auto cast(const X& x) {
    detail::say_no_complex<!detail::complex_like<T>>();
    x.graph->stopped = true;
    return detail::as_number(x);
}

}  // namespace croton::inline v0_1

#endif
