// SPDX-License-Identifier: MIT
// explain(f): what became of a function, as text.
#ifndef CROTON_FUNCTION_EXPLAIN_HPP
#define CROTON_FUNCTION_EXPLAIN_HPP

#include <croton/compiler.hpp>
#include <croton/explain/loop_text.hpp>
#include <croton/function/function.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// The graph that the lambda alone makes, before anything is rewritten. What a derivative was built on is part of it.
template <int Capacity, class F> constexpr program<Capacity> traced_program_of() {
    program<Capacity> out;
    traced_program p;
    trace<F>(p);
    if (p.g.failed()) return out;
    // The derivative has rewritten its cost already: the roots keep what the lambda said.
    p.g.rewritten.clear();
    vec<int> roots;
    for (const int o : p.outputs) roots.push(o);
    for (const update_of& u : p.updates) roots.push(u.value);
    freeze(p.g, roots, p.outputs.size(), p.updates, false, out);
    return out;
}

template <class F, int Capacity> struct tried_trace {
    template <int More> using with_room = tried_trace<F, More>;
    static consteval auto make() { return traced_program_of<Capacity, F>(); }
};

template <class F> struct traced_only {
    static constexpr auto value = exact_program<tried_trace<F, 512>>();
    static constexpr const auto& get() { return value; }
};

template <class Graph> std::string arguments_text(const Graph& g, const bool* contiguous) {
    text_table<std::string> lines;
    for (int i = 0; i < g.leaf_count; ++i) {
        const leaf_input& l = g.leaves[i];
        std::string remark = l.shared ? "shared" : "";
        for (int u = 0; u < g.update_count; ++u)
            if (g.updates[u].target == i) remark = "shared, updated";
        const auto also = [&](const std::string& text) { remark += (remark.empty() ? "" : "; ") + text; };
        for (int c = 0; c < g.bound_count; ++c)
            if (const bound_check& b = g.bounds[c]; b.leaf == i)
                also((counts_from_end(b.who) ? "indices of an axis of " : "class numbers below ") + g.size(b.limit).text + ", checked");
        if (contiguous[i]) also("copied first where its memory is not contiguous");
        lines.add(g.leaf(i), g.type(l.type, l.shape), remark);
    }
    std::string out = lines.text("    ", 60);
    std::string open;
    int count = 0;
    for (int i = 0; i < g.leaf_count; ++i)
        for (int a = 0; a < g.leaves[i].shape.rank; ++a) {
            const size_ref s = g.representative(g.leaves[i].shape[a]);
            if (!g.anonymous(s) || g.anonymous_before(s) != count) continue;
            ++count;
            open += (open.empty() ? "" : ", ") + g.size(s).text;
        }
    return out + (count == 0 ? "" : "    " + open + (count == 1 ? " is" : " are") + " dynamic: what the call brings\n");
}

template <class Rules> std::string rewrites_text(const Rules& fired) {
    std::string out;
    // By what they are for, each with its name where there are several.
    const auto group = [&](rule_aim aim, std::string_view one, std::string_view many) {
        int count = 0;
        std::string which;
        for (const rule_row& r : rule_rows) {
            const int times = r.aim == aim ? fired.times[static_cast<int>(r.what)] : 0;
            count += times;
            if (times > 0 && aim != rule_aim::literals && aim != rule_aim::blas) which += "        " + std::to_string(times) + "  " + r.name + "\n";
        }
        if (count > 0) out += "    " + std::to_string(count) + " " + std::string(count == 1 ? one : many) + "\n" + which;
    };
    group(rule_aim::literals, "operation on literals done while compiling", "operations on literals done while compiling");
    group(rule_aim::sums, "sum simplified", "sums simplified");
    group(rule_aim::products, "product simplified", "products simplified");
    group(rule_aim::stable, "expression replaced by one that neither overflows nor cancels",
          "expressions replaced by ones that neither overflow nor cancel");
    group(rule_aim::moved, "factor, transposition or reduction moved to where it costs less",
          "factors, transpositions or reductions moved to where they cost less");
    group(rule_aim::blas, "sum taken into a matrix product", "sums taken into a matrix product");
    return out.empty() ? "    none\n" : out;
}

/// The text, from facts that have no types.
template <class Graph, class Plan>
std::string explanation(const std::string& title, const Graph& before, const Graph& after, const fired_rules& counts,
                        const Plan& plan, bool rewrites, const explained_device& device, const bool* contiguous, const std::string& library) {
    const plan_writer<Plan> written(plan, device);
    std::string out = title + "\n\n  arguments\n" + arguments_text(after, contiguous);
    out += "\n  graph as traced: " + count_text(before.node_count, "node") + "\n" + graph_writer(before).text("    ");
    out += "\n  rewrites" + std::string(rewrites ? "" : ", for derivatives only") + "\n" + rewrites_text(counts);
    out += "\n  graph as it runs: " + count_text(after.node_count, "node") + "\n" + graph_writer(after).text("    ");
    out += "\n  plan: " + count_text(plan.step_count, "step");
    for (int s = 0; s < plan.step_count; ++s)
        if (plan.steps[s].what == step_kind::product && !library.empty()) {
            out += "; BLAS: " + library;
            break;
        }
    out += "\n" + written.steps();
    return out + "\n  through memory\n" + written.memory();
}
CROTON_ONCE(explanation<notation, plan_facts>)

}  // namespace detail

/// What the compiler made of a function, as text: its arguments, the graph before and after rewriting, the steps it runs
/// as formulas, and for each value that goes through memory the reason.
///
/// In formulas `x^T` is x transposed, `a b` a matrix product; `w <- ...` writes a shared argument, and every right side
/// of a step reads the old value. Of a loop, `state1` is what a turn is given of the first carried value, `next state1` what it leaves of it, `x[t]` its
/// element of x, and `last`, `states` and `stack` are its results: a carried value after all turns, before and after each, and what each turn gave out. The function is traced once more for this, in programs that call `explain` only.
template <class Device, class F> std::string explain(const compiled<Device, F>& f) {
    const auto& program = f.program();
    const auto& plan = f.plan();
    std::string library;
    if constexpr (requires { Device::product_library(); }) library = Device::product_library();
    detail::explained_device device{Device::fuses};
    if constexpr (requires { &Device::routine_way; }) device.way = &Device::routine_way;
    if constexpr (ends_products<Device>) device.ends = [](std::int64_t m, std::int64_t k, std::int64_t n, element type, bool turned) { return Device::ends_product(m, k, n, type, turned); };
    device.leaves_out_copies = leaves_out_copies<Device>;
    if constexpr (streams_rows<Device>) device.streamed_bytes = Device::streamed_bytes, device.near_streamed_bytes = Device::near_streamed_bytes;
    const std::string name = f.name().starts_with("function") ? f.name() : "function \"" + f.name() + "\"";
    std::string text = detail::explanation(name + " on " + std::string(detail::device_name<Device>),
                               detail::notation{detail::view_of(detail::traced_only<F>::get())}, detail::notation{detail::view_of(program)},
                               program.rewrites, detail::plan_facts(detail::view_of(program, plan)), Device::rewrites, device,
                               plan.contiguous_leaf.begin(), library);
    detail::each_loop<detail::plan_holder<Device, F>>(detail::plan_facts(detail::view_of(program, plan)), [&](const auto& outer, int step, const auto& turn) {
        text += detail::loop_explanation(outer, step, turn, device);
    });
    return text;
}

}  // namespace croton::inline v0_1

#endif
