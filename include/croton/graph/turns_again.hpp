// SPDX-License-Identifier: MIT
// What a backward loop has of the turns of the other one: what is stored of them, and what is computed again of that.
#ifndef CROTON_GRAPH_TURNS_AGAIN_HPP
#define CROTON_GRAPH_TURNS_AGAIN_HPP

#include <croton/graph/structure/repeat.hpp>

namespace croton::inline v0_1::detail {

class turns_again {
public:
    constexpr turns_again(arena& graph, vec<loop_mask>& masks, int repeat)
        : g(graph), masks_(masks), repeat_(repeat), loop_(static_cast<int>(graph.nodes.at[repeat].bits)), made_(graph), touched_(bit_of_loop(loop_)) {}

    /// Sees to all that `roots` need. `variable`: by carried value and sequence what the turns of the other loop are given, or -1. `element(v, k)`: what
    /// the turns of loop `back` are given for that, and with -1 for k for another value of the turn, which is stored.
    template <class Element> constexpr void provide(const vec<int>& roots, const vec<int>& variable, int back, Element&& element) {
        find_regions(g, masks_);
        seen_.assign(g.nodes.size(), 0);
        if (g.loops.at[loop_].only_states) follow(roots, back);
        else store(roots, variable, element);
        for (int k = 0; k < variable.size(); ++k)
            if (const int v = variable.at[k]; v >= 0 && seen_.at[v] != 0) made_.put(v, element(v, k));
        for (int id = 0; id < seen_.size(); ++id)
            if (const node n = g.nodes.at[id]; n.what == tag<structure::turn_value> && loop_of(n.bits) == loop_ && role_of(n.bits) == turn_role::turn)
                made_.put(id, structure::turn_value::of(g, back, turn_role::turn, 0, n.type, n.shape));
    }

    /// Whether it is computed where it is read rather than stored.
    static constexpr bool is_cheap(const arena& g, const node& n) {
        if (n.what != tag<structure::apply>) return false;
        const operator_facts& f = g.facts(n.fn);
        return f.is_cheap || n.fn == code<op::square> || f.kind == op::typing::comparison || f.kind == op::typing::logical || f.kind == op::typing::selection ||
               f.kind == op::typing::drawn;
    }

    /// A value in the backward loop's turns.
    constexpr int moved(int id) { return made_.take(id, masks_, touched_); }

private:
    arena& g;
    vec<loop_mask>& masks_;
    int repeat_, loop_;
    substitution made_;
    loop_mask touched_;  // the loops whose turns are made anew
    vec<char> seen_;     // by node: read in the backward loop

    constexpr bool has(int id) const { return (masks_.at[id] & bit_of_loop(loop_)) != 0; }

    /// All that is read is computed again. A loop in the turn is another one there.
    constexpr void follow(const vec<int>& roots, int back) {
        vec<int> open;
        const auto visit = [&](int id) {
            if (id < 0 || seen_.at[id] != 0 || (masks_.at[id] & touched_) == 0) return;
            seen_.at[id] = 1;
            open.push(id);
        };
        for (const int r : roots) visit(r);
        while (!open.empty()) {
            const node n = g.nodes.at[open.back()];
            open.pop();
            // Of the loops in the turn those with higher numbers are derivatives, which are made there first.
            if (n.what == tag<structure::turn_part>)
                if (const int inner = static_cast<int>(g.nodes.at[n.in[0]].bits); inner < back) {
                    touched_ |= bit_of_loop(inner);
                    (void)made_.copy_loop(inner);
                }
            for (const int a : n.in) visit(a);
        }
    }

    /// What only sees its argument, or computes it again for little.
    static constexpr bool follows_argument(const node& n) {
        return n.place == placement::alias || n.place == placement::layout || n.place == placement::window || n.what == tag<structure::cast>;
    }
    constexpr bool is_cheap(const node& n) const { return is_cheap(g, n); }

    /// Whether it depends on the turns of the other loop, and else only of loops around it: neither of the backward loop nor of one inside.
    constexpr bool is_forward(int id) const { return (masks_.at[id] & ~(bit_of_loop(loop_) | masks_.at[repeat_])) == 0; }

    /// What is read is stored, but for what costs little.
    template <class Element> constexpr void store(const vec<int>& roots, const vec<int>& variable, Element&& element) {
        const int count = g.nodes.size();
        vec<char> needed(count, 0);
        vec<int> open;
        const auto visit = [&](int id) {
            if (seen_.at[id] != 0 || !has(id)) return;
            seen_.at[id] = 1;
            open.push(id);
        };
        for (const int r : roots) visit(r);
        while (!open.empty()) {
            const int id = open.back();
            open.pop();
            const node& n = g.nodes.at[id];
            // What has part in the turns of the backward loop is made anew there.
            if (!is_forward(id) || follows_argument(n) || n.what == tag<structure::bundle>) {
                for (const int a : n.in)
                    if (a >= 0) visit(a);
            } else {
                needed.at[id] = 1;
            }
        }
        vec<char> known(count, 0);  // lies in a sequence
        for (int id = 0; id < count; ++id) {
            if (needed.at[id] == 0) continue;
            const node& n = g.nodes.at[id];
            if (n.what == tag<structure::turn_value> || is_cheap(n)) continue;
            known.at[id] = 1;
        }
        // Where a carried value is stored before each turn, it is so after each; and what the program or another derivative has of each turn is there.
        vec<int> arguments;
        list_bundled(g, repeat_, arguments);
        vec<char> stored(g.loops.at[loop_].carried, 0);
        for (int k = 0; k < stored.size(); ++k) stored.at[k] = variable.at[k] >= 0 && seen_.at[variable.at[k]] != 0;
        for (int id = repeat_ + 1; id < count; ++id)
            if (const node& n = g.nodes.at[id]; n.what == tag<structure::turn_part> && n.in[0] == repeat_ && part_role(n.bits) == loop_result::trajectory)
                stored.at[part_index(n.bits)] = 1;
        for (int k = 0; k < stored.size(); ++k)
            if (const int next = arguments.at[2 * k + 1]; stored.at[k] != 0 && has(next)) known.at[next] = 1;
        vec<char> again(count, 0);  // is computed of what is known
        for (int id = 0; id < count; ++id) {
            if (!has(id) || !is_forward(id)) continue;
            const node& n = g.nodes.at[id];
            if (n.what == tag<structure::turn_value> && loop_of(n.bits) == loop_) again.at[id] = 1;
            if (known.at[id] != 0 || !(is_cheap(n) || follows_argument(n))) continue;
            bool all = true;
            for (const int a : n.in)
                if (a >= 0 && has(a) && known.at[a] == 0 && again.at[a] == 0) all = false;
            again.at[id] = all ? 1 : 0;
        }
        // What is computed again reads its arguments there.
        for (int id = count - 1; id >= 0; --id)
            if (seen_.at[id] != 0 && again.at[id] != 0)
                for (const int a : g.nodes.at[id].in)
                    if (a >= 0) seen_.at[a] = 1;
        for (int id = 0; id < count; ++id)
            if ((needed.at[id] != 0 || (known.at[id] != 0 && seen_.at[id] != 0)) && g.nodes.at[id].what != tag<structure::turn_value> && again.at[id] == 0)
                made_.put(id, element(id, -1));
    }
};

}  // namespace croton::inline v0_1::detail

#endif
