// SPDX-License-Identifier: MIT
// The graph of an expression on arrays, as a type: what a compiler traces when the expression is evaluated.
#ifndef CROTON_LAZY_GRAPH_HPP
#define CROTON_LAZY_GRAPH_HPP

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <croton/array/print.hpp>
#include <croton/lazy/constant.hpp>
#include <croton/ops/elementwise.hpp>

namespace croton::inline v0_1::detail {

template <class T, class Axes> struct lazy_parameter;
template <class T, std::size_t... Axis> struct lazy_parameter<T, std::index_sequence<Axis...>> {
    using type = tensor<T, (static_cast<void>(Axis), dynamic)...>;
};

/// What leaf number `at` is called: a, b, ..., z, a', ...
template <class Text> constexpr void say_leaf(Text& text, int at) {
    const char letter = static_cast<char>('a' + at % 26);
    text += letter;
    for (; at >= 26; at -= 26) text += '\'';
}
constexpr void name_leaf(const auto& leaf, int at) {
    struct {
        char letter[8]{};
        std::size_t count = 0;
        constexpr void operator+=(char c) {
            if (count < sizeof letter) letter[count++] = c;
        }
    } text;
    say_leaf(text, at);
    named(leaf, {text.letter, text.count});
}

/// An array of `T` with `Rank` axes, or a number of `T`.
template <class T, int Rank> struct lazy_leaf {
    static constexpr int leaves = 1;
    using value = expr<T, Rank>;
    using parameters = std::tuple<typename lazy_parameter<T, std::make_index_sequence<static_cast<std::size_t>(Rank)>>::type>;
    template <int At, class P> static constexpr auto traced(const P& p) { return as_expr(std::get<static_cast<std::size_t>(At)>(p)); }
    static void say(std::string& text, int at) { say_leaf(text, at); }
};

/// What the compiler knows: `keepdims`, whose type says it all, and constants.
template <class Tag> struct lazy_tag {
    static constexpr int leaves = 0;
    using value = Tag;
    using parameters = std::tuple<>;
    template <int, class P> static constexpr Tag traced(const P&) { return {}; }
    static void say(std::string& text, int) { text += "keepdims"; }
};
template <auto Value> struct lazy_tag<constant_value<Value>> {
    static constexpr int leaves = 0;
    using value = std::remove_const_t<decltype(Value)>;
    using parameters = std::tuple<>;
    template <int, class P> static constexpr auto traced(const P&) { return Value; }
    static void say(std::string& text, int) {
        if constexpr (std::is_arithmetic_v<decltype(Value)>) text += number_text(Value);
        else text += "{}";
    }
};

/// What the function object `Function` makes of what the graphs `Of` stand for.
template <class Function, class... Of> struct lazy_call {
    static constexpr int leaves = (0 + ... + Of::leaves);
    /// An `expr`, or several.
    using value = decltype(std::declval<Function>()(std::declval<typename Of::value>()...));
    using parameters = decltype(std::tuple_cat(std::declval<typename Of::parameters>()...));
    template <int At, class P> static constexpr auto traced(const P& p) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return Function()(Of::template traced<At + first[I]>(p)...);
        }(std::index_sequence_for<Of...>());
    }
    /// `a * exp(b)`, by the names of the leaves; within another operator in parentheses.
    static void say(std::string& text, int at, [[maybe_unused]] bool within = true) {
        if constexpr (requires { Function::sign; }) {
            int i = 0;
            text += sizeof...(Of) == 1 ? Function::sign : within ? "(" : "";
            ((text += i > 0 ? " " + std::string(Function::sign) + " " : std::string(), Of::say(text, at + first[static_cast<std::size_t>(i)]), ++i), ...);
            if (sizeof...(Of) > 1 && within) text += ")";
        } else {
            int i = 0;
            text += std::string(Function::name) + "(";
            ((text += i > 0 ? ", " : "", say_argument<Of>(text, at + first[static_cast<std::size_t>(i)]), ++i), ...);
            text += ")";
        }
    }

private:
    template <class Argument> static void say_argument(std::string& text, int at) {
        if constexpr (requires { Argument::say(text, at, false); }) Argument::say(text, at, false);
        else Argument::say(text, at);
    }
    /// The number of the first leaf of each.
    static constexpr auto first = [] {
        std::array<int, sizeof...(Of) + 1> from{};
        std::size_t i = 0;
        ((from[i + 1] = from[i] + Of::leaves, ++i), ...);
        return from;
    }();
};

/// The graph as the lambda of a function.
template <class Graph, class Parameters = typename Graph::parameters> struct lazy_lambda;
template <class Graph, class... P> struct lazy_lambda<Graph, std::tuple<P...>> {
    constexpr auto operator()(P... p) const {
        int at = 0;
        (name_leaf(p, at++), ...);
        auto value = Graph::template traced<0>(std::tuple<const P&...>(p...));
        // What a decomposition gives, a struct of expressions, is a tuple of arrays.
        if constexpr (has_fields<decltype(value)> && !traced<decltype(value)>) return std::apply([](auto&... each) { return std::make_tuple(each...); }, tie_fields(value));
        else return value;
    }
};

}  // namespace croton::inline v0_1::detail

#endif
