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
#include <croton/ops/random.hpp>

namespace croton::inline v0_1::detail {

template <class T, unsigned New, class Axes> struct lazy_parameter;
template <class T, unsigned New, std::size_t... Axis> struct lazy_parameter<T, New, std::index_sequence<Axis...>> {
    using type = tensor<T, ((New >> Axis) % 2 != 0 ? 1 : dynamic)...>;
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

/// A word of the formula of a graph: what is called stands before its arguments.
struct lazy_word {
    enum class kind { leaf, function, sign, constant, number };
    kind what = kind::leaf;
    std::string_view text{};
    std::size_t arguments = 0;
    double number = 0;
};

/// The formula from `word` on, as a person reads it, `a * exp(b)`; returns what stands behind it.
inline const lazy_word* say_formula(std::string& text, const lazy_word* word, int& leaf, bool within) {
    using kind = lazy_word::kind;
    const lazy_word& now = *word++;
    const bool binary = now.what == kind::sign && now.arguments > 1;
    if (now.what == kind::leaf) say_leaf(text, leaf++);
    else if (now.what == kind::number) text += number_text(now.number);
    else if (!binary) text += now.text;
    if (now.what == kind::function || (binary && within)) text += "(";
    for (std::size_t i = 0; i < now.arguments; ++i) {
        if (i > 0 && binary) (text += ' ').append(now.text) += ' ';
        else if (i > 0) text += ", ";
        word = say_formula(text, word, leaf, now.what == kind::sign);
    }
    if (now.what == kind::function || (binary && within)) text += ")";
    return word;
}

/// An array of `T` with `Rank` axes, of which those of the bits `New` are repeated, or a number of `T`.
template <class T, int Rank, unsigned New = 0> struct lazy_leaf {
    static constexpr int leaves = 1;
    using value = expr<T, Rank>;
    using parameters = std::tuple<typename lazy_parameter<T, New, std::make_index_sequence<static_cast<std::size_t>(Rank)>>::type>;
    template <int At, class P> static constexpr auto traced(const P& p) { return as_expr(std::get<static_cast<std::size_t>(At)>(p)); }
    static constexpr std::array<lazy_word, 1> words{};
};

/// A random state.
struct lazy_state {
    static constexpr int leaves = 1;
    using value = random_state<symbol>;
    using parameters = std::tuple<shared<value>>;
    template <int At, class P> static constexpr const value& traced(const P& p) { return std::get<static_cast<std::size_t>(At)>(p); }
    static constexpr std::array<lazy_word, 1> words{};
};

/// What the compiler knows: `keepdims` and `on_axes<0>`, whose types say it all, and constants.
template <class Tag> struct lazy_tag {
    static constexpr int leaves = 0;
    using value = Tag;
    using parameters = std::tuple<>;
    template <int, class P> static constexpr Tag traced(const P&) { return {}; }
    static constexpr std::array<lazy_word, 1> words{{{.what = lazy_word::kind::constant, .text = std::is_same_v<Tag, keepdims_t> ? "keepdims" : "{}"}}};
};
template <auto Value> struct lazy_tag<constant_value<Value>> {
    static constexpr int leaves = 0;
    using value = std::remove_const_t<decltype(Value)>;
    using parameters = std::tuple<>;
    template <int, class P> static constexpr auto traced(const P&) { return Value; }
    static constexpr std::array<lazy_word, 1> words = [] {
        lazy_word word{.what = lazy_word::kind::constant, .text = "{}"};
        if constexpr (std::is_arithmetic_v<value>) word = {.what = lazy_word::kind::number, .number = static_cast<double>(Value)};
        return std::array<lazy_word, 1>{word};
    }();
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
    static constexpr auto words = [] {
        std::array<lazy_word, (1 + ... + Of::words.size())> all{};
        if constexpr (requires { Function::sign; }) all[0] = {lazy_word::kind::sign, Function::sign, sizeof...(Of)};
        else all[0] = {lazy_word::kind::function, Function::name, sizeof...(Of)};
        std::size_t to = 1;
        const auto copy = [&](const auto& from) {
            for (const lazy_word& word : from) all[to++] = word;
        };
        (copy(Of::words), ...);
        return all;
    }();

private:
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
        const auto name = [&](const auto& leaf) {
            if constexpr (croton::traced<std::remove_cvref_t<decltype(leaf)>>) {
                name_leaf(leaf, at);
                // Of ones_like(a) beside b only the extents are asked for, which are those of b.
                leaf.graph->unused.push(leaf.id);
            }
            ++at;
        };
        (name(p), ...);
        return Graph::template traced<0>(std::tuple<const P&...>(p...));
    }
};

}  // namespace croton::inline v0_1::detail

#endif
