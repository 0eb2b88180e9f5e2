// SPDX-License-Identifier: MIT
// Axes and extents as arguments, as NumPy has them: each function here only says where they stand.
#ifndef CROTON_OPS_REFUSED_AXES_HPP
#define CROTON_OPS_REFUSED_AXES_HPP

#include <initializer_list>
#include <string_view>
#include <type_traits>

#include <croton/core/text.hpp>
#include <croton/core/wrong.hpp>
#include <croton/ops/reduce.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class X, class... N>
concept numbers_behind = traced<X> && ((std::is_arithmetic_v<N> || std::is_same_v<N, keepdims_t>) && ...) && (std::is_arithmetic_v<N> || ...);

/// What stands for the result, of the rank that is meant.
template <int Rank, class X> constexpr auto of_rank(const X& x) {
    x.graph->stopped = true;
    return expr<element_in<X>, Rank>{x.graph, x.id};
}

// The functions, what stands in angle brackets, and the rank of the result where each number behind the argument were one of them.
#define CROTON_AFTER_REDUCTION detail::rank_of<X> < static_cast<int>(sizeof...(N)) ? 0 : detail::rank_of<X> - static_cast<int>(sizeof...(N))
#define CROTON_NUMBERS_IN_BRACKETS(form_)                       \
    form_(sum, "axes", "<0>(x)", CROTON_AFTER_REDUCTION)            \
    form_(prod, "axes", "<0>(x)", CROTON_AFTER_REDUCTION)           \
    form_(all, "axes", "<0>(x)", CROTON_AFTER_REDUCTION)            \
    form_(any, "axes", "<0>(x)", CROTON_AFTER_REDUCTION)            \
    form_(mean, "axes", "<0>(x)", CROTON_AFTER_REDUCTION)           \
    form_(argmax, "axes", "<0>(x)", CROTON_AFTER_REDUCTION)         \
    form_(argmin, "axes", "<0>(x)", CROTON_AFTER_REDUCTION)         \
    form_(count_nonzero, "axes", "<0>(x)", CROTON_AFTER_REDUCTION)  \
    form_(ptp, "axes", "<0>(x)", CROTON_AFTER_REDUCTION)            \
    form_(median, "axes", "<0>(x)", CROTON_AFTER_REDUCTION)         \
    form_(nansum, "axes", "<0>(x)", CROTON_AFTER_REDUCTION)         \
    form_(nanmean, "axes", "<0>(x)", CROTON_AFTER_REDUCTION)        \
    form_(logsumexp, "axes", "<0>(x)", CROTON_AFTER_REDUCTION)      \
    form_(squeeze, "axes", "<0>(x)", CROTON_AFTER_REDUCTION)        \
    form_(softmax, "axes", "<0>(x)", detail::rank_of<X>)            \
    form_(log_softmax, "axes", "<0>(x)", detail::rank_of<X>)        \
    form_(sort, "axes", "<0>(x)", detail::rank_of<X>)               \
    form_(argsort, "axes", "<0>(x)", detail::rank_of<X>)            \
    form_(cumsum, "axes", "<0>(x)", detail::rank_of<X>)             \
    form_(cumprod, "axes", "<0>(x)", detail::rank_of<X>)            \
    form_(flip, "axes", "<0>(x)", detail::rank_of<X>)               \
    form_(diff, "axes", "<0>(x)", detail::rank_of<X>)               \
    form_(transpose, "axes", "<1, 0>(x)", detail::rank_of<X>)       \
    form_(swapaxes, "axes", "<0, 1>(x)", detail::rank_of<X>)        \
    form_(moveaxis, "axes", "<0, 1>(x)", detail::rank_of<X>)        \
    form_(expand_dims, "axes", "<0>(x)", detail::rank_of<X> + static_cast<int>(sizeof...(N))) \
    form_(reshape, "extents", "<2, dynamic>(x)", static_cast<int>(sizeof...(N))) \
    form_(broadcast_to, "extents", "<2, 3>(x)", static_cast<int>(sizeof...(N)))  \
    form_(tile, "numbers", "<2, 3>(x)", detail::rank_of<X>)         \
    form_(repeat, "axis and number", "<0, 2>(x)", detail::rank_of<X>)

struct in_brackets {
    std::string_view name, what, example;
};
#define CROTON_NAME_NUMBERS(name_, what_, example_, rank_) {#name_, what_, example_},
inline constexpr in_brackets numbers_in_brackets[] = {CROTON_NUMBERS_IN_BRACKETS(CROTON_NAME_NUMBERS)};
#undef CROTON_NAME_NUMBERS

/// The number in the list of the function of that name; -1 where it may take numbers behind its argument.
constexpr int place_in_brackets(std::string_view name) {
    int i = 0;
    for (const in_brackets& function : numbers_in_brackets) {
        if (function.name == name) return i;
        ++i;
    }
    return -1;
}

template <int Function> struct wrong_place {
    static constexpr void say(text_builder& text) {
        const in_brackets& of = numbers_in_brackets[Function];
        text << "the " << of.what << " of " << of.name << " stand in angle brackets: " << of.name << of.example;
    }
};
template <int Function, class X> constexpr auto says_where() {
    sentence_of<wrong_place<Function>>();
    return sentence_stands<X>();
}

}  // namespace detail

#define CROTON_REFUSE_NUMBERS(name_, what_, example_, rank_)                                                                    \
    template <auto... P, class X, class... N> requires detail::numbers_behind<X, N...>                                          \
    constexpr auto name_(const X& x, const N&...) noexcept(detail::says_where<detail::place_in_brackets(#name_), X>()) {        \
        return detail::of_rank<(rank_)>(x);                                                                                     \
    }
CROTON_NUMBERS_IN_BRACKETS(CROTON_REFUSE_NUMBERS)
#undef CROTON_REFUSE_NUMBERS
#undef CROTON_NUMBERS_IN_BRACKETS
#undef CROTON_AFTER_REDUCTION

template <auto... P, class X> constexpr auto concatenate(std::initializer_list<X>) {
    static_assert(sizeof(X) == 0, "croton: what is joined stands without braces: concatenate<0>(a, b)");
    return detail::wrong_result();
}
template <auto... P, class X> constexpr auto stack(std::initializer_list<X>) {
    static_assert(sizeof(X) == 0, "croton: what is joined stands without braces: stack<0>(a, b)");
    return detail::wrong_result();
}

}  // namespace croton::inline v0_1

#endif
