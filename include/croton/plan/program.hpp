// SPDX-License-Identifier: MIT
// A traced, differentiated and rewritten function as plain constant data: what one constant evaluation hands to the next.
#ifndef CROTON_PLAN_PROGRAM_HPP
#define CROTON_PLAN_PROGRAM_HPP

#include <croton/autodiff/grad.hpp>
#include <croton/kernel/routine.hpp>
#include <croton/plan/kept_turns.hpp>
#include <croton/rewrite/pipeline.hpp>

namespace croton::inline v0_1::detail {

/// An array with room for `Capacity` entries that counts what it is asked to hold, so that too little room is noticed.
template <class T, int Capacity> struct fixed_list {
    static constexpr int room = Capacity;
    T entry[static_cast<unsigned>(Capacity > 0 ? Capacity : 1)]{};
    int count = 0;

    constexpr void push(const T& value) {
        if (count < Capacity) entry[count] = value;
        ++count;
    }
    constexpr int size() const { return count; }
    constexpr bool fits() const { return count <= Capacity; }
    template <int Room> constexpr void take(const fixed_list<T, Room>& from) {
        for (int i = 0; i < from.count; ++i) entry[i] = from.entry[i];
        count = from.count;
    }
    constexpr const T& operator[](int i) const { return entry[i]; }
    constexpr T& operator[](int i) { return entry[i]; }
    constexpr const T* begin() const { return entry; }
    constexpr const T* end() const { return entry + count; }
};

template <class... I> constexpr int largest(int first, I... rest) {
    int most = first;
    ((most = rest > most ? rest : most), ...);
    return most;
}

/// Room for `Capacity` nodes, and for as much of what belongs to them.
template <int Capacity> struct room_for_nodes {
    static constexpr int nodes = Capacity, sizes = Capacity, leaves = Capacity, bounds = Capacity, demands = Capacity, own_operators = Capacity / 8,
                         own_structures = Capacity / 8, outputs = Capacity, updates = Capacity, routines = Capacity / 8, loops = Capacity / 8, loop_nodes = Capacity, region_of = Capacity, letters = 16 * Capacity, names = Capacity, error = 512;
};

/// Room for so many of each.
template <int Nodes, int Sizes, int Leaves, int Bounds, int Demands, int OwnOperators, int OwnStructures, int Routines, int Loops, int LoopNodes, int RegionOf, int Outputs,
          int Updates, int Letters, int Names, int Error>
struct room_for_counts {
    static constexpr int nodes = Nodes, sizes = Sizes, leaves = Leaves, bounds = Bounds, demands = Demands, own_operators = OwnOperators, own_structures = OwnStructures,
                         routines = Routines, loops = Loops, loop_nodes = LoopNodes, region_of = RegionOf, outputs = Outputs, updates = Updates, letters = Letters,
                         names = Names, error = Error;
};

/// The live nodes of a function, renumbered; every size is its representative.
template <class Room> struct program_in {
    fixed_list<node, Room::nodes> nodes;
    fixed_list<size_entry, Room::sizes> sizes;
    fixed_list<leaf_input, Room::leaves> leaves;
    fixed_list<bound_check, Room::bounds> bounds;
    fixed_list<extent_demand, Room::demands> demands;
    fixed_list<const operator_facts*, Room::own_operators> own_operators;  // those that are not in the table
    fixed_list<std::string_view, Room::own_structures> own_structures;     // their names
    fixed_list<const kernel::routine_facts*, Room::routines> routines;
    fixed_list<loop_entry, Room::loops> loops;
    fixed_list<int, Room::loop_nodes> loop_nodes;
    fixed_list<int, Room::region_of> region_of;  // by node, where the program has loops and holds all regions: the loop of its region, or -1
    fixed_list<int, Room::outputs> outputs;
    fixed_list<update_of, Room::updates> updates;  // target: a leaf
    fixed_list<char, Room::letters> letters;  // the names of nodes, one after the other
    fixed_list<name_range, Room::names> names;
    fixed_list<char, Room::error> error;
    bool wrong = false;  // there is an error, or the compiler has already said what is wrong
    fired_rules rewrites;
    int traced = 0;  // nodes before rewriting

    /// The capacity in nodes that would hold everything.
    constexpr int needed() const {
        int most = largest(nodes.count, sizes.count, leaves.count, outputs.count, updates.count, names.count, bounds.count, demands.count, loop_nodes.count);
        return largest(most, (letters.count + 15) / 16, 8 * own_operators.count, 8 * own_structures.count, 8 * routines.count, 8 * loops.count);
    }
    constexpr bool fits() const { return needed() <= Room::nodes; }

    /// Takes over a program that fits.
    template <class Other> constexpr void take(const program_in<Other>& p) {
        nodes.take(p.nodes);
        sizes.take(p.sizes);
        leaves.take(p.leaves);
        bounds.take(p.bounds);
        demands.take(p.demands);
        own_operators.take(p.own_operators);
        own_structures.take(p.own_structures);
        routines.take(p.routines);
        loops.take(p.loops);
        loop_nodes.take(p.loop_nodes);
        region_of.take(p.region_of);
        outputs.take(p.outputs);
        updates.take(p.updates);
        letters.take(p.letters);
        names.take(p.names);
        for (int i = 0; i < p.error.count && i < Room::error; ++i) error.push(p.error[i]);
        wrong = p.wrong;
        rewrites = p.rewrites;
        traced = p.traced;
    }
};
template <int Capacity> using program = program_in<room_for_nodes<Capacity>>;

/// The program that `Tried::make` gives, or `Tried::with_room` where that has too little, without the room that it does not use: what is stored
/// is paid for in the object file. What was tried is no variable of static storage, of which g++ writes all the room to the object file at -O0.
template <class Tried> consteval auto exact_program() {
    constexpr auto p = Tried::make();
    if constexpr (p.fits()) {
        program_in<room_for_counts<p.nodes.count, p.sizes.count, p.leaves.count, p.bounds.count, p.demands.count, p.own_operators.count, p.own_structures.count,
                                   p.routines.count, p.loops.count, p.loop_nodes.count, p.region_of.count, p.outputs.count, p.updates.count, p.letters.count,
                                   p.names.count, p.error.count < 512 ? p.error.count : 512>> out;
        out.take(p);
        return out;
    } else {
        return exact_program<typename Tried::template with_room<p.needed()>>();
    }
}

/// The axes of its argument that an alias shows, as the bits of a view.
constexpr std::int64_t shown_axes(const arena& g, const node& n) {
    std::int64_t bits = 0;
    for (int i = 0; i < n.shape.rank; ++i) bits = with_view_axis(bits, i, g.structure_of(n).source(n, g[n.in[0]].shape.rank, i));
    return bits;
}

/// The number of a routine in the program.
template <int Capacity> constexpr std::uint8_t number_of_routine(program<Capacity>& p, const kernel::routine_facts* facts) {
    int i = 0;
    while (i < p.routines.count && p.routines.fits() && p.routines[i]->type != facts->type) ++i;
    if (i == p.routines.count) {
        p.routines.push(facts);
        // What a plan may make of it.
        if (facts->has_biased) p.routines.push(facts->biased);
    }
    return static_cast<std::uint8_t>(i);
}

/// Copies what the roots need out of the arena. `trims`: of loops only what is read is kept.
template <int Capacity> constexpr void freeze(arena& g, const vec<int>& roots, int outputs, const vec<update_of>& updates, bool trims, program<Capacity>& out) {
    liveness live(g, roots);
    vec<int> map;  // by node: its number in the program
    region_map regions;
    if (g.loops.empty()) {
        map.resize_unset(g.nodes.size());
    } else {
        map.assign(g.nodes.size(), -1);
        regions.find(g, roots, live.uses);
        if (trims) turn_keeper(g, regions).run(roots, live.uses);
    }
    vec<size_ref> same;  // by size: its representative
    for (const size_entry& s : g.sizes) {
        size_entry e = s;
        e.same_as = g.find(s.same_as);
        same.push(e.same_as);
        e.a = g.find(s.a);
        e.b = g.find(s.b);
        if (s.tied_by >= 0)
            e.tied_by = s.tied_by < g.nodes.size() && g[s.tied_by].what == tag<structure::apply> ? g[s.tied_by].fn : tie::declaration;
        out.sizes.push(e);
    }
    for (const leaf_input& l : g.leaves) out.leaves.push(l);
    for (const bound_check& b : g.bounds) out.bounds.push({b.leaf, g.find(b.limit), b.who});
    for (const extent_demand& d : g.demands) out.demands.push({g.find(d.extent), d.least, d.index, d.axis, d.of, d.by});
    for (const operator_facts* f : g.own_operators) out.own_operators.push(f);
    for (int i = structures::size; i < g.structures.size(); ++i) out.own_structures.push(g.structures.at[i]->name);
    for (int i = 0; i < g.name_count(); ++i) {
        const std::string_view text = g.name(i);
        out.names.push({out.letters.size(), static_cast<int>(text.size())});
        for (const char c : text) out.letters.push(c);
    }
    int last_leaf = -1;
    for (const leaf_input& l : g.leaves) last_leaf = l.node > last_leaf ? l.node : last_leaf;
    const int count = g.nodes.size();
    for (int id = 0; id < count; ++id) {
        if (live.uses.at[id] == 0) {
            if (const int other = regions.same_part(id); other >= 0) map.at[id] = map.at[other];
            if (id > last_leaf || g.nodes.at[id].what != tag<structure::input>) continue;
        }
        node n = g.nodes.at[id];
        for (int i = 0; i < max_arguments; ++i) {
            const int a = n.in[i];
            if (a >= 0) n.in[i] = map.at[a];
            else if (n.place == placement::loop) break;
        }
        for (int i = 0; i < n.shape.rank; ++i)
            if (const size_ref extent = n.shape.extent[i]; extent < 0) n.shape.extent[i] = same.at[-1 - extent];
        if (n.what == tag<structure::size> || n.what == tag<structure::arange>) n.bits = g.find(n.bits);
        if (const structure_facts& facts = *g.structures.at[n.what]; facts.is_routine) n.fn = number_of_routine(out, facts.routine(n));
        if (n.place == placement::alias) n.bits = shown_axes(g, g.nodes.at[id]);
        if (n.place == placement::window) n.bits = slice_bits(slice_axis(n.bits), g.find(slice_start(n.bits)), slice_step(n.bits));
        if (n.what == tag<structure::turn_value> || n.what == tag<structure::turn_part> || n.what == tag<structure::repeat>) regions.renumber(g, id, n);
        map.at[id] = out.nodes.count;
        out.nodes.push(n);
    }
    regions.write(g, map, out);
    for (int i = 0; i < out.leaves.size() && out.leaves.fits(); ++i) out.leaves[i].node = map[out.leaves[i].node];
    for (int i = 0; i < roots.size(); ++i) {
        if (i < outputs) out.outputs.push(map[roots[i]]);
        else out.updates.push({static_cast<int>(g[updates[i - outputs].target].bits), map[roots[i]]});
    }
}

template <class F, bool Rewrites, int Capacity> constexpr program<Capacity> make_program() {
    program<Capacity> out;
    traced_program p;
    trace<F>(p);
    out.traced = p.g.nodes.size();
    if (!p.g.failed()) {
        vec<int> roots;
        for (const int o : p.outputs) roots.push(o);
        for (const update_of& u : p.updates) roots.push(u.value);
        rewrite(p.g, roots, Rewrites, p.g.fired);
        out.rewrites = p.g.fired;
        freeze(p.g, roots, p.outputs.size(), p.updates, Rewrites, out);
    }
    for (const char c : p.g.error.view()) out.error.push(c);
    out.wrong = p.g.failed();
    return out;
}

/// Room for what is left of so many traced nodes: rewriting seldom adds a quarter, and where the room is too small all is done twice.
constexpr int room_for_traced(int nodes) { return nodes <= 320 ? 512 : nodes + nodes / 4 + 112; }

// Whether the compiler can run a lambda is asked before its program is made, and where the answer is kept that is the same evaluation:
// g++ keeps what a call without arguments has given. Others are asked to trace only, and room costs g++ nothing.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__EDG__) && !defined(__CUDACC__)
inline constexpr int room_at_once = 16384;
#else
inline constexpr int room_at_once = 0;
#endif
template <class F, bool Rewrites, int Nodes = make_program<F, Rewrites, room_at_once>().traced> constexpr bool is_made(int) { return Nodes >= 0; }
template <class F, bool Rewrites> constexpr bool is_made(...) { return false; }
template <class F, bool Rewrites> constexpr bool made_at_once() {
    if constexpr (room_at_once == 0) return false;
    else return is_made<F, Rewrites>(0);
}

template <class F, bool Rewrites> constexpr int room_of() {
    if constexpr (made_at_once<F, Rewrites>()) return room_at_once;
    else return room_for_traced(traced_nodes<F>);
}
/// Whether the compiler can run the lambda.
template <class F, bool Rewrites> constexpr bool can_run() {
    if constexpr (made_at_once<F, Rewrites>()) return true;
    else return traceable<F>;
}

template <class F, bool Rewrites, int Capacity> struct tried_program {
    template <int More> using with_room = tried_program<F, Rewrites, More>;
    static consteval auto make() { return make_program<F, Rewrites, Capacity>(); }
};

/// The program of a lambda.
template <class F, bool Rewrites> struct program_of {
    static constexpr auto value = exact_program<tried_program<F, Rewrites, room_of<F, Rewrites>()>>();
    static constexpr const auto& get() { return value; }
};

}  // namespace croton::inline v0_1::detail

#endif
