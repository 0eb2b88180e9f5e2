// SPDX-License-Identifier: MIT
// The program of one region: what lies outside of a loop, or what its turns do, whose arguments the loop brings.
#ifndef CROTON_PLAN_REGION_PROGRAM_HPP
#define CROTON_PLAN_REGION_PROGRAM_HPP

#include <croton/plan/program.hpp>

namespace croton::inline v0_1::detail {

/// The element type in which a node of a program lies in memory.
template <class Program> constexpr element memory_type(const Program& p, int id) {
    while (is_seen_anywhere(p.nodes[id]) && p.nodes[id].in[0] >= 0) id = p.nodes[id].in[0];
    return p.nodes[id].what == tag<structure::input> ? p.leaves[static_cast<int>(p.nodes[id].bits)].type : p.nodes[id].type;
}

/// Takes one region out of a program that holds all.
template <class Whole, int Capacity> class region_taker {
public:
    constexpr region_taker(const Whole& whole, int region, program<Capacity>& target) : p(whole), out(target), region_(region), map_(whole.nodes.size(), -1) {}

    constexpr void run() {
        out.sizes.take(p.sizes);
        out.own_operators.take(p.own_operators);
        out.own_structures.take(p.own_structures);
        out.routines.take(p.routines);
        out.letters.take(p.letters);
        out.names.take(p.names);
        out.rewrites = p.rewrites;
        out.traced = p.traced;
        if (region_ < 0) take_leaves();
        else make_leaves(p.loops[region_]);
        const int count = p.nodes.size();
        for (int id = 0; id < count; ++id)
            if (p.region_of[id] == region_ && map_.at[id] < 0 && p.nodes[id].what != tag<structure::turn_value>) take(id);
        if (region_ < 0) {
            for (const int o : p.outputs) out.outputs.push(local(o));
            for (const update_of& u : p.updates) out.updates.push({u.target, local(u.value)});
        } else {
            list_results(p.loops[region_]);
        }
    }

private:
    const Whole& p;
    program<Capacity>& out;
    int region_;
    vec<int> map_;  // by node of the whole: its number here

    constexpr void take_leaves() {
        out.leaves.take(p.leaves);
        out.bounds.take(p.bounds);
        out.demands.take(p.demands);
        for (int i = 0; i < out.leaves.size(); ++i) {
            out.leaves[i].node = out.nodes.count;
            map_.at[p.leaves[i].node] = out.nodes.count;
            out.nodes.push(p.nodes[p.leaves[i].node]);
        }
    }

    constexpr int add_leaf(element type, const shape& s, int name) {
        leaf_input l;
        l.argument = out.leaves.count;
        l.type = type;
        l.shape = s;
        l.node = out.nodes.count;
        node n;
        n.what = tag<structure::input>;
        n.type = arithmetic_of(type);
        n.bits = out.leaves.count;
        n.shape = s;
        n.name = name;
        out.leaves.push(l);
        out.nodes.push(n);
        return l.node;
    }
    /// What a turn is given, in the order of the loop's nodes, then its number.
    constexpr void make_leaves(const loop_entry& l) {
        vec<int> variable(l.carried + l.sequences, -1);
        int turn = -1;
        for (int id = 0; id < p.nodes.size(); ++id) {
            const node& n = p.nodes[id];
            if (n.what != tag<structure::turn_value> || loop_of(n.bits) != region_) continue;
            if (role_of(n.bits) == turn_role::turn) turn = id;
            else variable.at[index_of_turn(n.bits) + (role_of(n.bits) == turn_role::carried ? 0 : l.carried)] = id;
        }
        const auto bind = [&](int k, int leaf) {
            if (variable.at[k] >= 0) map_.at[variable.at[k]] = leaf;
        };
        for (int k = 0; k < l.carried; ++k) {
            const node& first = p.nodes[p.loop_nodes[l.from + 2 * k]];
            bind(k, add_leaf(first.type, first.shape, first.name));
        }
        for (int j = 0; j < l.sequences; ++j) {
            const int all = p.loop_nodes[l.from + 2 * l.carried + j];
            shape one;
            one.rank = p.nodes[all].shape.rank - 1;
            for (int i = 0; i < one.rank; ++i) one[i] = p.nodes[all].shape[i + 1];
            bind(l.carried + j, add_leaf(memory_type(p, all), one, p.nodes[all].name));
        }
        for (int c = 0; c < l.captured; ++c) {
            const int id = p.loop_nodes[l.from + 2 * l.carried + l.sequences + c];
            map_.at[id] = add_leaf(memory_type(p, id), p.nodes[id].shape, p.nodes[id].name);
        }
        if (turn >= 0) map_.at[turn] = add_leaf(element::int64, shape(), p.nodes[turn].name);
    }

    /// What a turn leaves: the next values, then what is stacked, then whether it was the last one.
    constexpr void list_results(const loop_entry& l) {
        for (int k = 0; k < l.carried; ++k) out.outputs.push(local(p.loop_nodes[l.from + 2 * k + 1]));
        for (int i = 0; i < l.parts; ++i)
            if (const node& n = p.nodes[part(l, i)]; part_role(n.bits) == loop_result::stack) out.outputs.push(local(n.in[1]));
        if (l.stops) out.outputs.push(local(part(l, l.parts)));
    }
    /// Part `i` of a loop, or what is behind them.
    constexpr int part(const loop_entry& l, int i) const { return p.loop_nodes[l.from + l.carried + l.arguments() + i]; }

    /// The number here of a node of any region around this one.
    constexpr int local(int id) {
        if (map_.at[id] < 0) take(id);
        return map_.at[id];
    }

    constexpr void take(int id) {
        node n = p.nodes[id];
        if (n.what == tag<structure::repeat>) {
            take_loop(static_cast<int>(n.bits));
            n.bits = out.loops.count - 1;
        } else if (n.what == tag<structure::turn_part>) {
            n.in[0] = local(p.loops[part_loop(n.bits)].node);
            n.in[1] = -1;
        } else {
            for (int& a : n.in)
                if (a >= 0) a = local(a);
        }
        map_.at[id] = out.nodes.count;
        out.nodes.push(n);
        if (n.what == tag<structure::repeat>) out.loops[out.loops.count - 1].node = map_.at[id];
        if (n.what == tag<structure::turn_part>) note_part(static_cast<int>(out.nodes[n.in[0]].bits), id);
    }

    constexpr void take_loop(int index) {
        const loop_entry& l = p.loops[index];
        loop_entry here = l;
        vec<int> nodes;
        for (int k = 0; k < l.carried; ++k) nodes.push(local(p.loop_nodes[l.from + 2 * k]));
        for (int j = 0; j < l.sequences; ++j) nodes.push(local(p.loop_nodes[l.from + 2 * l.carried + j]));
        for (int c = 0; c < l.captured; ++c) nodes.push(local(p.loop_nodes[l.from + 2 * l.carried + l.sequences + c]));
        if (l.limited) nodes.push(local(p.loop_nodes[l.from + 2 * l.carried + l.sequences + l.captured]));
        here.from = out.loop_nodes.count;
        here.outer = -1;
        for (const int n : nodes) out.loop_nodes.push(n);
        // The results have higher numbers.
        for (int i = 0; i < l.parts; ++i) out.loop_nodes.push(-1);
        out.loops.push(here);
    }
    constexpr void note_part(int loop, int id) {
        const loop_entry& here = out.loops[loop];
        const loop_entry& l = p.loops[here.region];
        for (int i = 0; i < l.parts; ++i)
            if (part(l, i) == id && out.loop_nodes.fits()) out.loop_nodes[here.from + here.arguments() + i] = map_.at[id];
    }
};

template <int Capacity, class Whole> constexpr program<Capacity> take_region(const Whole& p, int region) {
    program<Capacity> out;
    region_taker<Whole, Capacity>(p, region, out).run();
    return out;
}

template <class Whole, int Region, int Capacity> struct tried_region {
    template <int More> using with_room = tried_region<Whole, Region, More>;
    static consteval auto make() { return take_region<Capacity>(Whole::get(), Region); }
};

/// Whether the region is all of the program, or there is no program to take it from.
template <class Whole, int Region> concept is_whole = Region < 0 && (Whole::get().loops.count == 0 || Whole::get().wrong);

/// The program of region `Region` of `Whole`, -1 for what lies in no loop. Whole: a type whose `get` gives the program that holds all.
template <class Whole, int Region> struct region_program {
    static constexpr auto value = exact_program<tried_region<Whole, Region, Whole::get().needed() + 16>>();
    static constexpr const auto& get() { return value; }
};
template <class Whole, int Region>
    requires is_whole<Whole, Region>
struct region_program<Whole, Region> : Whole {};

}  // namespace croton::inline v0_1::detail

#endif
