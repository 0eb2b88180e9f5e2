// SPDX-License-Identifier: MIT
// A batch of what a graph computes once: what the rule of a structure makes its arguments of.
#ifndef CROTON_GRAPH_BATCHING_HPP
#define CROTON_GRAPH_BATCHING_HPP

#include <croton/graph/structure/broadcast.hpp>
#include <croton/graph/structure/view.hpp>
#include <croton/kernel/routine.hpp>

namespace croton::inline v0_1::detail {

/// What varies over the batch has an axis for it in front of its own; what does not stays what it is. The arguments of nodes are those of
/// the graph that computes once.
class batching {
public:
    arena& g;
    size_ref count;     // how many there are
    vec<int> of;        // by node: what stands for it, or -1
    vec<char> is_many;  // by node: whether that varies

    constexpr batching(arena& graph, size_ref n) : g(graph), count(n), of(graph.nodes.size(), -1), is_many(graph.nodes.size(), 0) {}

    /// Nodes that were made since have no entries yet.
    constexpr void grow() {
        of.resize(g.nodes.size(), -1);
        is_many.resize(g.nodes.size(), 0);
    }
    /// A node of the graph that computes once is one of `many`.
    constexpr void stands_for(int one, int many) {
        grow();
        of.at[one] = many;
        is_many.at[one] = 1;
    }

    constexpr bool varies(int a) const { return a >= 0 && is_many.at[a] != 0; }
    constexpr int at(int a) const { return a < 0 ? a : of.at[a]; }

    constexpr detail::shape with_axis(const detail::shape& s) const {
        detail::shape out;
        out.rank = s.rank + 1;
        out[0] = count;
        for (int i = 0; i < s.rank; ++i) out[i + 1] = s[i];
        return out;
    }
    /// The argument where `rank` axes are aligned from the last, as NumPy aligns them.
    constexpr int behind(int a, int rank) const {
        if (!varies(a)) return at(a);
        const int own = g.nodes.at[a].shape.rank, added = rank - own;
        std::array<int, max_rank> source{};
        for (int i = 0; i <= rank; ++i) source[static_cast<unsigned>(i)] = i == 0 ? 0 : i <= added ? new_axis : i - added;
        return structure::view::of(g, at(a), rank + 1, source);
    }
    /// The argument for each, also where it is the same for all.
    constexpr int whole(int a) const { return varies(a) ? at(a) : structure::broadcast::of(g, at(a), with_axis(g.nodes.at[a].shape)); }

    /// A node that a routine computes along an axis, all of its arguments in the other axes of the result.
    constexpr int along(node n) const {
        for (int& a : n.in)
            if (a >= 0) a = whole(a);
        n.bits = kernel::along_axis(kernel::axis_of(n.bits) + 1, kernel::attributes_of(n.bits));
        n.shape = with_axis(n.shape);
        return g.structure_of(n).again(g, n);
    }
};

}  // namespace croton::inline v0_1::detail

#endif
