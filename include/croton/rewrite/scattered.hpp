// SPDX-License-Identifier: MIT
// What is added up by indices into zeros only to be added to an array is added to that array where the indices lead.
#ifndef CROTON_REWRITE_SCATTERED_HPP
#define CROTON_REWRITE_SCATTERED_HPP

#include <croton/rewrite/sweep.hpp>

namespace croton::inline v0_1::detail {

/// w - rate * add_at(0, ids, v) becomes add_at(w, ids, -rate * v): an update by the gradient of a gather touches the rows that were
/// gathered. What no index leads to stays as it is, also where the rate is no number.
class scattered_pass {
public:
    constexpr scattered_pass(arena& graph, fired_rules& counts) : g(graph), fired(counts), b_(graph, counts) {}

    constexpr void run(vec<int>& roots) {
        const int count = g.nodes.size();
        bool any = false;
        for (int id = 0; id < count && !any; ++id) any = g.nodes.at[id].what == tag<structure::scatter>;
        if (!any) return;
        const liveness live(g, roots);
        vec<int> map;
        rebuild_live(g, roots, live, map, [&](int id) {
            const node n = with_arguments(g, id, map);
            shared_.mark_arguments(g, live, map, id);
            const bool subtracts = g.is<op::subtract>(id);
            if (!subtracts && !g.is<op::add>(id)) return -1;
            int made = added(n.in[0], n.in[1], subtracts);
            if (made < 0 && !subtracts) made = added(n.in[1], n.in[0], false);
            if (made >= 0) fired.add(rule::scattered_sum);
            return made;
        });
    }

private:
    /// A number that the sums are multiplied by or divided by, -1: they are negated.
    struct scale {
        int factor = -1;
        bool divides = false;
    };

    arena& g;
    fired_rules& fired;
    builder b_;
    shared_nodes shared_;
    vec<scale> scales_;


    constexpr int added(int to, int id, bool negated) {
        if (!g.same_shape(g[to].shape, g[id].shape) || !is_scattered(id)) return -1;
        scales_.clear();
        if (negated) scales_.push({});
        return onto(to, id);
    }

    constexpr bool is_number(int id) const { return g[id].shape.rank == 0; }

    /// Whether a node is made of nothing but what was added up into zeros, and belongs to a derivative.
    constexpr bool is_scattered(int id) const {
        const node& n = g[id];
        if (shared_(id)) return false;
        if (n.what == tag<structure::scatter>)
            return (g.free_algebra || n.derived) && !structure::scatter::puts(n) && (is_zeros(g, n.in[0]) || is_scattered(n.in[0]));
        if (g.is<op::negative>(id)) return is_scattered(n.in[0]);
        if (g.is<op::divide>(id)) return is_number(n.in[1]) && is_scattered(n.in[0]);
        if (g.is<op::multiply>(id)) return is_number(n.in[1]) ? is_scattered(n.in[0]) : is_number(n.in[0]) && is_scattered(n.in[1]);
        if (g.is<op::add>(id) || g.is<op::subtract>(id)) return is_scattered(n.in[0]) && is_scattered(n.in[1]);
        return false;
    }

    constexpr int onto(int to, int id) {
        const node n = g[id];
        const auto under = [&](const scale& s, int x) {
            scales_.push(s);
            const int made = onto(to, x);
            scales_.pop();
            return made;
        };
        if (n.what == tag<structure::scatter>) {
            if (!is_zeros(g, n.in[0])) to = onto(to, n.in[0]);
            int values = n.in[2];
            for (int i = scales_.size() - 1; i >= 0; --i) {
                const scale& s = scales_[i];
                values = s.factor < 0 ? b_.apply(code<op::negative>, values, -1, -1) : b_.apply(s.divides ? code<op::divide> : code<op::multiply>, values, s.factor, -1);
            }
            return structure::scatter::of(g, to, n.in[1], values, kernel::axis_of(n.bits), false, structure::scatter::is_aligned(n));
        }
        if (g.is<op::negative>(id)) return under({}, n.in[0]);
        if (g.is<op::divide>(id)) return under({n.in[1], true}, n.in[0]);
        if (g.is<op::multiply>(id)) return is_number(n.in[1]) ? under({n.in[1], false}, n.in[0]) : under({n.in[0], false}, n.in[1]);
        to = onto(to, n.in[0]);
        return g.is<op::subtract>(id) ? under({}, n.in[1]) : onto(to, n.in[1]);
    }
};

}  // namespace croton::inline v0_1::detail

#endif
