// SPDX-License-Identifier: MIT
// What every pass shares: which nodes are live, who uses them, and rebuilding the graph from its roots.
#ifndef CROTON_REWRITE_PASS_HPP
#define CROTON_REWRITE_PASS_HPP

#include <croton/graph/structures.hpp>

namespace croton::inline v0_1::detail {

/// The node that stands for `id` after the rewrites done so far.
constexpr int current(const arena& g, int id) {
    return !g.as_written && id < g.rewritten.size() && g.rewritten.at[id] >= 0 ? g.rewritten.at[id] : id;
}

/// Counts the uses of every node that the roots need. A node that was rewritten passes its uses on.
struct liveness {
    vec<int> uses;      // how many live nodes (and roots) take the node as an argument; 0 is dead
    vec<int> consumer;  // the last of them, or -1 for a root

    constexpr liveness(const arena& g, const vec<int>& roots) : uses(g.nodes.size(), 0), consumer(g.nodes.size(), -1) {
        for (int i = 0; i < roots.size(); ++i) use(current(g, roots[i]), -1);
        while (!open_.empty()) {
            const int id = open_.back();
            open_.pop();
            for (int i = 0; i < max_arguments; ++i)
                if (g[id].in[static_cast<unsigned>(i)] >= 0) use(current(g, g[id].in[static_cast<unsigned>(i)]), id);
        }
    }

private:
    constexpr void use(int id, int by) {
        if (uses.at[id]++ == 0) open_.push(id);
        consumer.at[id] = by;
    }

    vec<int> open_;
};

/// The node `n` with its arguments taken from `map`, through the arena's own constructors.
constexpr node with_arguments(const arena& g, int id, const vec<int>& map) {
    node n = g[id];
    for (int i = 0; i < max_arguments; ++i) {
        int& a = n.in[static_cast<unsigned>(i)];
        if (a >= 0) a = map[current(g, a)];
    }
    return n;
}

/// Rebuilds a node as it is, on rewritten arguments. What becomes of a derivative's node is the derivative's.
constexpr int rebuild(arena& g, const node& n) {
    g.deriving = n.derived;
    return g.structure_of(n).again(g, n);
}

/// Makes a rewritten node stand where `old` stood: a result that lost axes is repeated to the old shape.
constexpr int keep_shape(arena& g, int made, int old) {
    return g.same_shape(g[made].shape, g[old].shape) ? made : structure::broadcast::of(g, made, g[old].shape);
}

}  // namespace croton::inline v0_1::detail

#endif
