// SPDX-License-Identifier: MIT
// Which turns of which loops a node depends on: what belongs to the region of a loop, and what lies outside of it.
#ifndef CROTON_GRAPH_REGION_HPP
#define CROTON_GRAPH_REGION_HPP

#include <cstdint>
#include <string_view>

#include <croton/graph/arena.hpp>

namespace croton::inline v0_1::detail {

/// A mask of loops, by number.
using loop_mask = std::uint64_t;
inline constexpr int most_loops = 64;

/// What a value of a turn is: bits of a node of `turn_value`.
enum class turn_role : std::uint8_t { carried, element, turn };

constexpr std::int64_t turn_bits(int loop, turn_role role, int index) { return loop | static_cast<int>(role) << 8 | index << 12; }
constexpr int loop_of(std::int64_t bits) { return static_cast<int>(bits & 255); }
constexpr turn_role role_of(std::int64_t bits) { return static_cast<turn_role>(bits >> 8 & 15); }
constexpr int index_of_turn(std::int64_t bits) { return static_cast<int>(bits >> 12); }

/// What a part of a loop is: bits of a node of `turn_part`.
enum class loop_result : std::uint8_t {
    last,        // a carried value after the last turn
    trajectory,  // a carried value before the first turn and after each
    stack,       // a value of each turn
    turns,       // how many there were
};
constexpr std::int64_t part_bits(loop_result what, int index) { return static_cast<int>(what) | index << 4; }
constexpr loop_result part_role(std::int64_t bits) { return static_cast<loop_result>(bits & 15); }
constexpr int part_index(std::int64_t bits) { return static_cast<int>(static_cast<std::uint32_t>(bits) >> 4); }
/// In a program: the loop.
constexpr int part_loop(std::int64_t bits) { return static_cast<int>(bits >> 32); }

/// The sequence that a node is an element of in some turn, or the node.
constexpr int whole_of(const arena& g, int id) {
    for (int i = g.walked.size() - 1; i >= 0; --i)
        if (g.walked.at[i].element == id) id = g.walked.at[i].sequence;
    return id;
}

inline constexpr int bundled = max_arguments - 1;

/// The arguments of a loop, in order: the first and the next value of each carried one, the sequences, then the values that are stacked.
constexpr void list_bundled(const arena& g, int repeat, vec<int>& out) {
    for (int b = g.nodes.at[repeat].in[0]; b >= 0; b = g.nodes.at[b].in[bundled])
        for (int i = 0; i < bundled && g.nodes.at[b].in[i] >= 0; ++i) out.push(g.nodes.at[b].in[i]);
}

constexpr loop_mask bit_of_loop(int loop) { return loop_mask{1} << loop; }

/// The loops on whose turns each node depends, of the nodes from `masks.size()` on.
constexpr void find_regions(const arena& g, vec<loop_mask>& masks) {
    const int known = masks.size(), count = g.nodes.size();
    masks.resize(count, 0);
    // Whatever looks at loops asks this first, so that the way of most nodes is short.
    const node* const nodes = g.nodes.at;
    loop_mask* const of = masks.at;
    for (int id = known; id < count; ++id) {
        const node& n = nodes[id];
        const bool loop = n.place == placement::loop;
        loop_mask mask = 0;
        for (int i = 0; i < max_arguments; ++i) {
            const int a = n.in[i];
            if (a >= 0) mask |= of[a];
            else if (loop) break;
        }
        if (!loop) {
            if (n.what == tag<structure::turn_value>) mask = bit_of_loop(loop_of(n.bits));
            if (n.what == tag<structure::repeat>) mask &= ~bit_of_loop(static_cast<int>(n.bits));
            if (n.what == tag<structure::turn_part>) mask &= ~bit_of_loop(static_cast<int>(nodes[n.in[0]].bits));
        }
        of[id] = mask;
    }
}

/// The number of a new loop.
constexpr int add_loop(arena& g, const loop_facts& facts, std::string_view who = "scan") {
    if (g.loops.size() == most_loops) {
        if (!g.failed()) g.error << who << ": a function has at most " << most_loops << " loops, those of its derivatives among them";
        return 0;
    }
    g.loops.push(facts);
    return g.loops.size() - 1;
}

/// With the loops of a mask, those that stand in their turns.
constexpr loop_mask with_inner_loops(const arena& g, const vec<loop_mask>& masks, loop_mask touched) {
    for (int id = masks.size() - 1; id >= 0; --id)
        if (const node& n = g.nodes.at[id]; n.what == tag<structure::repeat> && (masks.at[id] & touched) != 0) touched |= bit_of_loop(static_cast<int>(n.bits));
    return touched;
}

/// Puts other nodes in the place of some and makes what depends on them anew. Arguments have lower numbers than their users.
class substitution {
public:
    arena& g;
    vec<int> of;  // by node: what stands for it, or -1 where that is not known yet

    constexpr explicit substitution(arena& graph) : g(graph), of(graph.nodes.size(), -1) {}

    constexpr void put(int old, int made) {
        of.resize(g.nodes.size(), -1);
        of.at[old] = made;
    }
    /// Where loop `loop` is made anew, it has a number of its own, which this gives.
    constexpr int copy_loop(int loop) {
        copy_.resize(most_loops, -1);
        if (copy_.at[loop] < 0) {
            const loop_facts facts = g.loops.at[loop];
            copy_.at[loop] = add_loop(g, facts);
        }
        return copy_.at[loop];
    }
    /// What stands for `root`, where nodes whose mask has none of `touched` stand for themselves.
    constexpr int take(int root, const vec<loop_mask>& masks, loop_mask touched) {
        of.resize(g.nodes.size(), -1);
        const bool deriving = g.deriving;
        vec<int> open;
        open.push(root);
        while (!open.empty()) {
            const int id = open.back(), waiting = open.size();
            if (of.at[id] < 0 && (masks.at[id] & touched) == 0) of.at[id] = id;
            node n = g.nodes.at[id];
            if (of.at[id] < 0)
                for (int& a : n.in) {
                    if (a < 0) continue;
                    if (of.at[a] < 0) open.push(a);
                    else a = of.at[a];
                }
            if (open.size() > waiting) continue;
            open.pop();
            if (of.at[id] >= 0) continue;
            if (!copy_.empty()) renumber(n);
            g.deriving = n.derived;
            of.at[id] = g.structure_of(n).again(g, n);
            if (n.name >= 0 && g.nodes.at[of.at[id]].name < 0) g.nodes.at[of.at[id]].name = n.name;
        }
        g.deriving = deriving;
        return of.at[root];
    }

private:
    vec<int> copy_;  // by loop: its number where it is made anew, or -1

    constexpr void renumber(node& n) const {
        if (n.what == tag<structure::repeat>) {
            if (const int copy = copy_.at[static_cast<int>(n.bits)]; copy >= 0) n.bits = copy;
        } else if (n.what == tag<structure::turn_value>) {
            if (const int copy = copy_.at[loop_of(n.bits)]; copy >= 0) n.bits = turn_bits(copy, role_of(n.bits), index_of_turn(n.bits));
        }
    }
};

}  // namespace croton::inline v0_1::detail

#endif
