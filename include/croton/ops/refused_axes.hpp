// SPDX-License-Identifier: MIT
// Axes, extents and orders as arguments, as NumPy has them, or left out: each function here only says where they stand.
#ifndef CROTON_OPS_REFUSED_AXES_HPP
#define CROTON_OPS_REFUSED_AXES_HPP

#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <type_traits>

#include <croton/core/text.hpp>
#include <croton/core/wrong.hpp>
#include <croton/ops/reduce.hpp>

namespace croton::inline v0_1 {

namespace detail {

// The functions; how many arguments behind the first may be numbers; how much must stand in angle brackets; what stands there; the right spelling; and the
// rank of the result that is meant, of which `numbers` there are behind those arguments and `second` axes has the second argument.
// First those that take one array alone.
#define CROTON_OF_ONE_ARRAY(form_) \
    form_(sum, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(prod, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(all, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(any, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(mean, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(argmax, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(argmin, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(var, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(stddev, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(count_nonzero, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(ptp, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(median, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(nansum, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(nanprod, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(nanmean, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(nanvar, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(nanstddev, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(nanmax, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(nanmin, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(nanargmax, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(nanargmin, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(nanmedian, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(logsumexp, 0, 0, "axes", "<0>(x)", rank - numbers)
#define CROTON_IN_BRACKETS(form_) \
    CROTON_OF_ONE_ARRAY(form_) \
    form_(max, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(min, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(average, 0, 0, "axes", "<0>(x, weights)", rank - numbers) \
    form_(squeeze, 0, 0, "axes", "<0>(x)", rank - numbers) \
    form_(quantile, 1, 0, "axes", "<0>(x, 0.5)", rank - numbers) \
    form_(nanquantile, 1, 0, "axes", "<0>(x, 0.5)", rank - numbers) \
    form_(percentile, 1, 0, "axes", "<0>(x, 50)", rank - numbers) \
    form_(nanpercentile, 1, 0, "axes", "<0>(x, 50)", rank - numbers) \
    form_(norm, 1, 0, "axes", "<0>(x, 1)", rank - numbers) \
    form_(mean_squared_error, 1, 0, "axes", "<0>(x, target)", rank - numbers) \
    form_(mean_absolute_error, 1, 0, "axes", "<0>(x, target)", rank - numbers) \
    form_(r2_score, 1, 0, "axes", "<0>(x, target)", rank - numbers) \
    form_(softmax, 0, 0, "axes", "<0>(x)", rank) \
    form_(log_softmax, 0, 0, "axes", "<0>(x)", rank) \
    form_(sort, 0, 0, "axis", "<0>(x)", rank) \
    form_(argsort, 0, 0, "axis", "<0>(x)", rank) \
    form_(cumsum, 0, 0, "axis", "<0>(x)", rank) \
    form_(cumprod, 0, 0, "axis", "<0>(x)", rank) \
    form_(logcumsumexp, 0, 0, "axis", "<0>(x)", rank) \
    form_(central_differences, 1, 0, "axis", "<0>(x, 0.5)", rank) \
    form_(cummax, 0, 0, "axis", "<0>(x)", rank) \
    form_(cummin, 0, 0, "axis", "<0>(x)", rank) \
    form_(flip, 0, 0, "axes", "<0>(x)", rank) \
    form_(diff, 0, 0, "axis and order", "<0, 1>(x)", rank) \
    form_(roll, 1, 1, "axis", "<0>(x, 1)", rank) \
    form_(repeat, 0, 2, "axis and number", "<0, 2>(x)", rank) \
    form_(tile, 0, 0, "numbers", "<2, 3>(x)", rank) \
    form_(rot90, 0, 0, "turns", "<1>(x)", rank) \
    form_(topk, 0, 1, "number and axis", "<5, -1>(x)", rank) \
    form_(split, 8, 1, "axis and number", "<0, 3>(x)", rank) \
    form_(concatenate, 0, 0, "axis", "<0>(x, y)", rank) \
    form_(stack, 0, 0, "axis", "<0>(x, y)", rank + 1) \
    form_(take, 1, 1, "axis", "<0>(x, indices)", rank - 1 + second) \
    form_(take_along_axis, 1, 1, "axis", "<0>(x, indices)", rank) \
    form_(add_at, 2, 1, "axis", "<0>(x, indices, values)", rank) \
    form_(set_at, 2, 1, "axis", "<0>(x, indices, values)", rank) \
    form_(segment_sum, 1, 1, "extent", "<10>(x, indices)", rank) \
    form_(segment_prod, 1, 1, "extent", "<10>(x, indices)", rank) \
    form_(segment_max, 1, 1, "extent", "<10>(x, indices)", rank) \
    form_(segment_min, 1, 1, "extent", "<10>(x, indices)", rank) \
    form_(segment_mean, 1, 1, "extent", "<10>(x, indices)", rank) \
    form_(choice, 2, 1, "number", "<5>(x, rng)", rank) \
    form_(bincount, 0, 1, "extent", "<10>(x)", 1) \
    form_(histogram, 2, 1, "number", "<10>(x, 0, 1)", 1) \
    form_(one_hot, 0, 1, "extent", "<10>(x)", rank + 1) \
    form_(transpose, 0, 0, "axes", "<1, 0>(x)", rank) \
    form_(swapaxes, 0, 2, "axes", "<0, 1>(x)", rank) \
    form_(moveaxis, 0, 2, "axes", "<0, 1>(x)", rank) \
    form_(newaxis, 0, 1, "axes", "<0>(x)", rank + (numbers == 0 ? 1 : numbers)) \
    form_(expand_dims, 0, 1, "axes", "<0>(x)", rank + (numbers == 0 ? 1 : numbers)) \
    form_(reshape, 0, 0, "extents", "<2, dynamic>(x)", numbers) \
    form_(broadcast_to, 0, 0, "extents", "<2, 3>(x)", numbers) \
    form_(zeros, 0, 0, "extents", "<2, 3>(x)", numbers) \
    form_(ones, 0, 0, "extents", "<2, 3>(x)", numbers) \
    form_(arange, 8, 1, "extent", "<10>(x)", 1) \
    form_(eye, 0, 1, "extents", "<3>(x)", 2) \
    form_(linspace, 1, 1, "number", "<5>(start, stop)", 1) \
    form_(logspace, 2, 1, "number", "<5>(start, stop)", 1) \
    form_(geomspace, 1, 1, "number", "<5>(start, stop)", 1) \
    form_(tril, 0, 0, "diagonal", "<1>(x)", rank) \
    form_(triu, 0, 0, "diagonal", "<1>(x)", rank) \
    form_(diagonal, 0, 0, "place", "<1>(x)", rank - 1) \
    form_(diag, 0, 0, "place", "<1>(x)", rank == 1 ? 2 : 1) \
    form_(trace, 0, 0, "place", "<1>(x)", rank - 2) \
    form_(matrix_power, 0, 1, "power", "<2>(x)", rank) \
    form_(tensordot, 1, 0, "number of axes", "<2>(a, b)", rank + second - 2) \
    form_(top_k_accuracy, 1, 1, "number", "<5>(x, labels)", 0) \
    form_(confusion_matrix, 1, 1, "number", "<10>(x, labels)", 2) \
    form_(precision_score, 1, 0, "number", "<10>(x, labels)", 1) \
    form_(recall_score, 1, 0, "number", "<10>(x, labels)", 1) \
    form_(f1_score, 1, 0, "number", "<10>(x, labels)", 1) \
    form_(group_norm, 0, 1, "groups", "<4>(x, scale, offset)", rank) \
    form_(upsample_nearest, 0, 0, "factors", "<2>(x)", rank) \
    form_(upsample_bilinear, 0, 0, "factors", "<2>(x)", rank)

/// What has axes, traced or an array.
template <class X> concept has_rank = traced<std::remove_cvref_t<X>> || requires { std::remove_cvref_t<X>::rank; };

namespace bracketed {
#define CROTON_PLACE(name_, ...) name_,
enum place { CROTON_IN_BRACKETS(CROTON_PLACE) count };
#undef CROTON_PLACE
}  // namespace bracketed

/// So much stands in angle brackets where there is no end to it, and more than that where something there is no number.
inline constexpr int any_number = 64;
struct in_brackets {
    std::string_view name;
    int settings, needed;
    std::string_view what, example;

    constexpr bool two() const { return what.find(" and ") != std::string_view::npos; }
    constexpr bool several() const { return two() || (what.ends_with('s') && !what.ends_with("is") && !what.starts_with("number of")); }
    constexpr int most() const { return two() || needed == 2 ? 2 : several() ? any_number : 1; }
};
#define CROTON_ROW(name_, settings_, needed_, what_, example_, rank_) {#name_, settings_, needed_, what_, example_},
inline constexpr in_brackets numbers_in_brackets[] = {CROTON_IN_BRACKETS(CROTON_ROW)};
#undef CROTON_ROW

/// The number in the list of the function of that name; -1 where it stands in none.
constexpr int place_in_brackets(std::string_view name) {
    int i = 0;
    for (const in_brackets& function : numbers_in_brackets) {
        if (function.name == name) return i;
        ++i;
    }
    return -1;
}

/// How many of the arguments behind the first are numbers that are none of the settings.
template <int Function, class... N> constexpr int misplaced_numbers() {
    int i = 0, found = 0;
    ((found += i++ >= numbers_in_brackets[Function].settings && std::is_arithmetic_v<N> ? 1 : 0), ...);
    return found;
}
/// Whether a function that is given so much in angle brackets, and these arguments behind the first, misses something there, or has too much.
template <int Function, int Given, class... N> constexpr bool misplaced() {
    constexpr bool pieces = Function == bracketed::split && Given == 1 && sizeof...(N) == 0;
    return pieces || Given < numbers_in_brackets[Function].needed || Given > numbers_in_brackets[Function].most() || misplaced_numbers<Function, N...>() > 0;
}

/// The rank of the result that is meant.
constexpr int meant_rank(int function, int rank, int second, int numbers) {
    switch (function) {
#define CROTON_RANK(name_, settings_, needed_, what_, example_, rank_) case bracketed::name_: return rank_;
    CROTON_IN_BRACKETS(CROTON_RANK)
#undef CROTON_RANK
    default: return 0;
    }
}

template <auto... P> inline constexpr int given_there = ((std::is_integral_v<decltype(P)> || std::is_enum_v<decltype(P)>) && ...) ? static_cast<int>(sizeof...(P)) : any_number + 1;
template <class Function> inline constexpr int given_in_brackets = 0;
template <template <auto...> class Function, auto... P> inline constexpr int given_in_brackets<Function<P...>> = given_there<P...>;

/// The number in the list of a type that has the name of a function, where these arguments behind the first miss something in its brackets; else -1.
template <class Function, class... N> constexpr int missed_in_brackets() {
    if constexpr (requires { Function::name; }) {
        constexpr int place = place_in_brackets(Function::name);
        if constexpr (place >= 0)
            if (misplaced<place, given_in_brackets<Function>, N...>()) return place;
    }
    return -1;
}

/// Whether a function with axes in angle brackets is given some there that an array of `Rank` axes does not have; `type` is the sentence about it.
template <class Function, int Rank> struct axes_in_brackets {
    static constexpr bool fit = true;
};
template <template <auto...> class Function, int Rank, auto First, auto... Rest>
    requires (std::is_same_v<decltype(First), int> && (std::is_same_v<decltype(Rest), int> && ...) && place_in_brackets(Function<First, Rest...>::name) >= 0)
struct axes_in_brackets<Function<First, Rest...>, Rank> {
    static constexpr int place = place_in_brackets(Function<First, Rest...>::name);
    /// All that stands there are axes, or the first is one.
    static constexpr bool all = place <= bracketed::flip, one = place == bracketed::diff || place == bracketed::roll || place == bracketed::repeat || place == bracketed::split ||
                                                                 place == bracketed::concatenate || (place >= bracketed::take && place <= bracketed::set_at);
    static constexpr bool fit = all ? axes_fit<Rank, First, Rest...> : !one || axes_fit<Rank, First>;
    using type = std::conditional_t<all, wrong_axis<Rank, First, Rest...>, wrong_axis<Rank, First>>;
};

template <class... N> inline constexpr int second_rank = 0;
template <traced Y, class... N> inline constexpr int second_rank<Y, N...> = rank_of<Y>;

/// What stands for the result, of the rank that is meant.
template <int Rank, class X> constexpr auto of_rank(const X& x) {
    x.graph->stopped = true;
    return expr<element_in<X>, (Rank < 0 ? 0 : Rank > max_rank ? max_rank : Rank)>{x.graph, x.id};
}

template <int Function, int Given> struct wrong_place {
    static constexpr void say(text_builder& text) {
        const in_brackets& of = numbers_in_brackets[Function];
        if (Given > of.most()) text << of.name << " takes the " << of.what << " in angle brackets, and nothing else: ";
        else text << "the " << of.what << " of " << of.name << (of.several() ? " stand" : " stands") << " in angle brackets: ";
        text << of.name << of.example;
    }
};
/// Whether axes may be meant by numbers in braces behind `X`.
template <int Function, class X>
concept takes_braces = numbers_in_brackets[Function].settings == 0 && has_rank<X>;
template <int Function, int Count, class X> constexpr auto meant_by_braces(const X& x) {
    if constexpr (traced<X>) return of_rank<meant_rank(Function, rank_of<X>, 0, Count)>(x);
    else return wrong_result();
}
template <int Function, int Given, class X> constexpr bool says_where() { return sentence_of<wrong_place<Function, Given>>() && sentence_stands<X>(); }

}  // namespace detail

// Several in braces: sum(x, {0, 1}).
#define CROTON_REFUSE_BRACES(name_, ...)                                                                              \
    template <class X, std::size_t Count> requires detail::takes_braces<detail::bracketed::name_, X>                  \
    constexpr auto name_(const X& x, const int (&)[Count]) noexcept(detail::says_where<detail::bracketed::name_, 0, X>()) { return detail::meant_by_braces<detail::bracketed::name_, Count>(x); }
CROTON_IN_BRACKETS(CROTON_REFUSE_BRACES)
#undef CROTON_REFUSE_BRACES

// An array behind the one that is reduced.
#define CROTON_REFUSE_SECOND(name_, ...)                                                                              \
    template <auto... P, class X, class Y> requires (detail::has_rank<X> && detail::has_rank<Y>)                      \
    constexpr auto name_(X&&, Y&&) {                                                                                  \
        static_assert(sizeof(X) == 0, "croton: " #name_ " takes one array, and axes in angle brackets, as in " #name_ "<0>(x); two are computed with first, or joined, as in " #name_ "<0>(stack<0>(x, y))"); \
        return detail::wrong_result();                                                                                \
    }
CROTON_OF_ONE_ARRAY(CROTON_REFUSE_SECOND)
#undef CROTON_REFUSE_SECOND

// The type that NumPy has as dtype.
#define CROTON_REFUSE_TYPE(name_, ...)                                                                                \
    template <class T, class X> requires detail::has_rank<X>                                                          \
    constexpr auto name_(const X& x) {                                                                                \
        static_assert(sizeof(X) == 0, "croton: " #name_ " takes axes in angle brackets, and no type; what it is given is converted first, as in " #name_ "(cast<double>(x))"); \
        if constexpr (traced<X>) return detail::of_rank<detail::rank_of<X>>(x);                                       \
        else return detail::wrong_result();                                                                           \
    }
CROTON_OF_ONE_ARRAY(CROTON_REFUSE_TYPE)
#undef CROTON_REFUSE_TYPE

// Axes of two arrays: tensordot(a, b, {1}), tensordot(a, b, {{1}, {0}}).
template <auto... P, class X, class Y, std::size_t Count> requires (detail::has_rank<X> && detail::has_rank<Y>)
constexpr auto tensordot(const X& x, const Y&, const int (&)[Count]) {
    static_assert(Count == 0, "croton: the axes of tensordot are on_axes: tensordot(a, b, on_axes<0, 2>, on_axes<1, 0>)");
    return detail::meant_by_braces<detail::bracketed::tensordot, 0>(x);
}
template <auto... P, class X, class Y> requires (detail::has_rank<X> && detail::has_rank<Y>)
constexpr auto tensordot(const X& x, const Y& y, std::initializer_list<std::initializer_list<int>>) { return tensordot(x, y, {0}); }

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
