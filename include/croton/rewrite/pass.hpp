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
    vec<int> consumer;  // where they are asked for, of a live node: the last of them, or -1 for a root

    constexpr liveness(const arena& g, const vec<int>& roots, bool with_consumers = false) : uses(g.nodes.size(), 0) {
        vec<int> open;  // each node is in it once
        open.resize_unset(g.nodes.size());
        consumer.resize_unset(with_consumers ? g.nodes.size() : 0);
        int waiting = 0;
        // Every pass counts uses first, so this loop calls nothing.
        const node* const nodes = g.nodes.at;
        const int* const rewritten = g.rewritten.at;
        const int known = g.as_written ? 0 : g.rewritten.size();
        for (int i = 0; i < roots.size(); ++i) {
            const int id = current(g, roots.at[i]);
            if (uses.at[id]++ == 0) open.at[waiting++] = id;
            if (with_consumers) consumer.at[id] = -1;
        }
        while (waiting > 0) {
            const int id = open.at[--waiting];
            const node& n = nodes[id];
            const bool loop = n.place == placement::loop;
            for (int i = 0; i < max_arguments; ++i) {
                int a = n.in[i];
                if (a < 0) {
                    if (loop) break;
                    continue;
                }
                if (a < known && rewritten[a] >= 0) a = rewritten[a];
                if (uses.at[a]++ == 0) open.at[waiting++] = a;
                if (with_consumers) consumer.at[a] = id;
            }
        }
    }
};

/// Node `id` with its arguments taken from `map`.
constexpr node with_arguments(const arena& g, int id, const vec<int>& map) {
    node n = g.nodes.at[id];
    const int known = g.as_written ? 0 : g.rewritten.size();
    const bool loop = n.place == placement::loop;
    for (int i = 0; i < max_arguments; ++i) {
        const int a = n.in[i];
        if (a >= 0) n.in[i] = map.at[a < known && g.rewritten.at[a] >= 0 ? g.rewritten.at[a] : a];
        else if (loop) break;
    }
    return n;
}

/// Rebuilds a node as it is, on rewritten arguments. What becomes of a derivative's node is the derivative's.
constexpr int rebuild(arena& g, const node& n) {
    g.deriving = n.derived;
    return g.structures.at[n.what]->again(g, n);
}

/// The arguments of operator node `id` in `map`.
struct operands {
    int in[3]{-1, -1, -1};

    constexpr operands(const arena& g, int id, const vec<int>& map) {
        const node& n = g.nodes.at[id];
        const int known = g.as_written ? 0 : g.rewritten.size();
        for (int i = 0; i < 3; ++i) {
            const int a = n.in[i];
            if (a < 0) break;
            in[i] = map.at[a < known && g.rewritten.at[a] >= 0 ? g.rewritten.at[a] : a];
        }
    }
};

/// Rebuilds node `id` on its arguments in `map`, which have the shapes of its own. What is lasting is not looked up again where they are
/// what they were: it would be found.
constexpr int rebuild(arena& g, int id, const vec<int>& map) {
    const node& old = g.nodes.at[id];
    if (old.what == tag<structure::input>) return id;
    g.deriving = old.derived;
    if (old.what == tag<structure::apply> && g.rewritten.empty()) {
        const int a = old.in[0], b = old.in[1], c = old.in[2];
        const int x = map.at[a], y = b < 0 ? -1 : map.at[b], z = c < 0 ? -1 : map.at[c];
        return x == a && y == b && z == c && !g.edited ? id : g.apply_again(id, x, y, z);
    }
    bool same = !g.edited && g.structures.at[old.what]->is_lasting;
    const int known = g.as_written ? 0 : g.rewritten.size();
    for (int i = 0; same && i < max_arguments; ++i) {
        const int a = old.in[i];
        if (a >= 0) same = map.at[a < known && g.rewritten.at[a] >= 0 ? g.rewritten.at[a] : a] == a;
    }
    return same ? id : rebuild(g, with_arguments(g, id, map));
}

/// Builds what the roots need anew, into `map`: what `made(id)` says stands for a node, or where that is -1 the node on its arguments in `map`.
template <class Made> constexpr void rebuild_live(arena& g, vec<int>& roots, const liveness& live, vec<int>& map, Made&& made) {
    const int count = live.uses.size();
    map.resize_unset(count);
    for (int id = 0; id < count; ++id) {
        if (live.uses.at[id] == 0) continue;
        g.deriving = g.nodes.at[id].derived;
        const int by_rule = made(id), name = g.nodes.at[id].name;
        map.at[id] = by_rule >= 0 ? by_rule : rebuild(g, id, map);
        if (name >= 0 && g.nodes.at[map.at[id]].name < 0) g.nodes[map.at[id]].name = name;
    }
    g.deriving = false;
    for (int i = 0; i < roots.size(); ++i) roots.at[i] = map.at[roots.at[i]];
}

/// What several others read of a graph that is rebuilt.
class shared_nodes {
public:
    constexpr bool operator()(int id) const { return id < marks_.size() && marks_.at[id] != 0; }

    /// Marks what stands for the arguments of node `id`, before anything that reads them is built.
    constexpr void mark_arguments(const arena& g, const liveness& live, const vec<int>& map, int id) {
        for (const int a : g.nodes.at[id].in) {
            if (a < 0 || live.uses.at[a] < 2) continue;
            marks_.resize(map.at[a] < marks_.size() ? marks_.size() : map.at[a] + 1, 0);
            marks_.at[map.at[a]] = 1;
        }
    }

private:
    vec<char> marks_;
};

/// Whether a node is nothing but zeros.
constexpr bool is_zeros(const arena& g, int id) { return g.is_literal(g.nodes.at[id].what == tag<structure::broadcast> ? g.nodes.at[id].in[0] : id, 0); }

/// Makes a rewritten node stand where `old` stood: a result that lost axes is repeated to the old shape.
constexpr int keep_shape(arena& g, int made, int old) {
    return made == old || g.same_shape(g.nodes.at[made].shape, g.nodes.at[old].shape) ? made : structure::broadcast::of(g, made, g.nodes.at[old].shape);
}

}  // namespace croton::inline v0_1::detail

#endif
