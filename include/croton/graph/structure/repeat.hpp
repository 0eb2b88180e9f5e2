// SPDX-License-Identifier: MIT
// Loops: the values of a turn, the loop, and its results.
#ifndef CROTON_GRAPH_STRUCTURE_REPEAT_HPP
#define CROTON_GRAPH_STRUCTURE_REPEAT_HPP

#include <croton/core/literals.hpp>
#include <croton/graph/cotangents.hpp>
#include <croton/graph/region.hpp>
#include <croton/graph/structure/product.hpp>
#include <croton/graph/structure/slice.hpp>

namespace croton::inline v0_1::detail::structure {

/// What a turn is given: a value that is carried from the one before, an element of a sequence, or its number.
struct turn_value {  // bits: the loop, the role and the index, see graph/region.hpp
    static constexpr std::string_view name = "a value of a loop"sv;
    static constexpr placement place = placement::given;

    static constexpr int of(arena& g, int loop, turn_role role, int index, element type, const detail::shape& s) {
        node n;
        n.what = tag<turn_value>;
        n.type = type;
        n.bits = turn_bits(loop, role, index);
        n.shape = s;
        return g.intern(n);
    }
    static constexpr int again(arena& g, const node& n) { return g.intern(n); }
    static constexpr void describe(const arena&, text_builder& out, const node& n) {
        const turn_role role = role_of(n.bits);
        if (role == turn_role::turn) out << "the number of the turn";
        else out << (role == turn_role::carried ? "carried value " : "an element of sequence ") << index_of_turn(n.bits) + 1 << " of a loop";
    }
};

/// The arguments of a loop, a few, and the bundle of the others.
struct bundle {
    static constexpr std::string_view name = "arguments of a loop"sv;
    static constexpr placement place = placement::given;

    static constexpr int of(arena& g, const vec<int>& items) {
        int rest = -1;
        for (int from = (items.size() - 1) / bundled * bundled; from >= 0 && !items.empty(); from -= bundled) {
            node n;
            n.what = tag<bundle>;
            for (int i = 0; i < bundled && from + i < items.size(); ++i) n.in[i] = items.at[from + i];
            n.in[bundled] = rest;
            rest = g.intern(n);
        }
        return rest;
    }
    static constexpr int again(arena& g, const node& n) { return g.intern(n); }
};

/// A loop. What it depends on and what depends on its turns follows from its arguments: see `list_bundled`.
struct repeat {  // bits: its number. Besides its bundle it may have a number of turns, and what ends it after the turn where it holds
    static constexpr std::string_view name = "scan"sv;
    static constexpr placement place = placement::repeat;

    static constexpr int of(arena& g, int loop, const vec<int>& arguments, int count = -1, int stop = -1) {
        node n;
        n.what = tag<repeat>;
        n.bits = loop;
        set_arguments(n, bundle::of(g, arguments), count, stop);
        return g.intern(n);
    }
    static constexpr int again(arena& g, const node& n) { return g.intern(n); }

    template <class C> static constexpr void pull(C& c, int id);
};

/// One of the results of a loop.
struct turn_part {  // bits: which, see graph/region.hpp; the second argument is what is stacked
    static constexpr std::string_view name = "scan"sv;
    static constexpr placement place = placement::part;

    /// A carried value, which is `like` at every turn, after the last one.
    static constexpr int last(arena& g, int repeat, int index, int like) { return make(g, repeat, loop_result::last, index, -1, like); }
    /// The same before the first turn and after each, in the order of the sequences: the first one last where the loop is reversed.
    static constexpr int trajectory(arena& g, int repeat, int index, int like) { return make(g, repeat, loop_result::trajectory, index, -1, like); }
    /// A carried value before each turn.
    static constexpr int before(arena& g, int repeat, int index, int like) { return cut(g, repeat, index, like, facts(g, repeat).reverse); }
    /// A value of every turn, in the order of the sequences.
    static constexpr int stack(arena& g, int repeat, int value) {
        vec<int> all;
        list_bundled(g, repeat, all);
        // Where fewer turns begin in the middle, what was there first lies among what is behind them.
        const bool begins_at_edge = !facts(g, repeat).retraces || g.nodes.at[repeat].in[1] < 0;
        for (int k = 0; begins_at_edge && k < facts(g, repeat).carried; ++k)
            if (all.at[2 * k + 1] == value) return cut(g, repeat, k, value, !facts(g, repeat).reverse);
        return make(g, repeat, loop_result::stack, 0, value, value);
    }
    static constexpr int again(arena& g, const node& n) { return g.intern(n); }

    /// How many turns a loop had.
    static constexpr int turns(arena& g, int repeat) {
        node n;
        n.what = tag<turn_part>;
        n.type = element::int64;
        n.bits = part_bits(loop_result::turns, 0);
        n.in[0] = repeat;
        return g.intern(n);
    }

    /// The loop collects the cotangents of its results, which stay where they are.
    template <class C> static constexpr void pull(C& c, int id) { c.add(c.g[id].in[0], c.g.literal(element::float32, 0)); }

private:
    static constexpr const loop_facts& facts(const arena& g, int repeat) { return g.loops.at[static_cast<int>(g.nodes.at[repeat].bits)]; }

    static constexpr int make(arena& g, int repeat, loop_result what, int index, int value, int like) {
        if (what != loop_result::last && facts(g, repeat).unbounded && !g.failed())
            g.error << "scan: how many turns there are only a value says, so that there is no memory for values of each; say at most how many, as in times(n, 100)";
        node n;
        n.what = tag<turn_part>;
        n.type = g.nodes.at[like].type;
        n.bits = part_bits(what, index);
        n.in[0] = repeat;
        n.in[1] = value;
        const detail::shape from = g.nodes.at[like].shape;
        n.shape = from;
        if (what != loop_result::last) {
            n.shape.rank = from.rank + 1;
            for (int i = 0; i < from.rank; ++i) n.shape[i + 1] = from[i];
            const size_ref turns = facts(g, repeat).turns;
            n.shape[0] = what == loop_result::trajectory ? g.sum(turns, 1) : turns;
        }
        return g.intern(n);
    }
    static constexpr int cut(arena& g, int repeat, int index, int like, bool behind) {
        return slice::of(g, trajectory(g, repeat, index, like), 0, behind ? 1 : 0, facts(g, repeat).turns, 1);
    }
};

}  // namespace croton::inline v0_1::detail::structure

#endif
