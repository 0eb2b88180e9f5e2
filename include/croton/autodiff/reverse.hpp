// SPDX-License-Identifier: MIT
// Reverse-mode differentiation: walks the graph backwards and builds the derivative as nodes of the same graph.
#ifndef CROTON_AUTODIFF_REVERSE_HPP
#define CROTON_AUTODIFF_REVERSE_HPP

#include <croton/graph/structures.hpp>
#include <croton/rewrite/sweep.hpp>

namespace croton::inline v0_1::detail {

/// One backward walk over the graph, by the rule of each structure.
class reverse_walk {
public:
    constexpr reverse_walk(arena& graph, const derivative_rules& rules) : g(graph), c_(graph, rules) {}

    /// The derivative of the rank-0 node `cost` for each of `wrt`, in their shapes. The cost is differentiated in normal
    /// form, so that its stable forms have stable derivatives.
    constexpr void run(int cost, const vec<int>& wrt, vec<int>& result) {
        vec<int> roots, barrier;
        const int written = cost;
        roots.push(cost);
        for (int i = 0; i < wrt.size(); ++i)
            if (g.nodes.at[wrt.at[i]].what != tag<structure::input>) barrier.push(wrt.at[i]);
        // An expression that is differentiated for must be found as it was written.
        g.as_written = !barrier.empty();
        normalise(g, roots, barrier, g.fired);
        g.as_written = false;
        if (barrier.empty()) settle(g, roots);
        cost = roots.at[0];
        g.deriving = true;

        const int count = g.nodes.size();
        c_.depends.assign(count, 0);
        vec<char> leaf(count, 0);
        for (int i = 0; i < wrt.size(); ++i) c_.depends.at[wrt.at[i]] = leaf.at[wrt.at[i]] = 1;
        for (int id = 0; id <= cost; ++id)
            if (is_floating(g.nodes.at[id].type))
                for (int i = 0; i < max_arguments; ++i)
                    if (const int a = g.nodes.at[id].in[static_cast<unsigned>(i)]; a >= 0 && c_.depends.at[a] != 0) c_.depends.at[id] = 1;
        c_.of.assign(count, -1);
        c_.of.at[cost] = g.literal(arithmetic_of(g.nodes.at[cost].type), 1);
        for (int id = cost; id >= 0; --id)
            if (c_.of.at[id] >= 0 && c_.depends.at[id] != 0 && (leaf.at[id] == 0 || c_.any_wanted(g.nodes.at[id]))) c_.pull(id);
        for (int i = 0; i < wrt.size(); ++i) {
            const int d = c_.of.at[wrt.at[i]];
            if (d < 0 && !g.failed() && !reaches(written, wrt.at[i])) {
                g.error << "grad: the cost does not depend on ";
                g.describe(g.error, wrt.at[i]);
                g.error << "; take grad only for what the cost is computed from";
            }
            const int derivative = d < 0 ? structure::broadcast::of(g, g.literal(arithmetic_of(g.nodes.at[wrt.at[i]].type), 0), g.nodes.at[wrt.at[i]].shape) : c_.full(d, wrt.at[i]);
            g.derivatives.push({derivative, written, wrt.at[i]});
            result.push(derivative);
        }
        g.deriving = false;
    }

private:
    /// Whether the cost as it was written depends on a node, though 0 * w may be gone from its normal form. A derivative depends on what it is the
    /// derivative of, also where it is the same everywhere.
    constexpr bool reaches(int from, int to) const {
        vec<char> seen(g.nodes.size(), 0);
        vec<int> open;
        open.push(from);
        while (!open.empty()) {
            const int id = open.back();
            open.pop();
            if (id == to) return true;
            if (seen.at[id] != 0 || !is_floating(g.nodes.at[id].type)) continue;
            seen.at[id] = 1;
            for (const int a : g.nodes.at[id].in)
                if (a >= 0) open.push(a);
            for (const derivative_of& d : g.derivatives)
                if (d.derivative == id) open.push(d.cost);
        }
        return false;
    }

    arena& g;
    cotangents c_;
};

}  // namespace croton::inline v0_1::detail

#endif
