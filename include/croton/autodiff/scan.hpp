// SPDX-License-Identifier: MIT
// scan: a function of one turn, run again and again on what the turn before it left, as one node of the graph.
#ifndef CROTON_AUTODIFF_SCAN_HPP
#define CROTON_AUTODIFF_SCAN_HPP

#include <tuple>
#include <type_traits>

#include <croton/autodiff/first_values.hpp>
#include <croton/autodiff/loop_maker.hpp>
#include <croton/ops/refused.hpp>

namespace croton::inline v0_1 {

namespace detail {

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

/// Which carried values turns change, though only the result can need them. `first`: the first node of the turn.
constexpr std::uint64_t idle_values(const arena& g, const traced_turn& t, int first) {
    constexpr int most = 63;  // the last bit is for what is no carried value
    const int count = g.nodes.size() - first, carried = t.carried.size();
    if (carried == 0 || carried > most) return 0;
    vec<std::uint64_t> needed_by(count, 0);
    const auto bit = [](int k) { return std::uint64_t{1} << k; };
    const auto root = [&](int id, int of) {
        if (id >= first) needed_by.at[id - first] |= bit(of);
    };
    for (int k = 0; k < carried; ++k) root(t.next.at[k], k);
    for (const int o : t.out) root(o, most);
    root(t.end, most);
    for (int id = count - 1; id >= 0; --id) {
        const std::uint64_t by = needed_by.at[id];
        if (by == 0) continue;
        for (const int a : g.nodes.at[first + id].in)
            if (a >= first) needed_by.at[a - first] |= by;
    }
    std::uint64_t idle = 0;
    for (int k = 0; k < carried; ++k) {
        const int next = t.next.at[k];
        const std::uint64_t by = needed_by.at[t.carried.at[k] - first] | (next >= first ? needed_by.at[next - first] : 0);
        if ((by & ~bit(k)) == 0 && next != t.carried.at[k]) idle |= bit(k);
    }
    return idle;
}

template <class F> inline constexpr char source_of_turn = 0;
/// With sanitizers g++ does not know while compiling that two variables are not one.
constexpr bool is_same_source(const char* a, const char* b) { return __builtin_constant_p(a == b) && a == b; }

/// A function of a turn can be that of several loops, of which one has to need what it carries.
constexpr void note_idle(arena& g, const traced_turn& t, int first, const char* source) {
    int same = 0;
    while (same < t.loop && !is_same_source(g.loops.at[same].source, source)) ++same;
    const std::uint64_t idle = idle_values(g, t, first);
    loop_facts& facts = g.loops.at[t.loop];
    facts.source = source;
    facts.written_as = same < t.loop ? g.loops.at[same].written_as : t.loop;
    loop_facts& written = g.loops.at[facts.written_as];
    written.idle = same < t.loop ? written.idle & idle : idle;
}

template <class N> inline constexpr bool is_turn_count = rank_of<N> == 0 && is_position<element_in<N>>;
template <class N> constexpr int turns_node(const N& count) { return structure::cast::of(*count.graph, element::int64, count.id); }

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

/// So many turns: a number, an extent such as `x.extent(0)`, or what a traced whole number says, at most `most`. Without `most` nothing can be kept of each
/// turn: neither what is given out, nor what a derivative needs.
template <std::integral N> constexpr detail::turn_number times(N count) { return {static_cast<detail::size_ref>(count < 0 ? 0 : count)}; }
template <traced N> constexpr detail::turn_count times(const N& count) {
    static_assert(detail::is_turn_count<N>, "croton: times takes a whole number, or an extent, as in times(x.extent(0))");
    const detail::node& n = (*count.graph)[count.id];
    if (n.what == detail::tag<detail::structure::size> || n.what == detail::tag<detail::structure::literal>) return {count.graph, static_cast<detail::size_ref>(n.bits)};
    return {count.graph, 0, detail::turns_node(count), true};
}
template <traced N, class M> requires (std::integral<M> || traced<M>) constexpr detail::turn_count times(const N& count, const M& most) {
    static_assert(detail::is_turn_count<N>, "croton: times takes a whole number, or an extent, as in times(x.extent(0))");
    const auto bound = times(most);
    if constexpr (traced<M>)
        if (bound.unbounded && !count.graph->failed()) count.graph->error << "times: the most turns there can be are a number or an extent, as in times(n, 100)";
    return {count.graph, bound.count, detail::turns_node(count)};
}

/// Says in `step(next, out, until(condition))` that this turn is the last one where the condition holds; there are never more turns than the sequences or `times` say.
/// `scan` gives the number of turns besides, an int64: `auto [last, ys, turns] = scan(...)`. What later turns would have given out is 0.
template <traced C> constexpr auto until(const C& condition) {
    static_assert(std::same_as<detail::element_in<C>, bool> && detail::rank_of<C> == 0, "croton: until takes one condition, as in until(error < 1e-6)");
    return until_condition<!detail::is_loop_number<C>>{expr<bool, 0>{condition.graph, condition.id}};
}

/// The `checkpoint` of scan that needs the least memory: the square root of the number of turns, rounded up.
inline constexpr int sqrt_of_turns = -1;

/// How a scan goes through its turns.
struct scan_options {
    bool reverse = false;  // from the last elements of the sequences to the first; results lie where the elements do
    int truncate = 0;      // derivatives go back through the last so many turns only; 0: through all. Theano's truncate_gradient
    int checkpoint = 0;    // for derivatives the state is stored before every so many turns, which are run again from there; 0: what they need of every turn is stored
    int unroll = 1;        // so many turns are written out one behind the other, as one
};

namespace detail {

/// What is wrong with how a loop is cut, or nothing. `by_value`: a value says how many turns there are.
constexpr void check_cuts(arena& g, const scan_options& options, bool by_value) {
    if (options.checkpoint < sqrt_of_turns)
        g.error << "scan: a state is stored before every so many turns, or with 0 before each; checkpoint is " << options.checkpoint;
    else if (options.unroll < 1) g.error << "scan: a number of turns is written out as one, 1 for none; unroll is " << options.unroll;
    else if (by_value && (options.checkpoint != 0 || options.unroll != 1))
        g.error << "scan: turns that a value ends are known when they are done, so that there is no number of them to cut; checkpoint and unroll go without until and times of a value";
    else if (options.truncate > 0 && (options.checkpoint != 0 || options.unroll != 1))
        g.error << "scan: a derivative through the last turns counts them one by one; truncate goes without checkpoint and unroll";
}

/// `scan`; `moves`: what can be computed for all turns at once is, where that pays.
template <class F, class S, class X> constexpr auto scanned(const F& f, const S& initial, const X& xs, const scan_options& options, bool moves) {
    constexpr bool counted = counts_turns<X>;
    using state_like = plain_t<S>;
    arena* found = nullptr;
    vec<int> first, sequences;
    list_values(initial, found, first);
    list_values(xs, found, sequences);
    loop_facts facts;
    int limit = -1;
    if constexpr (std::same_as<X, turn_count>) {
        found = xs.graph;
        limit = xs.limit;
        facts.unbounded = xs.unbounded;
    }
    arena& g = *found;
    facts.carried = first.size();
    facts.sequences = sequences.size();
    facts.reverse = options.reverse;
    // From the last turn that there is, and not from the last that there may be.
    facts.retraces = options.reverse && limit >= 0;
    facts.truncated = options.truncate;
    if (options.truncate < 0 && !g.failed()) g.error << "scan: derivatives go back through a number of turns, or with 0 through all; truncate is " << options.truncate;
    if constexpr (counted) facts.turns = g.find(xs.count);
    else facts.turns = turns_of(g, sequences);
    traced_turn turn;
    const int start = g.nodes.size();
    turn.loop = add_loop(g, facts);
    for (int k = 0; k < first.size(); ++k)
        turn.carried.push(structure::turn_value::of(g, turn.loop, turn_role::carried, k, g[first[k]].type, g[first[k]].shape));
    for (int j = 0; j < sequences.size(); ++j) {
        const shape all = g[sequences[j]].shape;
        shape one;
        one.rank = all.rank - 1;
        for (int i = 0; i < one.rank; ++i) one[i] = all[i + 1];
        turn.elements.push(structure::turn_value::of(g, turn.loop, turn_role::element, j, g[sequences[j]].type, one));
        g.walked.push({turn.elements[j], sequences[j]});
    }
    int at = 0, of_x = 0;
    const auto state = value_like<0, state_like>::of(&g, turn.carried, at);
    g.draws.loops.push(turn.loop);
    const auto one = as_turn_result([&] {
        if constexpr (counted) {
            turn.number = structure::turn_value::of(g, turn.loop, turn_role::turn, 0, element::int64, shape());
            return take_counted_turn(f, state, expr<std::int64_t, 0>{&g, turn.number});
        } else {
            return take_turn(f, state, value_like<-1, plain_t<X>>::of(&g, turn.elements, of_x));
        }
    }());
    g.draws.loops.pop();
    if ((g.draws.counted & bit_of_loop(turn.loop)) != 0) turn.number = structure::turn_value::of(g, turn.loop, turn_role::turn, 0, element::int64, shape());
    const auto next = left_value<state_like, std::remove_cvref_t<decltype(one.next)>>::of(g, one.next);
    const auto out = as_first<none_t>(&g, one.out);
    using out_like = plain_t<std::remove_const_t<decltype(out)>>;
    constexpr bool keeps = std::is_same_v<plain_t<std::remove_const_t<decltype(next)>>, state_like>, ends = !std::is_same_v<std::remove_cvref_t<decltype(one.end)>, none_t>;
    static_assert(keeps, "croton: what a scan carries keeps its structure, its element types and its ranks from turn to turn; convert with cast<T>(x)");
    arena* unused = nullptr;
    list_values(next, unused, turn.next);
    list_values(out, unused, turn.out);
    if constexpr (ends) turn.end = placed_node<bool>(g, one.end.holds);
    if constexpr (!keeps) g.stopped = true;
    for (int k = 0; k < first.size() && !g.failed(); ++k) check_carried(g, k, first[k], turn.next[k]);
    if (!g.failed()) check_cuts(g, options, ends || limit >= 0);
    if (facts.retraces && ends && !g.failed())
        g.error << "scan: backwards, a loop that a value counts begins with the last of so many turns; until goes with times of a number or an extent, or with sequences";
    if (!g.failed()) note_idle(g, turn, start, &source_of_turn<F>);
    loop_values made;
    if (!g.failed()) loop_maker{g, moves, options.checkpoint, options.unroll}.make(turn, first, sequences, limit, made);
    if (g.failed()) made.take(first, turn.out);
    int of_last = 0, of_stack = 0;
    const auto after = value_like<0, state_like>::of(&g, made.last, of_last);
    const auto given = value_like<1, out_like>::of(&g, made.stacks, of_stack);
    if constexpr (ends) return std::tuple{after, given, expr<std::int64_t, 0>{&g, structure::turn_part::turns(g, made.repeat)}};
    else return std::tuple{after, given};
}

}  // namespace detail

/// Runs `f(state, x)` for each `x` along the first axis of `xs`, or as many `times(n)` as there are turns; `f` returns `step(next, out)`, or the next state alone.
/// Gives the state after the last turn, and what was given out, one turn behind the other along a new first axis: `auto [last, ys] = scan(f, initial, xs)`.
/// States, elements and what is given out are expressions, tuples of them, models, or `none`; a `none` is no argument of `f`. States before the first turn are numbers as
/// well: one with a fraction takes the element type of what a turn leaves in its place. Where nothing but numbers is given, `f` is tried once, to see whose graph it works in. What `f` captures is the same
/// for each turn, and what does not depend on the turn is computed before the loop. `f` is traced once, so that neither its compile time nor its code
/// grows with the number of turns, which may be 0. With `times(n)` the second argument, which `f` may leave out, is the number of the turn, an int64. JAX's `scan`.
template <class F, class S, class X> requires (detail::is_first_value<S> && (detail::is_value<X> || detail::counts_turns<X>))
constexpr auto scan(const F& f, const S& initial, const X& xs, scan_options options = {}) {
    constexpr bool walks = detail::counts_turns<X> || detail::can_be_walked<X>, turns = !std::same_as<X, none_t>;
    static_assert(walks, "croton: scan walks along the first axes of its sequences, and one of rank 0 has none; what is the same for each turn is captured");
    static_assert(turns, "croton: a scan has as many turns as its sequences are long, or as it is told, as in times(10)");
    if constexpr (walks && turns) {
        if constexpr (!detail::knows_graph<S> && !detail::knows_graph<X>) {
            constexpr bool belongs = detail::knows_graph<detail::tried_turn_t<F, S, X>>;
            static_assert(belongs, "croton: a loop that begins with numbers needs an expression in its turns; numbers alone belong to no function");
            if constexpr (belongs) {
                // What the turn captures knows the graph.
                detail::arena* g = nullptr;
                detail::vec<int> unused;
                const auto tried = detail::try_counted_turn(f, initial);
                detail::list_values(tried.next, g, unused);
                detail::list_values(tried.out, g, unused);
                if constexpr (detail::knows_graph<std::remove_cvref_t<decltype(tried.end)>>) g = tried.end.holds.graph;
                return scan(f, initial, detail::turn_count{g, xs.count}, options);
            } else return detail::wrong_after<detail::sentence_stands<X>()>(std::tuple{initial, none});
        } else {
            detail::arena* g = nullptr;
            detail::vec<int> unused;
            detail::list_values(initial, g, unused);
            detail::list_values(xs, g, unused);
            if constexpr (std::same_as<X, detail::turn_count>) g = xs.graph;
            const auto run = [&](const auto& first) {
                if constexpr (std::same_as<X, detail::turn_number>) return detail::scanned(f, first, detail::turn_count{g, xs.count}, options, true);
                else return detail::scanned(f, first, xs, options, true);
            };
            if constexpr (detail::has_literals<S>) {
                using next = decltype(detail::tried_turn_t<F, S, X>::next);
                const bool was_well = !g->failed();
                const auto result = run(detail::as_first<next>(g, initial));
                detail::say_how_to_begin<S, next>(*g, was_well);
                return result;
            } else return run(detail::as_first<none_t>(g, initial));
        }
    }
    else return detail::wrong_after<detail::sentence_stands<X>()>(std::tuple{initial, none});
}

/// Of what does not say how many turns there are, or of what no turn is given: a compile-time error.
template <class F, class S, class X> requires (!detail::is_first_value<S> || !(detail::is_value<X> || detail::counts_turns<X>))
constexpr auto scan(const F&, const S& initial, const X& xs, scan_options = {}) {
    constexpr bool counted = !detail::number<X>, inside = !counted || !(detail::array_like<S> || detail::unevaluated<S> || detail::array_like<X> || detail::unevaluated<X>);
    static_assert(counted, "croton: a number of turns is told by times, as in scan(f, initial, times(10))");
    static_assert(inside, "croton: loops are of expressions, in a function, as in function<cpu>([](vector<float> x) { return foldl(f, 0.0f, x); })");
    static_assert(!counted || !inside, "croton: what loops carry and walk along is expressions, tuples of them, models or none, and what is carried begins with numbers as well");
    return detail::wrong_after<detail::sentence_stands<X>()>(std::tuple{detail::refused(initial), detail::refused(xs)});
}

}  // namespace croton::inline v0_1

#endif
