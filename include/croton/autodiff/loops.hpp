// SPDX-License-Identifier: MIT
// What is made of loops: folds, maps, loops that a condition ends, and the one of two branches that is taken.
#ifndef CROTON_AUTODIFF_LOOPS_HPP
#define CROTON_AUTODIFF_LOOPS_HPP

#include <algorithm>
#include <limits>
#include <tuple>
#include <type_traits>

#include <croton/autodiff/scan.hpp>

namespace croton::inline v0_1 {

/// The state after `f(state, x)` for each `x` along the first axis of `xs`, or for `times(n)`: what `scan` carries, and nothing else. Theano's `foldl`.
template <class F, class S, class X> constexpr auto foldl(const F& f, const S& initial, const X& xs) { return std::get<0>(scan(f, initial, xs)); }

/// The same from the last element to the first.
template <class F, class S, class X> constexpr auto foldr(const F& f, const S& initial, const X& xs) { return std::get<0>(scan(f, initial, xs, {.reverse = true})); }

/// `foldl` by Theano's other name.
template <class F, class S, class X> requires (detail::is_first_value<S> && (detail::is_value<X> || detail::counts_turns<X>))
constexpr auto reduce(const F& f, const S& initial, const X& xs) {
    return foldl(f, initial, xs);
}

/// What `f` makes of the elements of `xs...` along their first axes, one after the other, stacked along a new first axis. `xs` are expressions, tuples of them or models,
/// or one `times(n)`, of which `f` is given the number of the turn; it returns an expression, a number, a tuple of them or a model. `vmap` computes all elements at once and is
/// faster; this has memory for what one element needs, and takes what has no rule for a batch: loops, `cond`, own structures. JAX's `lax.map`.
/// `map(f, xs...)` is the same, found by its arguments only, among which there is an expression or
/// `times(n)`: `std::map` has the name, and beside `using namespace std;` and `<map>` it is `loop_map`.
template <class F, class... X> requires (sizeof...(X) > 0 && ((detail::is_value<X> && ...) || (sizeof...(X) == 1 && (detail::counts_turns<X> && ...))))
constexpr auto loop_map(const F& f, const X&... xs) {
    const auto given_out = [](const auto& out) {
        using given = std::remove_cvref_t<decltype(out)>;
        return detail::turn_result<none_t, given, none_t>{none, out, none};
    };
    if constexpr (sizeof...(X) == 1) return std::get<1>(scan([&](const auto& x) { return given_out(f(x)); }, none, xs...));
    else return std::get<1>(scan([&](const auto& all) { return given_out(std::apply(f, all)); }, none, std::tuple{xs...}));
}

namespace detail {

template <class F, class X> requires counts_turns<X> constexpr auto map(const F& f, const X& turns) { return loop_map(f, turns); }

/// A state of several values, the last one first, of which a turn is given those that are so many turns back.
template <class Values, int... Back> struct lagged_state {
    Values values;
};
/// The axis of a series is its first one; `Depth` values of it.
template <int Depth, traced X, std::size_t... I> constexpr auto last_values(const X& series, std::index_sequence<I...>) {
    return std::tuple{series(static_cast<int>(Depth - 1 - I))...};
}
template <class First, class... T> constexpr std::tuple<T...> behind_first(const std::tuple<First, T...>& all) {
    return std::apply([](const First&, const T&... each) { return std::tuple<T...>(each...); }, all);
}
template <class New, class... V, std::size_t... I> constexpr auto pushed(const New& value, const std::tuple<V...>& values, std::index_sequence<I...>) {
    return std::tuple{value, std::get<I>(values)...};
}

}  // namespace detail

/// Values of several turns back as the state of a scan: with `scan(f, lags<-1, -2>(initial), xs)` the lambda has a tuple of the value that the turn before left and of the
/// one before that, with one lag the value itself, and returns `step(value, out)`. `initial` has the first values, the oldest first, along its first axis: as many as
/// the furthest lag says. Theano's `taps`.
template <int... Lag, traced X> constexpr auto lags(const X& initial) {
    constexpr bool fit = sizeof...(Lag) > 0 && ((Lag < 0) && ...) && detail::rank_of<X> > 0;
    static_assert(fit, "croton: lags are negative, as in lags<-1, -2>(initial), whose argument has the first values along its first axis");
    constexpr int depth = fit ? -std::min({Lag...}) : 1;
    detail::arena& g = *initial.graph;
    if constexpr (!fit) {
        g.stopped = true;
        return detail::lagged_state<std::tuple<>>();
    } else {
        const detail::size_ref given = g[initial.id].shape[0];
        if (!g.unify(given, depth, detail::tie::scan) && !g.failed()) {
            g.error << "lags: the furthest lag is " << -depth << ", but there are ";
            g.describe_size(g.error, given);
            g.error << " first values";
        }
        const auto values = detail::last_values<depth>(initial, std::make_index_sequence<static_cast<std::size_t>(depth)>());
        return detail::lagged_state<std::remove_const_t<decltype(values)>, -Lag...>{values};
    }
}

/// `scan` of a state of several turns back. What it carries is the value of the last turn.
template <class F, class Values, int... Back, class X> constexpr auto scan(const F& f, const detail::lagged_state<Values, Back...>& initial, const X& xs, scan_options options = {}) {
    const auto turn = [&](const Values& values, const auto& x) {
        const auto given = [&] {
            if constexpr (sizeof...(Back) == 1) return (std::get<static_cast<std::size_t>(Back - 1)>(values), ...);
            else return std::tuple{std::get<static_cast<std::size_t>(Back - 1)>(values)...};
        }();
        const auto left = detail::as_turn_result([&] {
            if constexpr (requires { f(given, x); }) return f(given, x);
            else return f(given);
        }());
        return step(detail::pushed(left.next, values, std::make_index_sequence<std::tuple_size_v<Values> - 1>()), left.out, left.end);
    };
    const auto all = scan(turn, initial.values, xs, options);
    return std::tuple_cat(std::tuple(std::get<0>(std::get<0>(all))), detail::behind_first(all));
}

namespace detail {

template <class C, class B, class S> constexpr auto repeated_while(const C& condition, const B& body, const S& initial, turn_count turns) {
    using tried = on_trial_t<S>;
    using left = std::remove_cvref_t<decltype(body(std::declval<const tried&>()))>;
    using asked = std::remove_cvref_t<decltype(condition(std::declval<const tried&>()))>;
    constexpr bool known = knows_graph<S> || knows_graph<left> || knows_graph<asked>, asks = std::is_convertible_v<asked, expr<bool, 0>>;
    static_assert(asks, "croton: the condition of while_loop gives one truth value, as in [](auto x) { return x < 10; }");
    static_assert(known, "croton: while_loop begins with an expression, or has one in its condition or in its body; numbers alone belong to no function");
    if constexpr (known && asks) {
        vec<int> unused;
        list_values(initial, turns.graph, unused);
        if constexpr (!knows_graph<S>) {
            list_values(condition(on_trial(initial)), turns.graph, unused);
            list_values(body(on_trial(initial)), turns.graph, unused);
        }
        arena& g = *turns.graph;
        const auto placed = [&] {
            if constexpr (has_literals<S>) return as_first<left>(&g, initial);
            else return as_first<none_t>(&g, initial);
        }();
        const auto first = plain_value<std::remove_const_t<decltype(placed)>>::of(placed);
        using state = std::remove_const_t<decltype(first)>;
        const bool was_well = !g.failed();
        const expr<bool, 0> begins = condition(first);
        // As many as there may be, or none.
        turns.limit = g.apply(code<op::where>, begins.id, g.literal(element::int64, std::numeric_limits<std::int64_t>::max()), g.literal(element::int64, 0));
        const auto turn = [&](const state& s, const auto&) {
            const auto body_left = body(s);
            const auto next = left_value<state, std::remove_cvref_t<decltype(body_left)>>::of(g, body_left);
            using made = std::remove_const_t<decltype(next)>;
            const auto end = until(!condition(plain_value<made>::of(next)));
            // nvcc would take `step` for a type of this namespace.
            return turn_result<made, none_t, std::remove_const_t<decltype(end)>>{next, none, end};
        };
        const auto last = std::get<0>(scan(turn, first, turns));
        say_how_to_begin<S, left>(g, was_well);
        return last;
    } else {
        return wrong_after<sentence_stands<S>()>(initial);
    }
}

}  // namespace detail

/// `body(state)` again and again while `condition(state)` holds, which is asked before each turn. How many turns there are is known when the last one is done, so
/// that nothing is kept of them: it has no derivative, but with `most`, a number of turns that is never exceeded, it has. JAX's `while_loop`.
template <class C, class B, class S> constexpr auto while_loop(const C& condition, const B& body, const S& initial) {
    return detail::repeated_while(condition, body, initial, {nullptr, 0, -1, true});
}
template <class C, class B, class S, std::integral N> constexpr auto while_loop(const C& condition, const B& body, const S& initial, N most) {
    return detail::repeated_while(condition, body, initial, {nullptr, static_cast<detail::size_ref>(most < 0 ? 0 : most)});
}

namespace detail {

/// The values `ids`, which are made of nodes from number `mark` on and of others, where `taken` is 1, and else `others`: a loop of one turn or none, whose
/// elements are what it takes from outside.
constexpr void take_branch(arena& g, int mark, const vec<int>& ids, int taken, vec<int>& others) {
    const int count = g.nodes.size();
    loop_facts facts;
    facts.carried = ids.size();
    facts.turns = 1;
    const int number = add_loop(g, facts, "cond");
    if (g.failed()) return;
    vec<loop_mask> made(count, 0);  // by this branch
    for (int id = mark; id < count; ++id) made.at[id] = 1;
    vec<int> sequences, open;
    vec<char> seen(count, 0);
    substitution inside(g);
    for (const int id : ids) open.push(id);
    while (!open.empty()) {
        const int id = open.back();
        open.pop();
        if (seen.at[id] != 0) continue;
        seen.at[id] = 1;
        const node n = g.nodes.at[id];
        const bool is_number = n.what == tag<structure::literal> || n.what == tag<structure::size>;
        if (id >= mark || is_number) {
            for (const int a : n.in)
                if (a >= 0) open.push(a);
            continue;
        }
        if (n.shape.rank == max_rank) {
            if (!g.failed()) g.error << "cond: what a branch takes from outside has at most 7 axes";
            return;
        }
        std::array<int, max_rank> source{new_axis};
        for (int i = 0; i < n.shape.rank; ++i) source[static_cast<unsigned>(i + 1)] = i;
        sequences.push(structure::view::of(g, id, n.shape.rank + 1, source));
        inside.put(id, structure::turn_value::of(g, number, turn_role::element, sequences.size() - 1, n.type, n.shape));
    }
    vec<int> arguments, next;
    for (int k = 0; k < ids.size(); ++k) {
        next.push(inside.take(ids.at[k], made, 1));
        arguments.push(others[k]);
        arguments.push(next[k]);
    }
    for (const int s : sequences) arguments.push(s);
    g.loops[number].sequences = sequences.size();
    const int repeat = structure::repeat::of(g, number, arguments, taken);
    for (int k = 0; k < ids.size(); ++k) others[k] = structure::turn_part::last(g, repeat, k, next[k]);
}

template <class C, class F, class G> constexpr auto branched(const C& condition, const F& f, const G& g) {
    arena* found = condition.graph;
    if (found == nullptr) {
        // The condition of a loop's turn on trial knows no graph, but what the branches capture does.
        vec<int> unused;
        list_values(as_tuples(f()), found, unused);
        list_values(as_tuples(g()), found, unused);
    }
    arena& a = *found;
    const int mark = a.nodes.size(), holds = placed_node<bool>(a, condition);
    const auto of_f_alone = as_tuples(f());
    const auto of_g_alone = as_tuples(g());
    const auto of_one = as_first<std::remove_const_t<decltype(of_g_alone)>>(&a, of_f_alone);
    const auto of_other = as_first<std::remove_const_t<decltype(of_f_alone)>>(&a, of_g_alone);
    const auto first = plain_value<std::remove_const_t<decltype(of_one)>>::of(of_one);
    const auto second = plain_value<std::remove_const_t<decltype(of_other)>>::of(of_other);
    using value = std::remove_cvref_t<decltype(first)>;
    constexpr bool alike = std::is_same_v<value, std::remove_cvref_t<decltype(second)>>;
    static_assert(alike, "croton: both branches of cond give values of one structure, with the same element types and ranks; convert with cast<T>(x)");
    if constexpr (!alike) {
        a.stopped = true;
        return first;
    } else {
        vec<int> of_f, of_g, result;
        arena* unused = nullptr;
        list_values(first, unused, of_f);
        list_values(second, unused, of_g);
        for (int k = 0; k < of_f.size(); ++k) {
            const shape x = a[of_f[k]].shape, y = a[of_g[k]].shape;
            for (int i = 0; i < x.rank && !a.failed(); ++i) {
                if (a.unify(x[i], y[i], tie::cond)) continue;
                a.error << "cond: value " << k + 1 << " has extent ";
                a.describe_size(a.error, x[i]);
                a.error << " along axis " << i << " in the first branch, and ";
                a.describe_size(a.error, y[i]);
                a.error << " in the second";
            }
            result.push(structure::broadcast::of(a, a.literal(a[of_f[k]].type, 0), x));
        }
        const int one = a.literal(element::int64, 1), none_at_all = a.literal(element::int64, 0);
        if (!a.failed()) take_branch(a, mark, of_f, a.apply(code<op::where>, holds, one, none_at_all), result);
        if (!a.failed()) take_branch(a, mark, of_g, a.apply(code<op::where>, holds, none_at_all, one), result);
        int at = 0;
        return value_like<0, value>::of(&a, result, at);
    }
}

/// A branch of `cond` is called; an expression would take the call for one of its elements.
template <class F> concept is_branch = !traced<F> && std::is_invocable_v<const F&>;
template <class F> constexpr auto refused_branch(const F& f) {
    if constexpr (is_branch<F>) return f();
    else return f;
}

}  // namespace detail

/// `f()` where the condition holds, a bool of rank 0, and else `g()`; only the one that is taken is computed, and so with derivatives. Both give expressions, numbers,
/// tuples of them or models, of the same element types, ranks and extents. What the program computes elsewhere as well is computed anyway. Theano's `ifelse`.
template <traced C, class F, class G> constexpr auto cond(const C& condition, const F& f, const G& g) {
    constexpr bool one = std::same_as<detail::element_in<C>, bool> && detail::rank_of<C> == 0, chosen = detail::is_branch<F> && detail::is_branch<G>;
    static_assert(one, "croton: cond takes one condition, as in cond(x > 0, f, g); one for each element has where(x > 0, a, b)");
    static_assert(chosen || !one, "croton: the branches of cond are lambdas, of which one is computed, as in cond(x > 0, [&] { return a; }, [&] { return b; }); values are chosen by where(x > 0, a, b)");
    if constexpr (!one || !chosen) {
        return detail::refused(detail::refused_branch(f), detail::refused_branch(g), condition);
    } else {
        using one_way = std::remove_cvref_t<decltype(f())>;
        using other_way = std::remove_cvref_t<decltype(g())>;
        if constexpr (detail::is_loop_number<C> && detail::is_loop_number<one_way> && detail::is_loop_number<other_way>) return f();
        else return detail::branched(condition, f, g);
    }
}

}  // namespace croton::inline v0_1

#endif
