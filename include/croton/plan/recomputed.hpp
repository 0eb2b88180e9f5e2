// SPDX-License-Identifier: MIT
// What loops behind a product or a routine compute again from what lies in memory anyway, so that it need not lie there itself.
#ifndef CROTON_PLAN_RECOMPUTED_HPP
#define CROTON_PLAN_RECOMPUTED_HPP

#include <croton/plan/plan.hpp>

namespace croton::inline v0_1::detail {

/// A sum, a difference or a product of one array with what repeats along it, as a row less its mean is: where loops behind a call read it and the array lies in memory until then
/// anyway, they compute it from there. The same bytes are read, and none are stored.
class recomputed_values {
public:
    template <class Program> constexpr recomputed_values(const Program& p, bool fuses) {
        if (fuses) find(p);
    }

    /// Whether there are any.
    constexpr bool any() const { return any_; }

    /// What `reader` reads as its argument `id`: the node that `map` has for it, or another one, made now in the graph `g`.
    template <class Graph, class Program> constexpr int argument(Graph& g, const Program& p, int reader, int id, const vec<int>& map) {
        return any_ && again_.at[id] != 0 && depth_.at[id] < depth_.at[reader] && p.nodes.entry[reader].place == placement::loop ? value_for(g, p, depth_.at[reader], id, map) : map.at[id];
    }

private:
    vec<int> depth_;            // by node: how many calls it waits for, one behind the other
    vec<char> again_;           // by node: whether loops that are further behind compute it again
    bool any_ = false;
    vec<int> made_, made_for_;  // by node: the last one that was made for them, and how far behind that is

    template <class Program> constexpr void find(const Program& p) {
        const int count = p.nodes.count;
        const auto at = [&](int id) -> const node& { return p.nodes.entry[id]; };
        depth_.assign(count, 0);
        vec<char> kept(count, 0), later(count, 0);  // read by what is no loop, or shown by an alias; read by a loop behind a call
        for (int i = 0; i < p.outputs.size(); ++i) kept[p.outputs[i]] = 1;
        for (int i = 0; i < p.updates.size(); ++i) kept[p.updates[i].value] = 1;
        for (int id = 0; id < count; ++id) {
            const node& n = at(id);
            const bool loop = n.place == placement::loop && n.what != tag<structure::gather>;
            int& depth = depth_[id];
            const auto take = [&](int a) {
                if (depth_[a] > depth) depth = depth_[a];
                if (!loop) kept[a] = 1;
            };
            if (n.place == placement::repeat) {
                const loop_entry& l = p.loops[static_cast<int>(n.bits)];
                for (int i = 0; i < l.arguments(); ++i) take(p.loop_nodes[l.from + i]);
            } else {
                for (int k = 0; k < max_arguments; ++k)
                    if (n.in[k] >= 0) take(n.in[k]);
            }
            if (n.place == placement::call || n.place == placement::repeat) ++depth;
            for (int k = 0; loop && k < max_arguments; ++k)
                if (n.in[k] >= 0 && depth_[n.in[k]] < depth) later[n.in[k]] = 1;
        }
        again_.assign(count, 0);
        for (int id = 0; id < count; ++id) {
            const node& n = at(id);
            if (later[id] == 0 || kept[id] != 0 || n.name >= 0 || n.what != tag<structure::apply> || !is_floating(n.type)) continue;
            if (n.fn != code<op::add> && n.fn != code<op::subtract> && n.fn != code<op::multiply>) continue;
            const int whole = whole_argument(p, n);
            if (whole < 0) continue;
            const node& x = at(whole);
            if (x.place == placement::loop && x.type == n.type && (again_[whole] != 0 || kept[whole] != 0 || later[whole] != 0)) {
                again_[id] = 1;
                any_ = true;
            }
        }
    }

    template <class Graph, class Program> constexpr int value_for(Graph& g, const Program& p, int depth, int id, const vec<int>& map) {
        if (made_.empty()) {
            made_.assign(again_.size(), -1);
            made_for_.assign(again_.size(), -1);
        }
        if (made_.at[id] >= 0 && made_for_.at[id] == depth) return made_.at[id];
        node n = p.nodes.entry[id];
        for (int k = 0; k < max_arguments; ++k)
            if (const int a = n.in[k]; a >= 0) n.in[k] = again_.at[a] != 0 ? value_for(g, p, depth, a, map) : map.at[a];
        made_for_.at[id] = depth;
        const int made = made_.at[id] = g.push_node(n);
        g.again.resize(g.nodes.size(), 0);
        g.again.at[made] = 1;
        return made;
    }

    /// The axes along which a node has more than one element, of what it shows where it is an alias.
    template <class Program> static constexpr int axes_of_elements(const Program& p, int id) {
        while (p.nodes.entry[id].place == placement::alias) id = p.nodes.entry[id].in[0];
        const shape& s = p.nodes.entry[id].shape;
        int axes = 0;
        for (int i = 0; i < s.rank; ++i) axes += s.extent[i] != 1 ? 1 : 0;
        return axes;
    }
    /// The one argument that has the shape of the node, where all others repeat along it and come from loops or are numbers; else -1.
    template <class Program> static constexpr int whole_argument(const Program& p, const node& n) {
        int axes = 0, whole = -1;
        for (int i = 0; i < n.shape.rank; ++i) axes += n.shape.extent[i] != 1 ? 1 : 0;
        for (int k = 0; k < max_arguments; ++k) {
            int a = n.in[k];
            if (a < 0) continue;
            if (axes_of_elements(p, a) == axes) {
                if (whole >= 0 || p.nodes.entry[a].shape.rank != n.shape.rank) return -1;
                whole = a;
                continue;
            }
            while (p.nodes.entry[a].place == placement::alias) a = p.nodes.entry[a].in[0];
            const node& small = p.nodes.entry[a];
            if (small.place != placement::loop && small.what != tag<structure::literal> && small.what != tag<structure::size>) return -1;
        }
        return whole;
    }
};

}  // namespace croton::inline v0_1::detail

#endif
