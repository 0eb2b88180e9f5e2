// SPDX-License-Identifier: MIT
// Calls a lambda on symbols inside a constant evaluation and notes what it asks for.
#ifndef CROTON_GRAPH_TRACE_HPP
#define CROTON_GRAPH_TRACE_HPP

#include <array>
#include <bit>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include <croton/core/model.hpp>
#include <croton/core/wrong.hpp>
#include <croton/graph/algebra.hpp>
#include <croton/graph/parameters.hpp>
#include <croton/graph/region.hpp>
#include <croton/graph/result.hpp>

namespace croton::inline v0_1::detail {

template <class T> inline constexpr bool is_tuple = false;
template <class... T> inline constexpr bool is_tuple<std::tuple<T...>> = true;
template <class T> inline constexpr bool has_tuples = false;
template <class... T> inline constexpr bool has_tuples<std::tuple<T...>> = (is_tuple<T> || ...);

/// What is in a tuple and in the tuples in it, in order.
template <class... T> constexpr auto flat_tuple(const std::tuple<T...>& all) {
    if constexpr (!has_tuples<std::tuple<T...>>) return all;
    else
        return std::apply([](const T&... each) {
            const auto flat = [](const auto& one) {
                if constexpr (is_tuple<std::remove_cvref_t<decltype(one)>>) return flat_tuple(one);
                else return std::make_tuple(one);
            };
            return std::tuple_cat(flat(each)...);
        }, all);
}

/// Whether all fields of a struct that is no model are expressions, as of what a decomposition gives.
template <class R> constexpr bool is_struct_of_expressions() {
    if constexpr (traced<R> || std::is_same_v<R, wrong_result> || !has_fields<R> || is_array_of_fields<R> || model<symbol_of<R>>) return false;
    else if constexpr (count_fields<R, 0>() > field_limit) return false;
    else
        return []<int... I>(std::integer_sequence<int, I...>) {
            return sizeof...(I) > 0 && (traced<field_t<R, I>> && ...);
        }(std::make_integer_sequence<int, field_count<R>>());
}

/// Whether a call gives a tuple also where there is one output: it does where the lambda returned one, or what is like one.
template <class R> inline constexpr bool returns_tuple = is_struct_of_expressions<R>();
template <class... R> inline constexpr bool returns_tuple<std::tuple<R...>> = true;
template <class... R> inline constexpr bool returns_tuple<outputs_of<R...>> = false;
template <class Tuple, int N> inline constexpr bool returns_tuple<traced_result<Tuple, N>> = false;
template <int N> inline constexpr bool returns_tuple<update_list<N>> = false;
template <class R, std::size_t N> inline constexpr bool returns_tuple<std::array<R, N>> = traced<R> || model<symbol_of<R>>;
template <class A, class B> inline constexpr bool returns_tuple<std::pair<A, B>> = true;

/// What is returned with tuples in the place of what is like one, as `split` and `qr` give it.
template <class R> constexpr auto as_tuples(const R& r) {
    const auto each_of = [](const auto&... each) { return std::make_tuple(as_tuples(each)...); };
    if constexpr (is_struct_of_expressions<R>()) return tie_fields(r).apply(each_of);
    else if constexpr (returns_tuple<R>) return std::apply(each_of, r);
    else return r;
}

template <class R> constexpr auto given_outputs(const R& r) {
    if constexpr (returns_tuple<R>) return as_tuples(r);
    else return std::tuple<R>(r);
}
template <class... R> constexpr auto given_outputs(const outputs_of<R...>& r) { return as_tuples(r.values); }
template <class Tuple, int N> constexpr auto given_outputs(const traced_result<Tuple, N>& r) { return as_tuples(r.outputs); }
template <int N> constexpr auto given_outputs(const update_list<N>&) { return std::tuple<>(); }

template <class R> constexpr auto as_updates(const R&) { return std::array<update_of, 0>(); }
template <class Tuple, int N> constexpr auto as_updates(const traced_result<Tuple, N>& r) { return r.entry; }
template <int N> constexpr auto as_updates(const update_list<N>& r) { return r.entry; }

template <class F> using result_of = std::remove_cvref_t<typename signature_of<F>::result>;
/// The outputs one behind the other, whatever tuples in tuples the lambda returned.
template <class R> constexpr auto as_outputs(const R& r) { return flat_tuple(given_outputs(r)); }
template <class F> using outputs_tuple = decltype(as_outputs(std::declval<const result_of<F>&>()));
template <class F> using given_tuple = decltype(given_outputs(std::declval<const result_of<F>&>()));

/// Whether a lambda may return `R`.
template <class Tuple> inline constexpr bool are_outputs = false;
template <class... Out> inline constexpr bool are_outputs<std::tuple<Out...>> = ((traced<Out> || model<symbol_of<Out>>) && ...);
template <class R> constexpr bool is_result() {
    if constexpr (std::is_void_v<R>) return false;
    else return are_outputs<decltype(as_outputs(std::declval<const R&>()))>;
}

/// What a trace leaves: the graph, the nodes of the outputs and the updates.
struct traced_program {
    arena g;
    vec<int> outputs;
    vec<update_of> updates;
};

constexpr void check_updates(traced_program& p) {
    arena& g = p.g;
    vec<char> updated(g.nodes.size(), 0);
    for (int i = 0; i < p.updates.size() && !g.failed(); ++i) {
        const update_of u = p.updates[i];
        if (u.target < 0 || u.value < 0) {
            // Something that was not alike has been reported, and gave no update.
            g.stopped = true;
            return;
        }
        if (g.nodes.at[u.target].what != tag<structure::input> || !g.leaves.at[static_cast<int>(g.nodes.at[u.target].bits)].shared) {
            g.error << "update: ";
            g.describe(g.error, u.target);
            g.error << (g.nodes.at[u.target].what == tag<structure::input> ? " is updated but not shared; declare it as shared<...>" : " is not a parameter; only shared parameters are updated");
            return;
        }
        if (updated[u.target] != 0) {
            g.error << "update: ";
            g.describe(g.error, u.target);
            g.error << " is updated twice; a parameter has one new value";
            return;
        }
        updated[u.target] = 1;
        const element stored = g.leaves.at[static_cast<int>(g.nodes.at[u.target].bits)].type;
        if (g.nodes.at[u.value].type != stored) {
            g.error << "update: the new value of ";
            g.describe(g.error, u.target);
            g.error << " holds " << name_of(g.nodes.at[u.value].type) << " but the parameter holds " << name_of(stored)
                    << "; convert it with cast<" << name_of(stored) << ">(x)";
            return;
        }
        const detail::shape to = g.nodes.at[u.target].shape;
        if (g.nodes.at[u.value].shape.rank > to.rank) {
            g.error << "update: the new value of ";
            g.describe(g.error, u.target);
            g.error << " has " << g.nodes.at[u.value].shape.rank << " axes but the parameter has " << to.rank;
            return;
        }
        for (int a = 0; a < g.nodes.at[u.value].shape.rank; ++a) {
            const size_ref from = g.nodes.at[u.value].shape.extent[a], into = to[a + to.rank - g.nodes.at[u.value].shape.rank];
            if (g.find(from) != 1 && !g.unify(from, into, tie::update) && !g.failed()) {
                g.error << "update: the new value of ";
                g.describe(g.error, u.target);
                g.error << " has extent ";
                g.describe_size(g.error, from);
                g.error << " where the parameter has ";
                g.describe_size(g.error, into);
            }
        }
        p.updates[i].value = structure::broadcast::of(g, u.value, to);
    }
}

/// Random states that are drawn from count the call, where the lambda gives them no new value itself.
constexpr void advance_states(traced_program& p) {
    arena& g = p.g;
    for (const int calls : g.draws.states) {
        bool given = false;
        for (const update_of& u : p.updates) given = given || u.target == calls;
        if (!given) p.updates.push({calls, g.apply(code<op::add>, calls, g.literal(g[calls].type, 1))});
    }
}

/// What a loop carries from turn to turn must be of use. `live`: what outputs and updates need, to which `mark_derivatives` adds what derivatives were taken of.
template <class Mark> constexpr void check_carried(arena& g, const vec<char>& live, Mark&& mark_derivatives) {
    const auto written = [&](int id) { return g.loops.at[static_cast<int>(g.nodes.at[id].bits)].written_as; };
    std::uint64_t any = 0;
    for (int l = 0; l < g.loops.size(); ++l)
        if (g.loops.at[l].written_as == l) any |= g.loops.at[l].idle;
    if (any == 0) return;
    mark_derivatives();
    std::array<std::uint64_t, most_loops> needed{};
    loop_mask runs = 0;
    for (int id = 0; id < live.size(); ++id) {
        const node& n = g.nodes.at[id];
        const bool is_part = n.what == tag<structure::turn_part>;
        if (live.at[id] == 0 || !(is_part || n.what == tag<structure::repeat>)) continue;
        const int l = written(is_part ? n.in[0] : id);
        if (l < 0) continue;
        runs |= bit_of_loop(l);
        if (is_part && (part_role(n.bits) == loop_result::last || part_role(n.bits) == loop_result::trajectory)) needed.at(static_cast<unsigned>(l)) |= std::uint64_t{1} << part_index(n.bits);
    }
    for (int l = 0; l < g.loops.size() && !g.failed(); ++l) {
        const std::uint64_t idle = (runs & bit_of_loop(l)) != 0 ? g.loops.at[l].idle & ~needed.at(static_cast<unsigned>(l)) : 0;
        if (idle == 0) continue;
        g.error << "scan: carried value " << std::countr_zero(idle) + 1
                << " is needed by no turn, by nothing that is given out and by no result; leave it out, or say unused(x) of what the loop has of it at last";
    }
}

/// Every parameter must reach an output or an update.
constexpr void check_used(traced_program& p, int parameters) {
    arena& g = p.g;
    if (g.failed()) return;
    vec<char> live(g.nodes.size(), 0);
    for (const int id : p.outputs) live[id] = 1;
    for (const int id : g.unused) live[id] = 1;
    for (int i = 0; i < p.updates.size(); ++i) live[p.updates[i].value] = live[p.updates[i].target] = 1;
    const auto mark = [&] {
        const node* const nodes = g.nodes.at;
        char* const seen = live.at;
        for (int id = g.nodes.size() - 1; id >= 0; --id) {
            if (seen[id] == 0) continue;
            const node& n = nodes[id];
            for (int k = 0; k < max_arguments; ++k) {
                const int a = n.in[k];
                if (a >= 0) seen[a] = 1;
                else if (n.place == placement::loop) break;
            }
        }
    };
    // What a derivative was taken of is looked at only where something else is missing.
    const auto reached = [&](int parameter) {
        for (const leaf_input& l : g.leaves)
            if (l.argument == parameter && live.at[l.node] != 0) return true;
        return false;
    };
    const auto through_derivatives = [&] {
        bool more = false;
        for (const derivative_of& d : g.derivatives)
            if (live[d.derivative] != 0 && (live[d.cost] == 0 || live[d.wrt] == 0)) live[d.cost] = live[d.wrt] = 1, more = true;
        return more;
    };
    mark();
    for (int i = 0; i < parameters; ++i) {
        bool used = reached(i);
        while (!used && through_derivatives()) {
            mark();
            used = reached(i);
        }
        if (!used && !g.failed()) {
            for (const leaf_input& l : g.leaves)
                if (g.error.empty() && l.argument == i && l.field < 0) g.describe(g.error, l.node);
            if (g.error.empty()) g.error << "argument " << i + 1;
            g.error << " is not used by any output or update; remove the parameter, or say unused(x) in the lambda";
        }
    }
    if (!g.failed()) check_carried(g, live, [&] {
        while (through_derivatives()) mark();
    });
}

/// Every update that was traced must be returned: one that is not would change nothing.
constexpr void check_lost_updates(arena& g, const vec<update_of>& returned) {
    int last = -1;
    for (const update_of& r : returned) last = r.target > last ? r.target : last;
    for (const update_of& u : g.traced_updates) last = u.target > last ? u.target : last;
    vec<int> value(last + 1, -1);  // by target: what is returned for it
    for (const update_of& r : returned)
        if (r.target >= 0) value.at[r.target] = r.value;
    for (const update_of& u : g.traced_updates) {
        if (g.failed()) return;
        bool found = u.target >= 0 && value.at[u.target] == u.value;
        // A target that is returned twice is another mistake.
        if (!found)
            for (const update_of& r : returned) found = found || (r.target == u.target && r.value == u.value);
        if (found) continue;
        const bool is_shared = g.nodes.at[u.target].what == tag<structure::input> && g.leaves.at[static_cast<int>(g.nodes.at[u.target].bits)].shared;
        g.error << "update: ";
        if (is_shared) {
            g.error << "the new value of ";
            g.describe(g.error, u.target);
            g.error << " is not returned, so it would be lost; return outputs(...).updates(w -= ...), or updates(...) alone";
        } else {
            g.error << "an assignment such as += to ";
            g.describe(g.error, u.target);
            g.error << " is an update of a parameter; to compute with a copy of it, declare that as expr<" << name_of(g.nodes.at[u.target].type) << ", "
                    << g.nodes.at[u.target].shape.rank << ">";
        }
    }
}

template <class Out> constexpr void add_output(traced_program& p, const Out& out) {
    const auto add = [&](const auto& e) {
        if (e.graph != nullptr) p.outputs.push(stored_node(e));
        else if (!p.g.failed()) p.g.error << "an output was given no value";
    };
    if constexpr (traced<Out>) add(out);
    else for_each_leaf(static_cast<const symbol_of<Out>&>(out), add);
}

struct nothing_captured {};

/// A lambda that captures nothing. One with a capture-default has no default constructor.
template <class F> constexpr F lambda_of() {
    if constexpr (std::is_default_constructible_v<F>) return F{};
    else return __builtin_bit_cast(F, nothing_captured{});
}

/// The place of every parameter.
template <class F> inline constexpr auto indices_of = std::make_index_sequence<std::tuple_size_v<parameters_of<F>>>();

/// Traces a lambda into `out`, or only counts the nodes. It is called with nothing between, so that what is wrong in it stands at the
/// end of a short trail.
template <class F, std::size_t... I> constexpr int trace(std::index_sequence<I...>, traced_program* out = nullptr) {
    traced_program unnamed;
    traced_program& p = out != nullptr ? *out : unnamed;
    p.g.free_algebra = has_free_algebra<F>;
    parameters_of<F> parameters{};
    (make_parameter(p.g, static_cast<int>(I), std::get<I>(parameters)), ...);
    F lambda = lambda_of<F>();
    const auto result = lambda(std::get<I>(parameters)...);
    std::apply([&](const auto&... each) { (add_output(p, each), ...); }, as_outputs(result));
    for (const update_of& u : as_updates(result)) p.updates.push(u);
    check_lost_updates(p.g, p.updates);
    advance_states(p);
    check_updates(p);
    check_used(p, sizeof...(I));
    return p.g.nodes.size();
}

template <class F> constexpr void trace(traced_program& p) { trace<F>(indices_of<F>, &p); }

template <class F, int Nodes = trace<F>(indices_of<F>)> constexpr int count_nodes(int) { return Nodes; }
template <class F> constexpr int count_nodes(...) { return -1; }

/// How many nodes the lambda makes, or -1 where the compiler cannot run it.
template <class F> inline constexpr int traced_nodes = count_nodes<F>(0);
template <class F> inline constexpr bool traceable = traced_nodes<F> >= 0;

/// Whether every value of `S` is a symbol: an expression, a model of them, or a tuple of such.
template <class S> inline constexpr bool holds_symbols = symbolic<symbol_of<S>>();
template <class... S> inline constexpr bool holds_symbols<std::tuple<S...>> = (holds_symbols<S> && ...);

template <class S> constexpr void mark_unused(const S& x) {
    const auto mark = [](const auto& one) { one.graph->unused.push(one.id); };
    if constexpr (is_tuple<S>) std::apply([](const auto&... each) { (mark_unused(each), ...); }, x);
    else if constexpr (traced<symbol_of<S>>) mark(static_cast<const symbol_of<S>&>(x));
    else for_each_leaf(static_cast<const symbol_of<S>&>(x), mark);
}

}  // namespace croton::inline v0_1::detail

namespace croton::inline v0_1 {

/// Says that parameters, models, fields of a model, or tuples of those need not reach an output: `unused(x, net.bias);`.
template <class... S>
    requires(detail::holds_symbols<S> && ...)
constexpr void unused(const S&... parameters) {
    (detail::mark_unused(parameters), ...);
}

/// Names every array of a model: `net` names them `net.hidden.weight` and so on.
template <class M>
    requires detail::model<detail::symbol_of<M>>
constexpr M named(M m, std::string_view name) {
    using S = detail::symbol_of<M>;
    detail::for_each_leaf(static_cast<S&>(m), [&](auto& x, auto index) {
        detail::text_builder text;
        text << name << "." << detail::leaf_name<S, decltype(index)::value>;
        named(x, text.view());
    });
    return m;
}

}  // namespace croton::inline v0_1

#endif
