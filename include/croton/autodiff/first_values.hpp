// SPDX-License-Identifier: MIT
// What a loop begins with, where some of it is numbers: which element type those take, and where nothing else says it, to which graph the loop belongs.
#ifndef CROTON_AUTODIFF_FIRST_VALUES_HPP
#define CROTON_AUTODIFF_FIRST_VALUES_HPP

#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>

#include <croton/autodiff/turn_values.hpp>

namespace croton::inline v0_1::detail {

/// What a state can be before the first turn: numbers, too.
template <class V> inline constexpr bool is_first_value = is_value<V> || first_number<V>;
template <class... V> inline constexpr bool is_first_value<std::tuple<V...>> = (is_first_value<V> && ...);
/// Whether there is an expression among values, which knows the graph.
template <class V> inline constexpr bool knows_graph = !std::is_same_v<V, none_t> && !std::is_same_v<V, turn_number> && !first_number<V> && !is_loop_number<V>;
template <class... V> inline constexpr bool knows_graph<std::tuple<V...>> = (knows_graph<V> || ...);
template <bool G> inline constexpr bool knows_graph<until_condition<G>> = G;
template <class N, class O, class E> inline constexpr bool knows_graph<turn_result<N, O, E>> = knows_graph<N> || knows_graph<O> || knows_graph<E>;
/// Whether there is a number of C++ among values that takes the element type of what a turn makes of it.
template <class V> inline constexpr bool has_literals = std::is_floating_point_v<V> || is_weak<V>;
template <class... V> inline constexpr bool has_literals<std::tuple<V...>> = (has_literals<V> || ...);

/// What a turn is tried on: in the place of numbers those that have no graph yet.
template <class V> constexpr auto on_trial(const V& v) {
    if constexpr (first_number<V>) return loop_number<arithmetic_t<element_of_number<V>>, std::is_floating_point_v<V>>();
    else if constexpr (is_loop_number<V>) return v;
    else return plain_value<V>::of(v);
}
template <class... V> constexpr auto on_trial(const std::tuple<V...>& v) {
    return std::apply([](const V&... each) { return std::tuple{on_trial(each)...}; }, v);
}
template <class V> using on_trial_t = decltype(on_trial(std::declval<const V&>()));

/// Calls the lambda of a loop without sequences; it may leave the number of the turn out.
template <class F, class State, class N> constexpr auto take_counted_turn(const F& f, const State& state, const N& number) {
    if constexpr (std::is_same_v<State, none_t>) return f(number);
    else if constexpr (requires { f(state, number); }) return f(state, number);
    else return f(state);
}
template <class F, class S> constexpr auto try_counted_turn(const F& f, const S& initial) {
    return as_turn_result(take_counted_turn(f, on_trial(initial), loop_number<std::int64_t, false>()));
}
/// What a turn leaves on trial.
template <class F, class S, class X> struct tried_turn {
    using element = decltype(value_like<-1, plain_t<X>>::of(std::declval<arena*>(), std::declval<const vec<int>&>(), std::declval<int&>()));
    using type = decltype(as_turn_result(take_turn(std::declval<const F&>(), std::declval<const on_trial_t<S>&>(), std::declval<const element&>())));
};
template <class F, class S, class X> requires counts_turns<X> struct tried_turn<F, S, X> {
    using type = decltype(try_counted_turn(std::declval<const F&>(), std::declval<const S&>()));
};
template <class F, class S, class X> using tried_turn_t = typename tried_turn<F, S, X>::type;

/// The types of first values: a floating-point number takes that of what the turn leaves in its place, as one takes that of the array beside it.
template <class V, class Next> struct first_types {
    static constexpr auto of() {
        if constexpr (has_literals<V> && traced<Next> && !is_weak<Next>) {
            if constexpr (rank_of<Next> == 0 && std::is_floating_point_v<number_in<Next>>) return std::type_identity<number_in<Next>>{};
            else return std::type_identity<element_of_number<V>>{};
        } else if constexpr (first_number<V>) return std::type_identity<element_of_number<V>>{};
        else return std::type_identity<V>{};
    }
    using type = typename decltype(of())::type;
};
template <class... V, class... Next> requires (sizeof...(V) == sizeof...(Next)) struct first_types<std::tuple<V...>, std::tuple<Next...>> {
    using type = std::tuple<typename first_types<V, Next>::type...>;
};

/// First values as expressions. What has no graph yet takes any value there: it is on trial.
template <class Type, class V> struct placed_value {
    static constexpr auto of(arena* g, const V& v) {
        if constexpr (first_number<V>) return expr<Type, 0>{g, argument_node<Type>(*g, v)};
        else if constexpr (is_weak<V> && element_type<Type>) return expr<Type, 0>{g, placed_node<Type>(*g, v)};
        else if constexpr (traced<V>) return v.graph == nullptr && v.id == unplaced ? expr_of<V>{g, placed_node<element_in<V>>(*g, v)} : as_expr(v);
        else return v;
    }
};
template <class... Type, class... V> struct placed_value<std::tuple<Type...>, std::tuple<V...>> {
    template <std::size_t... I> static constexpr auto of(arena* g, const std::tuple<V...>& v, std::index_sequence<I...>) {
        return std::tuple{placed_value<Type, V>::of(g, std::get<I>(v))...};
    }
    static constexpr auto of(arena* g, const std::tuple<V...>& v) { return of(g, v, std::index_sequence_for<V...>()); }
};
/// First values as expressions of the types that `Next` gives them: what a turn leaves.
template <class Next, class V> constexpr auto as_first(arena* g, const V& v) { return placed_value<typename first_types<V, Next>::type, V>::of(g, v); }

/// What a turn leaves for the next one, which has the structure of `State`: a number in it takes the element type of what was carried there.
template <class State, class V> struct left_value {
    static constexpr auto of(arena& g, const V& v) {
        if constexpr (first_number<V> && traced<State>) {
            if constexpr (rank_of<State> == 0 && literal_fits<number_in<State>, V>) return expr<number_in<State>, 0>{&g, argument_node<number_in<State>>(g, v)};
            else return as_first<none_t>(&g, v);
        } else return as_first<none_t>(&g, v);
    }
};
template <class... State, class... V> requires (sizeof...(State) == sizeof...(V)) struct left_value<std::tuple<State...>, std::tuple<V...>> {
    template <std::size_t... I> static constexpr auto of(arena& g, const std::tuple<V...>& v, std::index_sequence<I...>) {
        return std::tuple{left_value<State, V>::of(g, std::get<I>(v))...};
    }
    static constexpr auto of(arena& g, const std::tuple<V...>& v) { return of(g, v, std::index_sequence_for<V...>()); }
};

/// Whether a loop begins with a number with a fraction of which its turn says no element type.
template <class V, class Next> inline constexpr bool is_unsettled = has_literals<V> && (is_weak<Next> || first_number<Next>);
template <class... V, class... Next> requires (sizeof...(V) == sizeof...(Next))
inline constexpr bool is_unsettled<std::tuple<V...>, std::tuple<Next...>> = (is_unsettled<V, Next> || ...);
/// Where such a number meets another element type, the sentence says what helps. `was_well`: nothing was wrong before the turn.
template <class S, class Next> constexpr void say_how_to_begin(arena& g, bool was_well) {
    if constexpr (is_unsettled<S, Next>) {
        if (was_well && g.error.view().find(" holds double and ") != std::string_view::npos) g.error << "; the loop begins with a number that is double, as 0.0 is, and 0.0f is float";
    }
}

}  // namespace croton::inline v0_1::detail

#endif
