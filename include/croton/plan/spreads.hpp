// SPDX-License-Identifier: MIT
// Sums of squares of what differs from a mean, over whatever axes: all that is computed for one of them shares a loop, so that it takes one pass over memory.
#ifndef CROTON_PLAN_SPREADS_HPP
#define CROTON_PLAN_SPREADS_HPP

#include <croton/plan/plan.hpp>

namespace croton::inline v0_1::detail {

/// The nodes behind sum(sqr(x - c sum(x))) where both sums are over the same axes; `squares` is -1 where there are none.
struct spread_nodes {
    int x = -1, sum = -1, mean = -1, away = -1, squares = -1;
    int factor = -1;  // c, or what the sum is divided by
};

constexpr bool one_number(const shape& s) {
    for (int i = 0; i < s.rank; ++i)
        if (s.extent[i] != 1) return false;
    return true;
}
constexpr bool same_shape(const shape& a, const shape& b) {
    if (a.rank != b.rank) return false;
    for (int i = 0; i < a.rank; ++i)
        if (a.extent[i] != b.extent[i]) return false;
    return true;
}

/// What `n` is the last node of; not where the axes are the last ones of several: those are rows, which share a loop with whatever reads them.
constexpr spread_nodes spread_behind(const vec<node>& nodes, const vec<int>& base_of, const node& n) {
    constexpr auto sum = reduction_code<reduction::sum>;
    const auto is = [&](int id, std::uint8_t fn) { return nodes.at[id].what == tag<structure::apply> && nodes.at[id].fn == fn; };
    if (n.what != tag<structure::reduce> || n.fn != sum || (n.type != element::float32 && n.type != element::float64)) return {};
    spread_nodes f;
    const int squares = n.in[0];
    if (!is(squares, code<op::square>)) return {};
    f.away = nodes.at[squares].in[0];
    if (!is(f.away, code<op::subtract>)) return {};
    f.x = nodes.at[f.away].in[0];
    const int seen = nodes.at[f.away].in[1];
    f.mean = base_of.at[seen];
    if (f.mean != seen && !one_number(nodes.at[seen].shape)) return {};
    if (!is(f.mean, code<op::multiply>) && !is(f.mean, code<op::divide>)) return {};
    f.sum = base_of.at[nodes.at[f.mean].in[0]];
    f.factor = nodes.at[f.mean].in[1];
    if (nodes.at[f.sum].what != tag<structure::reduce> && is(f.mean, code<op::multiply>)) {
        f.sum = base_of.at[f.factor];
        f.factor = nodes.at[f.mean].in[0];
    }
    const node& s = nodes.at[f.sum];
    if (s.what != tag<structure::reduce> || s.fn != sum || s.type != n.type || s.in[0] != f.x || s.bits != n.bits || !same_shape(nodes.at[f.x].shape, nodes.at[f.away].shape))
        return {};
    bool kept = false, between = false;  // an axis that is not summed; one that is stands before it
    bool summed = false;
    for (int i = 0; i < nodes.at[f.x].shape.rank; ++i) {
        if (nodes.at[f.x].shape.extent[i] == 1) continue;
        if (((n.bits >> i) & 1) != 0) {
            summed = true;
        } else {
            kept = true;
            between = between || summed;
        }
    }
    if (!summed || (kept && !between)) return {};
    f.squares = squares;
    return f;
}

/// By node, for which of them it is computed: the sums and what is between them, what makes their numbers of arrays of the same shape and is read
/// by nothing else, and what is computed of the sums alone.
class spread_marks {
public:
    /// The sum of squares that node `id` is computed for, or -1.
    constexpr int of(int id) const { return of_.empty() ? -1 : of_.at[id]; }

    template <class Graph> constexpr void find(const Graph& g) {
        const int count = g.nodes.size();
        for (int id = 0; id < count; ++id) {
            if (!g.reduces(id) || g.is_inline.at[id]) continue;
            const spread_nodes f = spread_behind(g.nodes, g.base_of, g.nodes.at[id]);
            if (f.squares < 0 || !g.is_inline.at[f.factor]) continue;
            if (of_.empty()) {
                of_.assign(count, -1);
                per_result_.assign(count, 0);
            }
            if (of_.at[f.sum] >= 0) continue;
            for (const int m : {f.sum, f.mean, f.away, f.squares, id}) of_.at[m] = id;
            for (const int m : {f.sum, f.mean, id}) per_result_.at[m] = 1;
        }
        if (of_.empty()) return;
        mark_producers(g);
        for (int id = 0; id < count; ++id) mark_reader(g, id);
    }

private:
    static constexpr int most_producers = 48;  // of all: a loop takes so many nodes and no more

    vec<int> of_;
    vec<char> per_result_;  // there is one for each result

    template <class Graph> static constexpr bool is_elementwise(const Graph& g, int id) {
        const node& n = g.nodes.at[id];
        return of_loop(n) && !g.is_inline.at[id];
    }
    static constexpr bool of_loop(const node& n) { return n.what == tag<structure::apply> || n.what == tag<structure::cast>; }

    template <class Graph> constexpr void mark_producers(const Graph& g) {
        constexpr int nobody = -1, several = -2;
        vec<int> reader(g.nodes.size(), nobody);  // the mark of all that read the node
        for (int r = 0; r < g.root_count(); ++r) reader.at[g.root_node(r)] = several;
        int left = most_producers;
        for (int id = g.nodes.size() - 1; id >= 0; --id) {
            if (g.root_of(id) >= 0) reader.at[id] = several;
            int& mine = of_.at[id];
            if (reader.at[id] == nobody && mine < 0) continue;
            if (mine < 0 && reader.at[id] >= 0 && left > 0 && is_elementwise(g, id) && produces(g, id, g.nodes.at[g.nodes.at[reader.at[id]].in[0]].shape)) {
                mine = reader.at[id];
                --left;
            }
            g.each_argument(id, [&](int a) { reader.at[a] = mine >= 0 && (reader.at[a] == nobody || reader.at[a] == mine) ? mine : several; });
        }
    }
    template <class Graph> static constexpr bool produces(const Graph& g, int id, const shape& all) {
        const node& n = g.nodes.at[id];
        bool fits = same_shape(n.shape, all);
        for (int k = 0; k < 3 && n.in[k] >= 0; ++k) fits = fits && (g.is_inline.at[n.in[k]] || same_shape(g.nodes.at[n.in[k]].shape, all));
        return fits;
    }

    template <class Graph> constexpr void mark_reader(const Graph& g, int id) {
        const node& n = g.nodes.at[id];
        if (of_.at[id] >= 0 || !is_elementwise(g, id)) return;
        int read = -1;
        for (int k = 0; k < 3 && n.in[k] >= 0; ++k) {
            const int a = n.in[k], base = g.base_of.at[a];
            if (g.is_inline.at[a]) continue;
            if (per_result_.at[base] == 0 || (read >= 0 && read != of_.at[base]) || !same_shape(g.nodes.at[a].shape, n.shape)) return;
            read = of_.at[base];
        }
        if (read < 0) return;
        of_.at[id] = read;
        per_result_.at[id] = 1;
    }
};

}  // namespace croton::inline v0_1::detail

#endif
