// SPDX-License-Identifier: MIT
// The values of a turn of a loop: expressions, tuples of values, models, or nothing.
#ifndef CROTON_AUTODIFF_TURN_VALUES_HPP
#define CROTON_AUTODIFF_TURN_VALUES_HPP

#include <tuple>
#include <type_traits>

#include <croton/core/model.hpp>
#include <croton/graph/parameters.hpp>
#include <croton/graph/trace.hpp>
#include <croton/ops/elementwise.hpp>

namespace croton::inline v0_1 {

/// What ends a loop after the turn where it holds. Without a graph it is of a turn on trial, which knows none.
template <bool KnowsGraph> struct until_condition {
    expr<bool, 0> holds;

    template <class Next, class Out, class End> friend constexpr detail::turn_result<Next, Out, End> step(const Next& next, const Out& out, const End& end);
    template <class Next, class Out> friend constexpr detail::turn_result<Next, Out, none_t> step(const Next& next, const Out& out);
    template <class Next> friend constexpr detail::turn_result<Next, none_t, none_t> step(const Next& next);
};

namespace detail {

/// How often a scan turns that walks along no sequence: an extent, or at most so often as a value says.
struct turn_count {
    arena* graph = nullptr;
    size_ref count = 0;
    int limit = -1;
    bool unbounded = false;
};
/// The same for a number, which belongs to no graph.
struct turn_number {
    size_ref count = 0;
};
template <class X> inline constexpr bool counts_turns = std::is_same_v<X, turn_count> || std::is_same_v<X, turn_number>;

/// A number of C++, which a loop can begin with, and a turn can leave.
template <class V>
concept first_number = element_type<V> || number<V>;

// The values of a turn: expressions, tuples of values, models, or nothing. `at` counts the nodes that are taken from a list.

template <class V> constexpr void list_values(const V& v, arena*& g, vec<int>& ids) {
    if constexpr (traced<V>) {
        if (v.graph != nullptr) g = v.graph;
        ids.push(v.graph == nullptr ? -1 : read_node(v));
    } else if constexpr (!std::is_same_v<V, none_t> && !counts_turns<V> && !first_number<V>) {
        for_each_leaf(static_cast<const symbol_of<V>&>(v), [&](const auto& s) { list_values(s, g, ids); });
    }
}
template <class... V> constexpr void list_values(const std::tuple<V...>& v, arena*& g, vec<int>& ids) {
    std::apply([&](const auto&... each) { (list_values(each, g, ids), ...); }, v);
}

/// Values in the structure of `V`, each with `Added` axes more.
template <int Added, class V> struct value_like {
    static constexpr auto of(arena* g, const vec<int>& ids, int& at) {
        if constexpr (traced<V>) {
            return expr<number_in<V>, rank_of<V> + Added>{g, ids[at++]};
        } else if constexpr (std::is_same_v<V, none_t>) {
            return none;
        } else {
            const auto fill = [&](auto out) {
                for_each_leaf(out, [&](auto& s) {
                    s.graph = g;
                    s.id = ids[at++];
                });
                return out;
            };
            constexpr int added = added_axes<symbol_of<V>> + Added;
            if constexpr (Added == 0) return fill(symbol_of<V>{});
            else if constexpr (added == 0) return fill(rebind_model<symbol_of<V>, symbol>{});
            else return fill(rebind_model<symbol_of<V>, with_axes<added>::template symbol>{});
        }
    }
};
template <int Added, class... V> struct value_like<Added, std::tuple<V...>> {
    static constexpr auto of(arena* g, const vec<int>& ids, int& at) { return std::tuple{value_like<Added, V>::of(g, ids, at)...}; }
};

template <class V> inline constexpr bool is_value = traced<V> || std::is_same_v<V, none_t>;
template <class V> requires (!traced<V> && model<symbol_of<V>>) inline constexpr bool is_value<V> = true;
template <class... V> inline constexpr bool is_value<std::tuple<V...>> = (is_value<V> && ...);

/// Whether each expression in `V` has an axis to walk along.
template <class V> constexpr bool has_axes() {
    if constexpr (traced<V>) return rank_of<V> > 0;
    else if constexpr (is_value<V> && !std::is_same_v<V, none_t>) {
        bool all = true;
        symbol_of<V> unnamed{};
        for_each_leaf(unnamed, [&](const auto& s) { all = all && rank_of<std::remove_cvref_t<decltype(s)>> > 0; });
        return all;
    } else return true;
}
template <class V> inline constexpr bool can_be_walked = has_axes<V>();
template <class... V> inline constexpr bool can_be_walked<std::tuple<V...>> = (can_be_walked<V> && ...);

/// The values of a turn in one structure, whatever handles they are.
template <class V> struct plain_value {
    static constexpr auto of(const V& v) {
        if constexpr (traced<V>) return as_number(v);
        else return static_cast<const symbol_of<V>&>(v);
    }
};
template <> struct plain_value<none_t> {
    static constexpr none_t of(none_t) { return none; }
};
template <class... V> struct plain_value<std::tuple<V...>> {
    static constexpr auto of(const std::tuple<V...>& v) {
        return std::apply([](const V&... each) { return std::tuple{plain_value<V>::of(each)...}; }, v);
    }
};
template <class V> using plain_t = decltype(plain_value<V>::of(std::declval<const V&>()));

/// What a turn leaves, with tuples in the place of lists, pairs and what decompositions give.
template <class N, class O, class E> constexpr auto turn_in_tuples(const N& next, const O& out, const E& end) {
    return turn_result<decltype(as_tuples(next)), decltype(as_tuples(out)), E>{as_tuples(next), as_tuples(out), end};
}
template <class R> constexpr auto as_turn_result(const R& r) { return turn_in_tuples(r, none, none); }
template <class N, class O, class E> constexpr auto as_turn_result(const turn_result<N, O, E>& r) { return turn_in_tuples(r.next, r.out, r.end); }
template <class N, bool G> constexpr auto as_turn_result(const turn_result<N, until_condition<G>, none_t>& r) { return turn_in_tuples(r.next, none, r.out); }

/// Calls the lambda with what a turn is given; without what is nothing.
template <class F, class State, class X> constexpr auto take_turn(const F& f, const State& state, const X& x) {
    constexpr bool carries = !std::is_same_v<State, none_t>, walks = !std::is_same_v<X, none_t>;
    if constexpr (!carries && std::is_invocable_v<const F&, const X&>) {
        return f(x);
    } else if constexpr (!walks && std::is_invocable_v<const F&, const State&>) {
        return f(state);
    } else if constexpr (carries && walks && std::is_invocable_v<const F&, const State&, const X&>) {
        return f(state, x);
    } else {
        static_assert(!carries && !walks, "croton: the lambda of a loop takes what is carried from turn to turn, if anything is, and behind it what is walked along: one argument each, of several values a tuple");
        return turn_result<State, State, none_t>{state, state, none};
    }
}

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
