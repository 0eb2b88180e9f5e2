// SPDX-License-Identifier: MIT
// The loops of a program: which values each keeps, which nodes are of its region, and what those take from outside.
#ifndef CROTON_PLAN_REGIONS_HPP
#define CROTON_PLAN_REGIONS_HPP

#include <croton/graph/region.hpp>

namespace croton::inline v0_1::detail {

/// A loop of a program. Its nodes stand side by side in the program's list, from `from` on: of each carried value the first and, where the program holds all
/// regions, the next one; the sequences; what is captured; and its results.
struct loop_entry {
    int node = -1;
    int region = -1;   // its number in the program of all regions
    int outer = -1;    // the loop in whose region it stands, or -1
    size_ref turns = 0;
    bool reverse = false, retraces = false, counts = false;  // counts: its region reads the number of the turn
    bool limited = false, stops = false, unbounded = false;  // limited: its last argument says how many turns there are at most; stops: so does its region's last result
    bool derived = false;                  // made by a derivative
    bool again = false;                    // one of the program that a derivative runs again in its turns
    bool stores_turns = false;             // its derivative may need all turns, where it could be told to run them again
    int at_most = 0;   // turns, or 0
    int from = 0, carried = 0, sequences = 0, captured = 0, parts = 0;
    int depth = 1;  // 1 where it stands in no other loop
    int carried_before = 0, sequences_before = 0, stacks_before = 0;  // of the loops with lower numbers: what it has is called by what comes behind

    constexpr int arguments() const { return carried + sequences + captured + (limited ? 1 : 0); }
};

/// Whether a region has a node for itself rather than the value of one outside: it is a number, or only a way to see another node.
constexpr bool is_seen_anywhere(const node& n) {
    return n.what == tag<structure::literal> || n.what == tag<structure::size> || n.what == tag<structure::arange> || n.place == placement::alias ||
           n.place == placement::layout || n.place == placement::window;
}

/// A list of numbers for each loop.
class loop_lists {
public:
    constexpr void push(int loop, int number) {
        loop_.push(loop);
        number_.push(number);
    }
    /// How many of the loop's numbers stand before `number`, or how many there are.
    constexpr int position(int loop, int number) const {
        int before = 0;
        for (int i = 0; i < loop_.size(); ++i) {
            if (loop_.at[i] != loop) continue;
            if (number_.at[i] == number) return before;
            ++before;
        }
        return before;
    }
    constexpr bool add(int loop, int number) {
        if (position(loop, number) < size(loop)) return false;
        push(loop, number);
        return true;
    }
    constexpr int size(int loop) const { return position(loop, -1); }
    template <class F> constexpr void each(int loop, F&& f) const {
        for (int i = 0; i < loop_.size(); ++i)
            if (loop_.at[i] == loop) f(number_.at[i]);
    }

private:
    vec<int> loop_, number_;
};

/// What is live of the loops of a graph whose rewriting is over.
class region_map {
public:
    /// Sets `uses` to 0 for what only feeds values that no one reads.
    constexpr void find(arena& g, const vec<int>& roots, vec<int>& uses) {
        const int count = g.nodes.size(), loops = g.loops.size();
        find_regions(g, masks_);
        repeat_.assign(loops, -1);
        for (int id = 0; id < count; ++id)
            if (uses.at[id] > 0 && g.nodes.at[id].what == tag<structure::repeat>) {
                const int loop = static_cast<int>(g.nodes.at[id].bits);
                // A derivative can hold on to a loop as it was before a later rewrite: both are the same one.
                if (repeat_.at[loop] < 0) repeat_.at[loop] = id;
            }
        for (int l = 0; l < loops; ++l) {
            from_.push(all_.size());
            if (repeat_.at[l] >= 0) list_bundled(g, repeat_.at[l], all_);
        }
        counts_.assign(loops, 0);
        live_.assign(count, 0);
        open_.resize_unset(count);
        for (const int r : roots) visit(r);
        while (waiting_ > 0) follow(g, open_.at[--waiting_]);
        for (int id = 0; id < count; ++id)
            if (live_.at[id] == 0) uses.at[id] = 0;
        number(g);
        same_.assign(count, -1);
        for (int id = 0; id < count; ++id) {
            if (g.nodes.at[id].what != tag<structure::turn_part> || live_.at[id] == 0) continue;
            const int loop = loop_of_part(g, id);
            const node& n = g.nodes.at[id];
            parts_.each(loop, [&](int other) {
                if (g.nodes.at[other].bits == n.bits && g.nodes.at[other].in[1] == n.in[1]) same_.at[id] = other;
            });
            if (same_.at[id] < 0) {
                parts_.push(loop, id);
            } else {
                live_.at[id] = 0;
                uses.at[id] = 0;
            }
        }
        // What is nested captures first: its loop takes that from what is around it.
        for (int i = order_.size() - 1; i >= 0; --i) capture(g, order_.at[i]);
    }

    /// The result of a loop that node `id` is as well, or -1.
    constexpr int same_part(int id) const { return id < same_.size() ? same_.at[id] : -1; }
    /// Says so of node `id`, which then is none of its own.
    constexpr void show_as(int id, int part, vec<int>& uses) {
        same_.at[id] = part;
        live_.at[id] = 0;
        uses.at[id] = 0;
    }
    /// Calls f(node) for each that a live loop begins with, carries on or walks along, and for what says how often it turns.
    template <class F> constexpr void each_value(const arena& g, F&& f) const {
        for (const int l : order_) {
            carried_.each(l, [&](int k) {
                f(first_of(l, k));
                f(next_of(l, k));
            });
            sequences_.each(l, [&](int j) { f(sequence_of(g, l, j)); });
            for (int i = 1; i < 3; ++i)
                if (const int a = g.nodes.at[repeat_.at[l]].in[i]; a >= 0) f(a);
        }
    }
    /// What a loop carries on as its value `k`, of a node that is one of its results.
    constexpr int next_of_part(const arena& g, int part) const { return next_of(loop_of_part(g, part), part_index(g.nodes.at[part].bits)); }

    /// The nodes of loops with the numbers that the program has for them.
    constexpr void renumber(const arena& g, int id, node& n) const {
        n.in[0] = -1;
        if (n.what == tag<structure::repeat>) set_arguments(n, -1);
        if (n.what == tag<structure::repeat>) n.bits = place_of(static_cast<int>(n.bits));
        if (n.what == tag<structure::turn_value>) {
            const int loop = loop_of(n.bits), index = index_of_turn(n.bits);
            const turn_role role = role_of(n.bits);
            n.bits = turn_bits(place_of(loop), role, role == turn_role::turn ? 0 : (role == turn_role::carried ? carried_ : sequences_).position(loop, index));
        }
        if (n.what == tag<structure::turn_part>) {
            const int loop = loop_of_part(g, id);
            const bool carried = part_role(n.bits) == loop_result::last || part_role(n.bits) == loop_result::trajectory;
            n.bits = part_bits(part_role(n.bits), carried ? carried_.position(loop, part_index(n.bits)) : 0) | static_cast<std::int64_t>(place_of(loop)) << 32;
        }
    }

    template <class Program> constexpr void write(const arena& g, const vec<int>& map, Program& out) const {
        int carried_before = 0, sequences_before = 0, stacks_before = 0;
        for (const int l : order_) {
            loop_entry e;
            e.node = map.at[repeat_.at[l]];
            e.region = out.loops.count;
            e.outer = depth_.at[l] == 1 ? -1 : place_of(region_.at[repeat_.at[l]]);
            e.turns = g.find(g.loops.at[l].turns);
            e.reverse = g.loops.at[l].reverse;
            e.retraces = g.loops.at[l].retraces;
            e.at_most = g.loops.at[l].at_most;
            e.counts = counts_.at[l] != 0;
            e.derived = g.nodes.at[repeat_.at[l]].derived;
            e.again = !e.derived && e.outer >= 0 && (out.loops[e.outer].derived || out.loops[e.outer].again);
            e.depth = depth_.at[l];
            e.carried_before = carried_before;
            e.sequences_before = sequences_before;
            e.stacks_before = stacks_before;
            const node& n = g.nodes.at[repeat_.at[l]];
            e.limited = n.in[1] >= 0;
            e.stops = n.in[2] >= 0;
            e.unbounded = g.loops.at[l].unbounded;
            e.stores_turns = !e.derived && !e.again && !e.limited && !e.stops && g.loops.at[l].truncated == 0 && !g.loops.at[l].only_states;
            e.from = out.loop_nodes.count;
            e.carried = carried_.size(l);
            e.sequences = sequences_.size(l);
            e.captured = captured_.size(l);
            e.parts = parts_.size(l);
            carried_.each(l, [&](int k) {
                out.loop_nodes.push(map.at[first_of(l, k)]);
                out.loop_nodes.push(map.at[next_of(l, k)]);
            });
            sequences_.each(l, [&](int j) { out.loop_nodes.push(map.at[sequence_of(g, l, j)]); });
            captured_.each(l, [&](int c) { out.loop_nodes.push(map.at[c]); });
            if (e.limited) out.loop_nodes.push(map.at[n.in[1]]);
            parts_.each(l, [&](int p) {
                out.loop_nodes.push(map.at[p]);
                stacks_before += part_role(g.nodes.at[p].bits) == loop_result::stack ? 1 : 0;
            });
            carried_before += e.carried;
            sequences_before += e.sequences;
            if (e.stops) out.loop_nodes.push(map.at[n.in[2]]);
            out.loops.push(e);
        }
        if (order_.empty()) return;
        for (int id = 0; id < map.size(); ++id)
            if (map.at[id] >= 0 && same_part(id) < 0) out.region_of.push(id < region_.size() && region_.at[id] >= 0 ? place_of(region_.at[id]) : -1);
    }

private:
    vec<loop_mask> masks_;
    vec<char> live_;
    vec<int> open_;  // those that are live and not yet followed: each node is in it once
    int waiting_ = 0;
    vec<int> same_;                // by node: see same_part
    vec<int> region_;              // by node: the loop, by its number in the graph, or -1
    vec<int> order_, depth_;       // the live loops, those around others first; by loop: how deep
    vec<int> repeat_;              // by loop: its node
    vec<int> all_, from_;          // the arguments of all loops; by loop: where its own begin
    loop_lists carried_, sequences_, captured_, parts_;
    vec<char> counts_;

    constexpr void visit(int id) {
        if (live_.at[id] != 0) return;
        live_.at[id] = 1;
        open_.at[waiting_++] = id;
    }
    constexpr int first_of(int loop, int k) const { return all_.at[from_.at[loop] + 2 * k]; }
    constexpr int next_of(int loop, int k) const { return all_.at[from_.at[loop] + 2 * k + 1]; }
    constexpr int sequence_of(const arena& g, int loop, int j) const { return all_.at[from_.at[loop] + 2 * g.loops.at[loop].carried + j]; }
    constexpr int place_of(int loop) const {
        int i = 0;
        while (i < order_.size() && order_.at[i] != loop) ++i;
        return i;
    }
    static constexpr int loop_of_part(const arena& g, int id) { return static_cast<int>(g.nodes.at[g.nodes.at[id].in[0]].bits); }

    constexpr void need_carried(int loop, int k) {
        if (!carried_.add(loop, k)) return;
        visit(first_of(loop, k));
        visit(next_of(loop, k));
    }

    constexpr void follow(const arena& g, int id) {
        const node& n = g.nodes.at[id];
        if (n.place == placement::loop) {
            for (int i = 0; i < max_arguments && n.in[i] >= 0; ++i)
                if (live_.at[n.in[i]] == 0) visit(n.in[i]);
            return;
        }
        if (n.what == tag<structure::repeat>) {
            for (int i = 1; i < 3; ++i)
                if (n.in[i] >= 0) visit(n.in[i]);
            return;
        }
        if (n.what == tag<structure::turn_value>) {
            const int loop = loop_of(n.bits), index = index_of_turn(n.bits);
            visit(repeat_.at[loop]);
            if (role_of(n.bits) == turn_role::turn) counts_.at[loop] = 1;
            else if (role_of(n.bits) == turn_role::carried) need_carried(loop, index);
            else if (sequences_.add(loop, index)) visit(sequence_of(g, loop, index));
            return;
        }
        if (n.what == tag<structure::turn_part>) {
            visit(repeat_.at[loop_of_part(g, id)]);
            if (part_role(n.bits) == loop_result::turns) return;
            if (part_role(n.bits) != loop_result::stack) need_carried(loop_of_part(g, id), part_index(n.bits));
            else visit(n.in[1]);
            return;
        }
        for (const int a : n.in)
            if (a >= 0) visit(a);
    }

    constexpr void number(const arena& g) {
        const int loops = g.loops.size();
        depth_.assign(loops, 0);
        for (bool more = true; more;) {
            more = false;
            for (int l = 0; l < loops; ++l) {
                if (repeat_.at[l] < 0 || live_.at[repeat_.at[l]] == 0) continue;
                int around = 0;
                for (int o = 0; o < loops; ++o)
                    if ((masks_.at[repeat_.at[l]] & bit_of_loop(o)) != 0 && depth_.at[o] > around) around = depth_.at[o];
                more = more || depth_.at[l] != around + 1;
                depth_.at[l] = around + 1;
            }
        }
        for (int depth = 1; depth <= loops; ++depth)
            for (int l = 0; l < loops; ++l)
                if (depth_.at[l] == depth) order_.push(l);
        const int count = g.nodes.size();
        region_.assign(count, -1);
        for (int id = 0; id < count; ++id) {
            if (masks_.at[id] == 0 || live_.at[id] == 0) continue;
            int deepest = 0;
            for (const int l : order_)
                if ((masks_.at[id] & bit_of_loop(l)) != 0 && depth_.at[l] > deepest) {
                    deepest = depth_.at[l];
                    region_.at[id] = l;
                }
        }
    }

    /// Notes what node `a` outside of a region is in memory. A reshape is taken as it is: where what it sees has gaps it is copied, and that once.
    constexpr void take(const arena& g, int loop, int a) {
        int reshaped = -1;
        while (region_.at[a] != loop && is_seen_anywhere(g.nodes.at[a])) {
            const node& n = g.nodes.at[a];
            if (n.place == placement::layout && reshaped < 0) reshaped = a;
            if (n.in[0] < 0) return;
            a = n.in[0];
        }
        if (region_.at[a] == loop) return;
        // What is stored in 16 bits is copied as float, and a turn reads it as it is.
        const bool narrow = g.nodes.at[a].what == tag<structure::input> && is_stored_only(g.leaves.at[static_cast<int>(g.nodes.at[a].bits)].type);
        (void)captured_.add(loop, reshaped >= 0 && !narrow ? reshaped : a);
    }
    constexpr void capture(const arena& g, int loop) {
        const int count = g.nodes.size();
        for (int id = 0; id < count; ++id) {
            if (region_.at[id] != loop || live_.at[id] == 0) continue;
            const node& n = g.nodes.at[id];
            if (n.what == tag<structure::turn_part> || n.what == tag<structure::turn_value>) continue;
            if (n.what == tag<structure::repeat>) {
                const int inner = static_cast<int>(n.bits);
                carried_.each(inner, [&](int k) { take(g, loop, first_of(inner, k)); });
                sequences_.each(inner, [&](int j) { take(g, loop, sequence_of(g, inner, j)); });
                captured_.each(inner, [&](int c) { take(g, loop, c); });
                if (n.in[1] >= 0) take(g, loop, n.in[1]);
            } else {
                for (const int a : n.in)
                    if (a >= 0 && region_.at[a] != loop) take(g, loop, a);
            }
        }
        carried_.each(loop, [&](int k) { take(g, loop, next_of(loop, k)); });
        if (const int stop = g.nodes.at[repeat_.at[loop]].in[2]; stop >= 0) take(g, loop, stop);
        parts_.each(loop, [&](int p) {
            if (part_role(g.nodes.at[p].bits) == loop_result::stack) take(g, loop, g.nodes.at[p].in[1]);
        });
    }
};

}  // namespace croton::inline v0_1::detail

#endif
