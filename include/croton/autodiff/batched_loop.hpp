// SPDX-License-Identifier: MIT
// A batch of loops as one loop, each turn of which is a turn of all of them.
#ifndef CROTON_AUTODIFF_BATCHED_LOOP_HPP
#define CROTON_AUTODIFF_BATCHED_LOOP_HPP

#include <croton/graph/batching.hpp>
#include <croton/graph/elementary.hpp>
#include <croton/graph/structure/reduce.hpp>
#include <croton/graph/structure/repeat.hpp>
#include <croton/rewrite/pass.hpp>

namespace croton::inline v0_1::detail {

/// The loop keeps its number: what its turns compute that is the same for each of the batch is what it was. Nothing needs the loop of one any more.
class loop_of_many {
public:
    constexpr loop_of_many(batching& b, int id) : g(b.g), b_(b), id_(id), one_(b.g.nodes.at[id]), loop_(static_cast<int>(one_.bits)) {
        list_bundled(g, id, all_);
        for (int& a : all_) a = current(g, a);
        for (int& a : one_.in)
            if (a >= 0) a = current(g, a);
    }

    /// Puts into `open` what must be known first; where that is nothing, says what stands for the loop.
    constexpr void take(vec<int>& open) {
        b_.grow();
        each_.assign(facts().carried, 0);
        const int waiting = open.size();
        const auto need = [&](int a) {
            if (a >= 0 && b_.of.at[a] < 0) open.push(a);
        };
        for (int i = 0; i < first_out(); ++i)
            if (i >= first_sequence() || i % 2 == 0) need(all_[i]);
        need(one_.in[1]);
        if (open.size() > waiting) return;
        if (!give_turns()) {
            b_.of.at[id_] = id_;
            return;
        }
        for (const int a : all_) need(a);
        need(one_.in[2]);
        if (open.size() == waiting) make();
    }

    /// What stands for `part`, a result of the loop that another stands for.
    constexpr int part(const node& part) {
        const int many = b_.of.at[id_], index = part_index(part.bits);
        const loop_result what = part_role(part.bits);
        if (what == loop_result::turns && has_own_turns()) return b_.at(one_.in[1]);
        vec<int> all;
        list_bundled(g, many, all);
        int made = -1;
        if (what == loop_result::turns) made = structure::turn_part::turns(g, many);
        else if (what == loop_result::last) made = structure::turn_part::last(g, many, index, all[2 * index]);
        else if (what == loop_result::trajectory) made = structure::turn_part::trajectory(g, many, index, all[2 * index]);
        else made = structure::turn_part::stack(g, many, given_out(current(g, part.in[1])));
        if (g[made].shape.rank == part.shape.rank) return structure::broadcast::of(g, made, b_.with_axis(part.shape));
        return what == loop_result::last ? made : turns_first(made);
    }

private:
    arena& g;
    batching& b_;
    int id_;
    node one_;
    int loop_;
    vec<int> all_;    // the arguments of the loop
    vec<char> each_;  // by carried value: whether it varies

    constexpr const loop_facts& facts() const { return g.loops.at[loop_]; }
    constexpr int first_sequence() const { return 2 * facts().carried; }
    constexpr int first_out() const { return first_sequence() + facts().sequences; }
    constexpr bool is_given(const node& n, turn_role role) const {
        return n.what == tag<structure::turn_value> && loop_of(n.bits) == loop_ && role_of(n.bits) == role;
    }
    /// Whether the number of turns is another for each.
    constexpr bool has_own_turns() const { return b_.varies(one_.in[1]); }

    /// What turns are given for each of the batch, where that varies; false where nothing does.
    constexpr bool give_turns() {
        vec<char> varies;
        bool any = has_own_turns(), more = true;
        while (more && !g.failed()) {
            more = false;
            const int count = g.nodes.size();
            varies.assign(count, 0);
            for (int id = 0; id < count; ++id) {
                varies.at[id] = id < b_.is_many.size() ? b_.is_many.at[id] : 0;
                for (const int a : g.nodes.at[id].in)
                    if (a >= 0 && varies.at[current(g, a)] != 0) varies.at[id] = 1;
            }
            for (int k = 0; k < facts().carried; ++k) {
                if (each_.at[k] != 0 || !(has_own_turns() || b_.varies(all_[2 * k]) || varies.at[all_[2 * k + 1]] != 0)) continue;
                each_.at[k] = 1;
                more = true;
            }
            for (int id = 0; id < count && !g.failed(); ++id) {
                const node n = g.nodes.at[id];
                const int k = index_of_turn(n.bits);
                const bool carried = is_given(n, turn_role::carried);
                if (!carried && !is_given(n, turn_role::element)) continue;
                // Those of all are given by a loop of many, whose arguments have the axis as well.
                if (n.shape.rank != g[all_[carried ? 2 * k : first_sequence() + k]].shape.rank - (carried ? 0 : 1)) continue;
                if (b_.varies(id) || !(carried ? each_.at[k] != 0 : b_.varies(all_[first_sequence() + k]))) continue;
                give(id, n);
                more = true;
            }
        }
        for (const char e : each_) any = any || e != 0;
        for (int i = first_sequence(); i < first_out(); ++i) any = any || b_.varies(all_[i]);
        for (const int a : all_) any = any || varies.at[a] != 0;
        return any || (one_.in[2] >= 0 && varies.at[one_.in[2]] != 0);
    }
    constexpr void give(int id, const node& n) {
        if (n.shape.rank == max_rank) {
            g.error << "vmap: what a loop carries has 8 axes for each, so that there is none for all";
            return;
        }
        b_.stands_for(id, structure::turn_value::of(g, loop_, role_of(n.bits), index_of_turn(n.bits), n.type, b_.with_axis(n.shape)));
    }
    /// The axis of the batch and the one of the turns, which are the first two, in each other's place.
    constexpr int turns_first(int id) {
        const int rank = g[id].shape.rank;
        std::array<int, max_rank> source{};
        for (int i = 0; i < rank; ++i) source[static_cast<unsigned>(i)] = i < 2 ? 1 - i : i;
        return structure::view::of(g, id, rank, source);
    }
    /// `value` of the turns that a loop of the batch has, and `other` of those that only others have.
    constexpr int only_where(int runs, int value, int other) {
        std::array<int, max_rank> source{};
        const int rank = g[value].shape.rank;
        for (int i = 1; i < rank; ++i) source[static_cast<unsigned>(i)] = new_axis;
        return g.apply(code<op::where>, structure::view::of(g, runs, rank, source), value, other);
    }

    /// How many turns there are: all have those of the one that has most, and each keeps what it has after its own.
    constexpr int count() {
        const int each = b_.at(one_.in[1]);
        return has_own_turns() ? structure::view::of(g, structure::reduce::of(g, reduction_code<reduction::max>, 1, each), 0, {}) : each;
    }
    /// Whether a turn is one of those of each; its number is where its elements lie.
    constexpr int runs_for_each() {
        const int turn = structure::turn_value::of(g, loop_, turn_role::turn, 0, element::int64, shape()), each = b_.at(one_.in[1]);
        if (facts().reverse == facts().retraces) return g.apply(code<op::less>, turn, each);
        return g.apply(code<op::greater_equal>, turn, g.apply(code<op::subtract>, g.size(element::int64, facts().turns), each));
    }
    /// What a turn gives out, which is stacked: zeros of turns that only others have.
    constexpr int given_out(int out) {
        return has_own_turns() ? only_where(runs_for_each(), b_.whole(out), g.literal(g[out].type, 0)) : b_.at(out);
    }

    constexpr void make() {
        if (b_.varies(one_.in[2])) {
            g.error << "vmap: what ends the loop is another for each, and a loop of all ends for all of them; say how many turns each has at most, as in times(n, 100)";
            return;
        }
        const int runs = has_own_turns() ? runs_for_each() : -1;
        vec<int> arguments;
        for (int k = 0; k < facts().carried; ++k) {
            const bool each = each_.at[k] != 0;
            const int first = each ? b_.whole(all_[2 * k]) : b_.at(all_[2 * k]);
            int next = each ? b_.whole(all_[2 * k + 1]) : b_.at(all_[2 * k + 1]);
            if (runs >= 0) next = only_where(runs, next, structure::turn_value::of(g, loop_, turn_role::carried, k, g[first].type, b_.with_axis(g[all_[2 * k]].shape)));
            arguments.push(first);
            arguments.push(next);
        }
        for (int i = first_sequence(); i < first_out(); ++i) arguments.push(b_.varies(all_[i]) ? turns_first(b_.at(all_[i])) : b_.at(all_[i]));
        for (int i = first_out(); i < all_.size(); ++i) arguments.push(given_out(all_[i]));
        b_.is_many.at[id_] = 1;
        b_.of.at[id_] = structure::repeat::of(g, loop_, arguments, count(), b_.at(one_.in[2]));
    }
};

}  // namespace croton::inline v0_1::detail

#endif
