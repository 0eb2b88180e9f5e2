// SPDX-License-Identifier: MIT
// Loops over the same turns, of which none needs what another one gives, are one loop.
#ifndef CROTON_REWRITE_MERGED_LOOPS_HPP
#define CROTON_REWRITE_MERGED_LOOPS_HPP

#include <croton/graph/structure/repeat.hpp>
#include <croton/rewrite/pass.hpp>

namespace croton::inline v0_1::detail {

/// The turns of the second loop become part of those of the first. Sequences that both walk along are one, and so are carried values that begin
/// as the same and are carried on in the same way: of two gradients of one cost that are taken apart the common part is computed once.
class loop_merger {
public:
    constexpr loop_merger(arena& graph, fired_rules& counts) : g(graph), fired(counts) {}

    constexpr void run(vec<int>& roots) {
        while (g.loops.size() > 1 && merge_two(roots)) fired.add(rule::loops_merged);
    }

private:
    arena& g;
    fired_rules& fired;
    vec<loop_mask> masks_;
    vec<loop_mask> needs_;

    /// A loop with the arguments of its node: see `list_bundled`.
    struct listed_loop {
        int loop, carried, sequences;
        vec<int> arguments;

        constexpr listed_loop(const arena& g, int repeat)
            : loop(static_cast<int>(g.nodes.at[repeat].bits)), carried(g.loops.at[loop].carried), sequences(g.loops.at[loop].sequences) {
            list_bundled(g, repeat, arguments);
        }
        constexpr int first(int k) const { return arguments.at[2 * k]; }
        constexpr int next(int k) const { return arguments.at[2 * k + 1]; }
        constexpr int sequence(int j) const { return arguments.at[2 * carried + j]; }
        constexpr int behind() const { return 2 * carried + sequences; }
    };
    constexpr int loop_of_node(int repeat) const { return static_cast<int>(g.nodes.at[repeat].bits); }

    /// Whether how often it turns is known before it begins.
    constexpr bool has_fixed_turns(int repeat) const {
        const node& n = g.nodes.at[repeat];
        const loop_facts& f = g.loops.at[loop_of_node(repeat)];
        return n.in[1] < 0 && n.in[2] < 0 && f.at_most == 0 && !f.unbounded && !f.retraces;
    }
    /// By loop: the loops of which it needs a result. What a loop gives out of its turns it computes itself: where it is needed, so is what any of that takes.
    constexpr void find_needs(const liveness& live) {
        const int count = live.uses.size();
        vec<loop_mask> takes(count, 0);  // by node: the loops that its arguments are made of
        needs_.assign(g.loops.size(), 0);
        for (int id = 0; id < count; ++id) {
            const node& n = g.nodes.at[id];
            for (const int a : n.in)
                if (a >= 0) takes.at[id] |= takes.at[a];
            if (n.what == tag<structure::repeat>) {
                if (live.uses.at[id] > 0) needs_.at[loop_of_node(id)] |= takes.at[id];
                takes.at[id] |= bit_of_loop(loop_of_node(id));
            } else if (n.what == tag<structure::turn_part> && n.in[1] >= 0 && live.uses.at[id] > 0) {
                needs_.at[loop_of_node(n.in[0])] |= takes.at[n.in[1]];
            }
        }
        for (bool more = true; more;) {
            more = false;
            for (loop_mask& all : needs_) {
                const loop_mask before = all;
                for (int l = 0; l < needs_.size(); ++l)
                    if ((before & bit_of_loop(l)) != 0) all |= needs_.at[l];
                more = more || all != before;
            }
        }
    }
    constexpr bool needs(int loop, int other) const { return (needs_.at[loop] & bit_of_loop(other)) != 0; }

    constexpr bool merge_two(vec<int>& roots) {
        const liveness live(g, roots);
        vec<int> repeats;
        vec<char> known(g.loops.size(), 0);
        for (int id = 0; id < live.uses.size(); ++id)
            if (live.uses.at[id] > 0 && g.nodes.at[id].what == tag<structure::repeat> && known.at[loop_of_node(id)]++ == 0 && has_fixed_turns(id)) repeats.push(id);
        if (repeats.size() < 2) return false;
        find_regions(g, masks_);
        needs_.clear();
        for (int i = 0; i < repeats.size(); ++i)
            for (int j = i + 1; j < repeats.size(); ++j) {
                const int a = repeats.at[i], b = repeats.at[j];
                const loop_facts &x = g.loops.at[loop_of_node(a)], &y = g.loops.at[loop_of_node(b)];
                if (!g.same(x.turns, y.turns) || x.reverse != y.reverse || masks_.at[a] != masks_.at[b]) continue;
                if (needs_.empty()) find_needs(live);
                if (needs(loop_of_node(b), loop_of_node(a)) || needs(loop_of_node(a), loop_of_node(b))) continue;
                merge(a, b, live, roots);
                return true;
            }
        return false;
    }

    /// Where the values of the turns of the second loop are in those of the first.
    struct places {
        vec<int> carried, sequences;
    };

    /// The second loop's nodes in the turns of the first.
    constexpr void move_into(const listed_loop& a, const listed_loop& b, const places& to, substitution& out) {
        out.of.assign(g.nodes.size(), -1);
        const int count = g.nodes.size();
        for (int id = 0; id < count; ++id) {
            const node n = g.nodes.at[id];
            if (n.what != tag<structure::turn_value> || loop_of(n.bits) != b.loop) continue;
            const int k = index_of_turn(n.bits);
            const turn_role role = role_of(n.bits);
            const int index = role == turn_role::turn ? 0 : (role == turn_role::carried ? to.carried : to.sequences).at[k];
            out.put(id, structure::turn_value::of(g, a.loop, role, index, n.type, n.shape));
        }
    }

    constexpr void merge(int first, int second, const liveness& live, vec<int>& roots) {
        const listed_loop a(g, first), b(g, second);
        const loop_mask inside = bit_of_loop(b.loop);
        places to;
        int sequences = a.sequences;
        for (int j = 0; j < b.sequences; ++j) {
            int same = 0;
            while (same < a.sequences && a.sequence(same) != b.sequence(j)) ++same;
            to.sequences.push(same < a.sequences ? same : sequences++);
        }
        // What begins as the same is taken for the same until it is carried on in another way.
        vec<int> partner(b.carried, -1);
        vec<char> taken(a.carried, 0);
        for (int k = 0; k < b.carried; ++k)
            for (int i = 0; i < a.carried && partner.at[k] < 0; ++i)
                if (const int l = (k + i) % a.carried; taken.at[l] == 0 && a.first(l) == b.first(k)) {
                    partner.at[k] = l;
                    taken.at[l] = 1;
                }
        substitution moved(g);
        for (bool more = true; more;) {
            more = false;
            int carried = a.carried;
            to.carried.clear();
            for (int k = 0; k < b.carried; ++k) to.carried.push(partner.at[k] >= 0 ? partner.at[k] : carried++);
            move_into(a, b, to, moved);
            for (int k = 0; k < b.carried; ++k)
                if (partner.at[k] >= 0 && moved.take(b.next(k), masks_, inside) != a.next(partner.at[k])) {
                    partner.at[k] = -1;
                    more = true;
                }
        }
        vec<int> arguments;
        for (int i = 0; i < 2 * a.carried; ++i) arguments.push(a.arguments.at[i]);
        for (int k = 0; k < b.carried; ++k) {
            if (partner.at[k] >= 0) continue;
            arguments.push(b.first(k));
            arguments.push(moved.take(b.next(k), masks_, inside));
        }
        const int carried = arguments.size() / 2;
        for (int j = 0; j < a.sequences; ++j) arguments.push(a.sequence(j));
        for (int j = 0; j < b.sequences; ++j)
            if (to.sequences.at[j] >= a.sequences) arguments.push(b.sequence(j));
        for (int i = a.behind(); i < a.arguments.size(); ++i) arguments.push(a.arguments.at[i]);
        for (int i = b.behind(); i < b.arguments.size(); ++i) arguments.push(moved.take(b.arguments.at[i], masks_, inside));
        g.loops.at[a.loop].carried = carried;
        g.loops.at[a.loop].sequences = sequences;
        g.deriving = g.nodes.at[first].derived && g.nodes.at[second].derived;
        const int both = structure::repeat::of(g, a.loop, arguments);
        // Neither loop needs a result of the other: all that both need is there, and what needs their results is made anew.
        vec<int> map;
        rebuild_live(g, roots, live, map, [&](int id) {
            const node n = g.nodes.at[id];
            if (n.what == tag<structure::repeat> && (loop_of_node(id) == a.loop || loop_of_node(id) == b.loop)) return both;
            if (n.what != tag<structure::turn_part>) return -1;
            const int loop = loop_of_node(n.in[0]);
            if (loop != a.loop && loop != b.loop) return -1;
            node part = n;
            part.in[0] = both;
            part.name = -1;
            const loop_result role = part_role(n.bits);
            if (loop == b.loop && role == loop_result::stack) part.in[1] = moved.take(n.in[1], masks_, inside);
            else if (loop == b.loop && role != loop_result::turns) part.bits = part_bits(role, to.carried.at[part_index(n.bits)]);
            return g.intern(part);
        });
    }
};

}  // namespace croton::inline v0_1::detail

#endif
