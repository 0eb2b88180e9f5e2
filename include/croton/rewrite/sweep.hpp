// SPDX-License-Identifier: MIT
// One sweep over the live graph, arguments before users, that brings every node into normal form.
#ifndef CROTON_REWRITE_SWEEP_HPP
#define CROTON_REWRITE_SWEEP_HPP

#include <croton/rewrite/builder.hpp>

namespace croton::inline v0_1::detail {

/// The node, which applies no operator, in normal form, on arguments in normal form.
constexpr int normal(builder& b, arena& g, const node& n) {
    g.deriving = n.derived;
    switch (n.what) {
    case tag<structure::cast>: return b.cast(n.type, n.in[0]);
    case tag<structure::reduce>: return b.reduce(n.fn, static_cast<unsigned>(n.bits), n.in[0]);
    case tag<structure::view>: return b.view(n.in[0], n);
    case tag<structure::slice>: return b.slice(n.in[0], slice_axis(n.bits), slice_start(n.bits), n.shape.extent[slice_axis(n.bits)], slice_step(n.bits));
    case tag<structure::reshape>: return b.reshape(n.in[0], n.shape);
    case tag<structure::softmax>:
    case tag<structure::log_softmax>: return b.row(n.what, static_cast<unsigned>(n.bits), n.in[0]);
    case tag<structure::dot>: return b.dot(n.in[0], n.in[1]);
    default: return rebuild(g, n);
    }
}

/// Brings everything the roots need into normal form and moves the roots there. `barrier` nodes stay what they are,
/// behind a copy that no rule looks through.
constexpr void normalise(arena& g, vec<int>& roots, const vec<int>& barrier, fired_rules& counts) {
    const int count = g.nodes.size();
    const liveness live(g, roots, true);
    builder b(g, counts);
    vec<int> map(count, -1);
    const bool has_barrier = !barrier.empty();
    vec<char> fixed(has_barrier ? count : 0, 0);
    for (int i = 0; i < barrier.size(); ++i) fixed.at[barrier.at[i]] = 1;
    const auto operate = [&](int id) {
        const operands to(g, id, map);
        const node& n = g.nodes.at[id];
        const int fn = n.fn, user = live.uses.at[id] == 1 ? live.consumer.at[id] : -1;
        g.deriving = n.derived;
        // What belongs to the sum or product of its only user is collected there.
        const bool part = user >= 0 && g.nodes.at[user].what == tag<structure::apply> && b.is_free(id) && b.is_free(user) &&
                          ((builder::is_sum(fn) && builder::is_sum(g.nodes.at[user].fn)) || (fn == code<op::multiply> && g.nodes.at[user].fn == code<op::multiply>));
        return part ? g.apply(fn, to.in[0], to.in[1], to.in[2]) : b.apply(fn, to.in[0], to.in[1], to.in[2]);
    };
    const auto bring = [&](int id) {
        const bool done = !g.as_written && id < g.settled.size() && g.settled.at[id] != 0;
        if (has_barrier && fixed.at[id] != 0) {
            map.at[id] = g.apply(code<op::copy>, id);
        } else if (done || g.nodes.at[id].what == tag<structure::input>) {
            map.at[id] = id;
        } else {
            map.at[id] = keep_shape(g, g.nodes.at[id].what == tag<structure::apply> ? operate(id) : normal(b, g, with_arguments(g, id, map)), id);
        }
        if (live.uses.at[id] > 1) b.mark_shared(map.at[id]);
        if (g.nodes.at[id].name >= 0 && g.nodes.at[map.at[id]].name < 0) g.nodes[map.at[id]].name = g.nodes.at[id].name;
    };
    const int known = g.as_written ? 0 : g.rewritten.size();
    // An argument that an earlier gradient rewrote can have a higher number than its user: that waits for it.
    vec<int> open;
    for (int first = 0; first < count; ++first) {
        if (live.uses.at[first] == 0) continue;
        for (int id = first;;) {
            bool waits = false;
            if (map.at[id] < 0) {
                const node& n = g.nodes.at[id];
                const bool loop = n.place == placement::loop;
                for (int k = 0; k < max_arguments; ++k) {
                    int a = n.in[k];
                    if (a < 0) {
                        if (loop) break;
                        continue;
                    }
                    if (a < known && g.rewritten.at[a] >= 0) a = g.rewritten.at[a];
                    if (map.at[a] >= 0) continue;
                    if (!waits) open.push(id);
                    waits = true;
                    open.push(a);
                }
                if (!waits) bring(id);
            }
            if (open.empty()) break;
            id = open.back();
            open.pop();
        }
    }
    g.deriving = false;
    for (int i = 0; i < roots.size(); ++i) roots.at[i] = map.at[current(g, roots.at[i])];
    if (barrier.empty()) {
        g.rewritten.resize(g.nodes.size(), -1);
        for (int id = 0; id < count; ++id)
            if (map.at[id] >= 0 && map.at[id] != id) g.rewritten.at[id] = map.at[id];
    }
}

/// Marks what the roots need as being in normal form, so that a later sweep leaves it alone.
constexpr void settle(arena& g, const vec<int>& roots) {
    const liveness live(g, roots);
    g.settled.resize(g.nodes.size(), 0);
    for (int id = 0; id < live.uses.size(); ++id)
        if (live.uses.at[id] > 0) g.settled.at[id] = 1;
}

}  // namespace croton::inline v0_1::detail

#endif
