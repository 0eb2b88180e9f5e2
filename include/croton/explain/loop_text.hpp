// SPDX-License-Identifier: MIT
// The loops of a plan as text: what a turn is given, its graph and its steps, and what is kept or computed again for derivatives.
#ifndef CROTON_EXPLAIN_LOOP_TEXT_HPP
#define CROTON_EXPLAIN_LOOP_TEXT_HPP

#include <type_traits>

#include <croton/compiler.hpp>
#include <croton/explain/loop_names.hpp>
#include <croton/explain/plan_text.hpp>

namespace croton::inline v0_1::detail {

/// How many bytes a value has, as far as the compiler knows: `48 bytes`, `24 * n2 bytes`.
template <class Names> std::string bytes_text(const Names& names, element type, const size_ref* extent, int rank) {
    std::int64_t known = static_cast<std::int64_t>(size_of(type));
    std::string open;
    for (int i = 0; i < rank; ++i) {
        const formula f = names.size(names.representative(extent[i]));
        if (f.number) known *= names.representative(extent[i]);
        else open += " * " + (f.binds == formula::atom ? f.text : in_parentheses(f).text);
    }
    return std::to_string(known) + open + " bytes";
}

/// The text of the loop that is step `step` of `outer`, whose turns do what `plan` says. A template, as what it calls, so that a program that explains nothing
/// does not pay for it.
template <class Plan> std::string loop_explanation(const Plan& outer, int step, const Plan& plan, const explained_device& device) {
    const detail::step& s = outer.steps[step];
    const loop_entry& l = outer.loop(step);
    const auto& names = plan.names;
    const std::string title = "\n  " + notation::loop(l) + ", ";
    const graph_writer<std::remove_cvref_t<decltype(names)>> graph(names);
    const plan_writer<Plan> written(plan, device);
    text_table<std::string> given;
    for (int i = 0; i < plan.leaf_count; ++i) given.add(names.leaf(i), names.type(plan.leaves[i].type, plan.leaves[i].shape));
    std::string out = title + "what a turn is given\n" + given.text("    ", 60);
    out += title + "graph of a turn: " + count_text(plan.node_count, "node") + "\n" + graph.text("    ");
    out += title + "a turn: " + count_text(plan.step_count, "step") + "\n" + written.steps();
    out += title + "through memory in a turn\n" + written.memory();
    text_table<std::string> kept;
    bool keeps = false, repeats = false;
    for (int i = 0; i < l.parts; ++i) {
        if (!is_stored_for_derivatives(outer, l, i)) continue;
        const node& n = outer.nodes[outer.names.part(l, i)];
        keeps = true;
        const element type = outer.buffers[outer.slot(step, s.slot_count - s.results + i).buffer].type;
        kept.add(outer.seen(step, s.slot_count - s.results + i) + " = " + outer.names.result(l, i), names.type(type, n.shape),
                 bytes_text(names, type, n.shape.extent + 1, n.shape.rank - 1) + " a turn");
    }
    if (keeps) out += title + "stored for derivatives\n" + kept.text("    ", 60);
    text_table<std::string> again;
    for (int id = 0; id < plan.node_count; ++id) {
        const node& n = plan.nodes[id];
        if (!is_computed_again(l, n)) continue;
        repeats = true;
        again.add(graph.of(id).text, names.type(n.type, n.shape), bytes_text(names, n.type, n.shape.extent, n.shape.rank) + " a turn that are not stored");
    }
    if (repeats) out += title + "computed again\n" + again.text("    ", 60);
    return out;
}
CROTON_ONCE(loop_explanation<plan_facts>)

/// Calls f(outer, step, turn) for each loop of `Plan`, a plan_holder whose facts are `outer`, and for those in its turns: the loop is a step of `outer`, and
/// `turn` is the plan of its turns.
template <class Plan, int Loop = 0, class F> void each_loop(const plan_facts& outer, F&& f) {
    if constexpr (Loop < Plan::program().loops.size()) {
        constexpr int number = Plan::program().loops[Loop].region;
        using region = typename Plan::template region<number>;
        for (int s = 0; s < outer.step_count; ++s) {
            if (outer.steps[s].what != step_kind::repeat || outer.steps[s].bits != number) continue;
            const plan_view view = view_of(region::program(), region::value());
            const plan_facts inner(view, region_names(view, outer, s));
            f(outer, s, inner);
            each_loop<region>(inner, f);
        }
        each_loop<Plan, Loop + 1>(outer, f);
    }
}

}  // namespace croton::inline v0_1::detail

#endif
