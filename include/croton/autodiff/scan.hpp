// SPDX-License-Identifier: MIT
// scan: a function of one turn, run again and again on what the turn before it left, as one node of the graph.
#ifndef CROTON_AUTODIFF_SCAN_HPP
#define CROTON_AUTODIFF_SCAN_HPP

#include <tuple>
#include <type_traits>

#include <croton/autodiff/vmap.hpp>
#include <croton/core/model.hpp>
#include <croton/graph/backward_loop.hpp>
#include <croton/graph/parameters.hpp>
#include <croton/ops/elementwise.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// How often a scan turns that walks along no sequence.
struct turn_count {
    arena* graph = nullptr;
    size_ref count = 0;
};

template <class T, int Rank> using element_symbol = symbol<T, (Rank > 0 ? Rank - 1 : 0)>;
template <class T, int Rank> using stack_symbol = symbol<T, Rank + 1>;

// The values of a turn: expressions, tuples of values, models, or nothing. `at` counts the nodes that are taken from a list.

template <class V> constexpr void list_values(const V& v, arena*& g, vec<int>& ids) {
    if constexpr (traced<V>) {
        if (v.graph != nullptr) g = v.graph;
        ids.push(v.graph == nullptr ? -1 : read_node(v));
    } else if constexpr (!std::is_same_v<V, none_t> && !std::is_same_v<V, turn_count>) {
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
            if constexpr (Added < 0) return fill(rebind_model<symbol_of<V>, element_symbol>{});
            else if constexpr (Added > 0) return fill(rebind_model<symbol_of<V>, stack_symbol>{});
            else return fill(symbol_of<V>{});
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
template <class... V> constexpr bool tuple_has_axes(std::type_identity<std::tuple<V...>>) { return (has_axes<V>() && ...); }
template <class... V> constexpr bool tuple_has_axes(...) { return true; }

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

template <class R> struct step_of {
    using next = R;
    using out = none_t;
    static constexpr const R& next_of(const R& r) { return r; }
    static constexpr none_t out_of(const R&) { return none; }
};
template <class Next, class Out> struct step_of<turn_result<Next, Out>> {
    using next = Next;
    using out = Out;
    static constexpr const Next& next_of(const turn_result<Next, Out>& r) { return r.next; }
    static constexpr const Out& out_of(const turn_result<Next, Out>& r) { return r.out; }
};

/// Calls the lambda with what a turn is given; without what is nothing.
template <class F, class State, class X> constexpr auto take_turn(const F& f, const State& state, const X& x) {
    if constexpr (std::is_same_v<State, none_t>) return f(x);
    else if constexpr (std::is_same_v<X, none_t>) return f(state);
    else return f(state, x);
}

/// What is wrong with what a turn carries on, or nothing.
constexpr void check_carried(arena& g, int index, int first, int next) {
    const shape a = g[first].shape, b = g[next].shape;
    for (int i = 0; i < a.rank && !g.failed(); ++i) {
        if (g.unify(a[i], b[i], tie::scan)) continue;
        g.error << "scan: carried value " << index + 1 << " has extent ";
        g.describe_size(g.error, a[i]);
        g.error << " along axis " << i << " before the first turn, and ";
        g.describe_size(g.error, b[i]);
        g.error << " after it; what is carried keeps its extents";
    }
}

/// Products of elements with what is the same for each turn are one product before the loop, whose rows are elements of a sequence. `roots` and
/// `sequences` become those of the loop without them.
constexpr void move_products_before(arena& g, int loop, size_ref turns, const vec<int>& elements, vec<int>& sequences, vec<int>& roots) {
    vec<loop_mask> masks;
    find_regions(g, masks);
    const int count = g.nodes.size();
    vec<char> changes(count, 0);  // depends on more of the turn than on elements
    const auto is_inside = [&](int id) { return (masks.at[id] & bit_of_loop(loop)) != 0; };
    for (int id = 0; id < count; ++id) {
        const node& n = g.nodes.at[id];
        if (!is_inside(id)) continue;
        if (n.what == tag<structure::turn_value> && loop_of(n.bits) == loop) changes.at[id] = role_of(n.bits) != turn_role::element;
        for (const int a : n.in)
            if (a >= 0 && changes.at[a] != 0) changes.at[id] = 1;
    }
    batching b(g, turns);
    for (int j = 0; j < elements.size(); ++j) b.stands_for(elements[j], sequences[j]);
    substitution moved(g);
    bool any = false;
    for (int id = 0; id < count && !g.failed(); ++id) {
        const node n = g.nodes.at[id];
        if (n.what != tag<structure::dot> || !is_inside(id) || changes.at[id] != 0 || n.shape.rank == max_rank) continue;
        sequences.push(batched(b, id));
        moved.put(id, structure::turn_value::of(g, loop, turn_role::element, sequences.size() - 1, n.type, n.shape));
        any = true;
    }
    if (!any || g.failed()) return;
    for (int& r : roots) r = moved.take(r, masks, bit_of_loop(loop));
}

/// The number of turns that sequences give: the extent of their first axes.
constexpr size_ref turns_of(arena& g, const vec<int>& sequences) {
    const size_ref count = g[sequences[0]].shape[0];
    for (const int s : sequences)
        if (!g.unify(count, g[s].shape[0], tie::scan) && !g.failed()) {
            g.error << "scan: ";
            g.describe(g.error, s);
            g.error << " has extent ";
            g.describe_size(g.error, g[s].shape[0]);
            g.error << " along its first axis, where the first sequence has ";
            g.describe_size(g.error, count);
        }
    return count;
}

}  // namespace detail

/// So many turns: a number, or an extent such as `x.extent(0)`.
template <std::integral N> constexpr detail::turn_count times(N count) { return {nullptr, static_cast<detail::size_ref>(count)}; }
template <traced N> constexpr detail::turn_count times(const N& count) {
    static_assert(detail::rank_of<N> == 0 && detail::is_position<detail::element_in<N>>, "croton: times takes a whole number, or the extent of an axis, as in times(x.extent(0))");
    detail::arena& g = *count.graph;
    const detail::node& n = g[count.id];
    if (n.what == detail::tag<detail::structure::size>) return {&g, static_cast<detail::size_ref>(n.bits)};
    if (g.is_literal(count.id)) return {&g, static_cast<detail::size_ref>(n.bits)};
    if (!g.failed()) g.error << "times: the number of turns is a number or the extent of an axis, as in times(x.extent(0))";
    return {&g, 0};
}

/// How a scan goes through its turns.
struct scan_options {
    bool reverse = false;  // from the last elements of the sequences to the first; results lie where the elements do
};

/// Runs `f(state, x)` for each `x` along the first axis of `xs`, or as many `times(n)` as there are turns; `f` returns `step(next, out)`, or the next state alone.
/// Gives the state after the last turn, and what was given out, one turn behind the other along a new first axis: `auto [last, ys] = scan(f, initial, xs)`.
/// States, elements and what is given out are expressions, tuples of them, models, or `none`; a `none` is no argument of `f`. What `f` captures is the same
/// for each turn, and what does not depend on the turn is computed before the loop. `f` is traced once, so that neither its compile time nor its code
/// grows with the number of turns, which may be 0. With `times(n)` the second argument, which `f` may leave out, is the number of the turn, an int64. JAX's `scan`.
template <class F, class S, class X> requires (detail::is_value<S> && (detail::is_value<X> || std::same_as<X, detail::turn_count>))
constexpr auto scan(const F& f, const S& initial, const X& xs, scan_options options = {}) {
    using namespace detail;
    constexpr bool counted = std::same_as<X, detail::turn_count>;
    using state_like = plain_t<S>;
    arena* found = nullptr;
    vec<int> first, sequences;
    list_values(initial, found, first);
    list_values(xs, found, sequences);
    if constexpr (counted)
        if (found == nullptr) found = xs.graph;
    static_assert(!std::same_as<S, none_t> || !std::same_as<X, none_t>, "croton: scan needs a state or sequences; a loop without a sequence has times(n)");
    arena& g = *found;
    loop_facts facts;
    facts.carried = first.size();
    facts.sequences = sequences.size();
    facts.reverse = options.reverse;
    if constexpr (counted) facts.turns = g.find(xs.count);
    else facts.turns = turns_of(g, sequences);
    const int loop = g.loops.size();
    if (loop == most_loops && !g.failed()) g.error << "scan: a function has at most " << most_loops << " loops, those of its derivatives among them";
    g.loops.push(facts);
    const int number = loop < most_loops ? loop : 0;
    vec<int> carried, elements;
    for (int k = 0; k < first.size(); ++k)
        carried.push(structure::turn_value::of(g, number, turn_role::carried, k, g[first[k]].type, g[first[k]].shape));
    for (int j = 0; j < sequences.size(); ++j) {
        const shape all = g[sequences[j]].shape;
        shape one;
        one.rank = all.rank - 1;
        for (int i = 0; i < one.rank; ++i) one[i] = all[i + 1];
        elements.push(structure::turn_value::of(g, number, turn_role::element, j, g[sequences[j]].type, one));
    }
    int at = 0, of_x = 0;
    const auto state = value_like<0, state_like>::of(&g, carried, at);
    const auto one = [&] {
        if constexpr (counted) {
            const expr<std::int64_t, 0> turn{&g, structure::turn_value::of(g, number, turn_role::turn, 0, element::int64, shape())};
            if constexpr (std::same_as<S, none_t>) return f(turn);
            else if constexpr (requires { f(state, turn); }) return f(state, turn);
            else return f(state);
        } else {
            return take_turn(f, state, value_like<-1, plain_t<X>>::of(&g, elements, of_x));
        }
    }();
    using R = std::remove_cvref_t<decltype(one)>;
    using next_like = plain_t<typename step_of<R>::next>;
    using out_like = plain_t<typename step_of<R>::out>;
    static_assert(std::is_same_v<next_like, state_like>, "croton: what a scan carries keeps its structure, its element types and its ranks from turn to turn; convert with cast<T>(x)");
    vec<int> next, out, parts;
    arena* unused = nullptr;
    list_values(step_of<R>::next_of(one), unused, next);
    list_values(step_of<R>::out_of(one), unused, out);
    if constexpr (!std::is_same_v<next_like, state_like>) g.stopped = true;
    else for (int k = 0; k < first.size() && !g.failed(); ++k) check_carried(g, k, first[k], next[k]);
    vec<int> arguments;
    if (!g.failed()) {
        vec<int> left;
        for (const int n : next) left.push(n);
        for (const int o : out) left.push(o);
        move_products_before(g, number, facts.turns, elements, sequences, left);
        g.loops[number].sequences = sequences.size();
        for (int i = 0; i < left.size(); ++i) (i < next.size() ? next[i] : out[i - next.size()]) = left[i];
        for (int k = 0; k < first.size(); ++k) {
            arguments.push(first[k]);
            arguments.push(next[k]);
        }
        for (const int s : sequences) arguments.push(s);
        for (const int o : out) arguments.push(o);
    }
    const int repeat = structure::repeat::of(g, number, arguments);
    vec<int> last, stacks;
    for (int k = 0; k < first.size(); ++k) last.push(g.failed() ? first[k] : structure::turn_part::last(g, repeat, k, next[k]));
    for (const int o : out) stacks.push(g.failed() ? o : structure::turn_part::stack(g, repeat, o));
    int of_last = 0, of_stack = 0;
    return std::tuple{value_like<0, state_like>::of(&g, last, of_last), value_like<1, out_like>::of(&g, stacks, of_stack)};
}

}  // namespace croton::inline v0_1

#endif
