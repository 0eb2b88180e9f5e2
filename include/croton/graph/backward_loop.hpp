// SPDX-License-Identifier: MIT
// The derivative of a loop: a loop over the same turns from the last one on.
#ifndef CROTON_GRAPH_BACKWARD_LOOP_HPP
#define CROTON_GRAPH_BACKWARD_LOOP_HPP

#include <croton/graph/structure/gather.hpp>
#include <croton/graph/structure/repeat.hpp>
#include <croton/graph/turns_again.hpp>

namespace croton::inline v0_1::detail {

/// Makes the loop that carries the cotangents of what another carries. Values of the other's turns are stored by it, or computed again of those that are.
class backward_loop {
public:
    constexpr backward_loop(cotangents& outer, int repeat)
        : g(outer.g), outer_(outer), inner_(outer.g, outer.rules), repeat_(repeat), loop_(static_cast<int>(outer.g.nodes.at[repeat].bits)), facts_(outer.g.loops.at[loop_]), count_(outer.of.size()), given_(outer.g, masks_, repeat) {
        list_bundled(g, repeat, arguments_);
        variable_.assign(facts_.carried + facts_.sequences, -1);
    }

    constexpr void run() {
        if (facts_.retraces && facts_.at_most > 0 && !g.failed())
            g.error << "grad: the last turns of a loop that a value ends have one derivative and no second one; leave truncate out";
        find_regions(g, masks_);
        find_dependent();
        loop_facts back;
        back.turns = facts_.turns;
        back.reverse = !facts_.reverse;
        back.at_most = facts_.truncated;
        const node forward = g.nodes.at[repeat_];
        if (forward.in[1] >= 0 || forward.in[2] >= 0 || facts_.at_most > 0) {
            // Back through the turns that there were, which a loop back has had itself.
            back.retraces = !facts_.retraces;
            turns_ = structure::turn_part::turns(g, repeat_);
        }
        back.only_states = facts_.only_states;
        back_ = add_loop(g, back);
        if (g.failed()) return;
        seed();
        for (int id = count_ - 1; id >= 0 && !g.failed(); --id)
            if (in_region(id) && inner_.of.at[id] >= 0 && inner_.depends.at[id] != 0 && g.nodes.at[id].what != tag<structure::turn_value>) inner_.pull(id);
        if (!g.failed()) build();
        if (!g.failed() && !late_.empty()) pull_late();
    }

private:
    arena& g;
    cotangents& outer_;
    cotangents inner_;  // within a turn
    int repeat_, loop_, back_ = -1;
    int turns_ = -1;          // how many there were, where the sequences do not say it
    loop_facts facts_;
    int count_;               // nodes of what is differentiated; a region can have some behind its loop
    vec<int> arguments_;      // of the loop
    vec<int> late_;           // by node: what is added to it after the walk around has passed it
    vec<int> variable_;       // what a turn is given: carried values, then elements
    vec<loop_mask> masks_;
    vec<int> adjoint_;        // by carried value: the carried cotangent of the backward loop, or -1
    vec<int> first_, next_;   // of what the backward loop carries
    vec<int> sequences_;      // of the backward loop
    vec<int> elements_;       // what its turns are given of them
    turns_again given_;       // what the other loop's turns have, in the backward loop

    constexpr bool has(int id, int loop) const { return (masks_.at[id] & bit_of_loop(loop)) != 0; }
    constexpr bool in_region(int id) const { return has(id, loop_); }
    constexpr int first_of(int k) const { return arguments_.at[2 * k]; }
    constexpr int next_of(int k) const { return arguments_.at[2 * k + 1]; }
    constexpr int sequence(int j) const { return arguments_.at[2 * facts_.carried + j]; }

    constexpr void add_outside(int id, int cotangent) {
        if (id < repeat_) {
            outer_.add(id, cotangent);
        } else {
            late_.resize(count_, -1);
            late_.at[id] = late_.at[id] < 0 ? cotangent : (term{&g, late_.at[id]} + term{&g, cotangent}).id;
        }
    }
    /// The walk around has gone past what a region captures from behind its loop. Pulls are linear: what is added now is pulled by itself.
    constexpr void pull_late() {
        vec<int> before(count_, -1);
        for (int id = repeat_ + 1; id < count_; ++id) {
            before.at[id] = outer_.of.at[id];
            outer_.of.at[id] = late_.at[id];
        }
        for (int id = count_ - 1; id > repeat_ && !g.failed(); --id)
            if (outer_.of.at[id] >= 0 && outer_.depends.at[id] != 0 && outer_.any_wanted(g.nodes.at[id])) outer_.pull(id);
        for (int id = repeat_ + 1; id < count_; ++id)
            if (before.at[id] >= 0) outer_.add(id, before.at[id]);
    }

    /// What depends, within a turn, on what is differentiated for. A carried value depends where the next one does, so this is repeated.
    constexpr void find_dependent() {
        inner_.depends.assign(count_, 0);
        for (int id = 0; id < count_; ++id) {
            if (!in_region(id)) inner_.depends.at[id] = outer_.depends.at[id];
            const node& n = g.nodes.at[id];
            if (n.what != tag<structure::turn_value> || loop_of(n.bits) != loop_ || role_of(n.bits) == turn_role::turn) continue;
            const bool carried = role_of(n.bits) == turn_role::carried;
            const int k = index_of_turn(n.bits);
            variable_.at[carried ? k : facts_.carried + k] = id;
            if (is_floating(n.type) && outer_.wanted(carried ? first_of(k) : sequence(k))) inner_.depends.at[id] = 1;
        }
        for (bool more = true; more;) {
            more = false;
            for (int id = 0; id < count_; ++id) {
                const node& n = g.nodes.at[id];
                if (!in_region(id) || inner_.depends.at[id] != 0 || !is_floating(n.type)) continue;
                for (const int a : n.in)
                    if (a >= 0 && inner_.depends.at[a] != 0) inner_.depends.at[id] = 1;
            }
            for (int k = 0; k < facts_.carried; ++k)
                if (const int v = variable_.at[k]; v >= 0 && inner_.depends.at[v] == 0 && is_floating(g.nodes.at[v].type) && inner_.depends.at[next_of(k)] != 0) {
                    inner_.depends.at[v] = 1;
                    more = true;
                }
        }
    }

    /// An element of a sequence of the backward loop.
    constexpr int element_of_sequence(int all) {
        for (int j = 0; j < sequences_.size(); ++j)
            if (sequences_.at[j] == all) return elements_.at[j];
        const node& n = g.nodes.at[all];
        detail::shape one;
        one.rank = n.shape.rank - 1;
        for (int i = 0; i < one.rank; ++i) one[i] = n.shape[i + 1];
        sequences_.push(all);
        elements_.push(structure::turn_value::of(g, back_, turn_role::element, sequences_.size() - 1, n.type, one));
        return elements_.back();
    }
    /// Whether what all turns have, an array of `rank` axes, is the same in each, or is computed in a turn for little, of what lies in memory anyway.
    /// `left`: so many nodes may be looked at.
    constexpr bool is_light(int all, int rank, int& left) const {
        const node& n = g.nodes.at[all];
        if (n.shape.rank < rank) return stands_apart(all);
        if (lies_in_memory(all)) return true;
        if (--left < 0) return false;
        if (n.what == tag<structure::broadcast>) return g.nodes.at[n.in[0]].shape.rank < rank && stands_apart(n.in[0]);
        if (!turns_again::is_cheap(g, n) || g.facts(n.fn).kind == op::typing::drawn) return false;
        for (const int a : n.in)
            if (a >= 0 && ((g.nodes.at[a].shape.rank == rank && g.find(g.nodes.at[a].shape[0]) != g.find(n.shape[0])) || !is_light(a, rank, left))) return false;
        return true;
    }
    /// Whether nothing of the loop is in it. The other loop cannot compute what is made of its own results, though it depends on no turn of this one.
    constexpr bool stands_apart(int id) const {
        if (id < repeat_) return true;
        vec<char> made_of_loop(id - repeat_ + 1, 0);
        made_of_loop.at[0] = 1;
        for (int i = repeat_ + 1; i <= id; ++i)
            for (const int a : g.nodes.at[i].in)
                if (a >= repeat_ && made_of_loop.at[a - repeat_] != 0) made_of_loop.at[i - repeat_] = 1;
        return made_of_loop.back() == 0;
    }
    constexpr bool lies_in_memory(int all) const {
        const node& n = g.nodes.at[all];
        const auto is_of_turns = [&](const node& part) { return part.what == tag<structure::turn_part> && part.in[0] == repeat_; };
        if (n.what == tag<structure::input> || is_of_turns(n) || (n.what == tag<structure::slice> && is_of_turns(g.nodes.at[n.in[0]]))) return true;
        for (int j = 0; j < facts_.sequences; ++j)
            if (sequence(j) == all) return true;
        return false;
    }
    /// What is light, in a turn.
    constexpr int in_turn(int all, int rank) {
        const node n = g.nodes.at[all];
        if (n.shape.rank < rank) return all;
        if (lies_in_memory(all)) return element_of_sequence(all);
        if (n.what == tag<structure::broadcast>) {
            detail::shape one;
            one.rank = rank - 1;
            for (int i = 0; i < one.rank; ++i) one[i] = n.shape[i + 1];
            return structure::broadcast::of(g, n.in[0], one);
        }
        std::array<int, 3> in{-1, -1, -1};
        for (int k = 0; k < 3; ++k)
            if (n.in[k] >= 0) in[static_cast<unsigned>(k)] = in_turn(n.in[k], rank);
        return g.apply(n.fn, in[0], in[1], in[2]);
    }
    /// The cotangent of what the turns give out, in a turn. That of a sum, or of squares, is no sequence that lies in memory besides.
    constexpr int cotangent_of_turn(int all) {
        int left = 16;
        const int rank = g.nodes.at[all].shape.rank;
        return is_light(all, rank, left) ? in_turn(all, rank) : element_of_sequence(all);
    }
    /// A value that the backward loop carries, `first` before its first turn.
    constexpr int carry(int first) {
        first_.push(first);
        next_.push(-1);
        return structure::turn_value::of(g, back_, turn_role::carried, first_.size() - 1, g.nodes.at[first].type, g.nodes.at[first].shape);
    }
    constexpr int zeros(int like) const { return structure::broadcast::of(g, g.literal(g.nodes.at[like].type, 0), g.nodes.at[like].shape); }

    /// What comes into a turn from behind: the cotangents of what is carried on, and of the results that it has part in.
    constexpr void seed() {
        inner_.of.assign(count_, -1);
        adjoint_.assign(facts_.carried, -1);
        vec<int> last(facts_.carried, -1);
        for (int id = repeat_ + 1; id < count_; ++id) {
            const node n = g.nodes.at[id];
            if (n.what != tag<structure::turn_part> || n.in[0] != repeat_ || outer_.of.at[id] < 0) continue;
            const int cotangent = outer_.full(outer_.of.at[id], id), k = part_index(n.bits);
            const loop_result what = part_role(n.bits);
            if (what == loop_result::last) {
                last.at[k] = cotangent;
            } else if (what == loop_result::stack) {
                if (inner_.depends.at[n.in[1]] != 0) inner_.add(n.in[1], cotangent_of_turn(cotangent));
            } else {
                const int after = structure::slice::of(g, cotangent, 0, facts_.reverse ? 0 : 1, facts_.turns, 1);
                if (inner_.depends.at[next_of(k)] != 0) inner_.add(next_of(k), cotangent_of_turn(after));
                if (outer_.wanted(first_of(k))) add_outside(first_of(k), structure::gather::of(g, cotangent, place_of_first(), 0, false));
            }
        }
        for (int k = 0; k < facts_.carried; ++k) {
            const int v = variable_.at[k];
            if (v < 0 || inner_.depends.at[v] == 0) {
                // Nothing that is carried on depends on it, but the last value can, which of no turns is the first.
                if (last.at[k] >= 0 && (inner_.depends.at[next_of(k)] != 0 || outer_.wanted(first_of(k)))) adjoint_.at[k] = carry(last.at[k]);
            } else {
                adjoint_.at[k] = carry(last.at[k] >= 0 ? last.at[k] : zeros(v));
            }
            if (adjoint_.at[k] >= 0 && inner_.depends.at[next_of(k)] != 0) inner_.add(next_of(k), adjoint_.at[k]);
        }
    }
    /// Where a trajectory has the value before the first turn.
    constexpr int place_of_first() const {
        const int end = g.size(element::int64, facts_.turns);
        int count = g.nodes.at[repeat_].in[1];
        if (!facts_.retraces || count < 0) return facts_.reverse ? end : g.literal(element::int64, 0);
        // What a program counts by can be more than there may be.
        if (g.nodes.at[count].what != tag<structure::turn_part>) count = g.apply(code<op::clip>, count, g.literal(element::int64, 0), end);
        return facts_.reverse ? count : (term{&g, end} - term{&g, count}).id;
    }

    constexpr void build() {
        vec<int> roots;
        vec<int> carried(facts_.carried, -1), contribution(count_, -1);
        for (int k = 0; k < facts_.carried; ++k) {
            if (adjoint_.at[k] < 0) continue;
            const int v = variable_.at[k];
            const int like = v >= 0 ? v : next_of(k);
            carried.at[k] = v >= 0 && inner_.of.at[v] >= 0 ? inner_.full(inner_.of.at[v], v) : zeros(like);
            roots.push(carried.at[k]);
        }
        vec<int> of_element(facts_.sequences, -1);
        for (int j = 0; j < facts_.sequences; ++j)
            if (const int v = variable_.at[facts_.carried + j]; v >= 0 && inner_.of.at[v] >= 0 && outer_.wanted(sequence(j))) {
                of_element.at[j] = inner_.full(inner_.of.at[v], v);
                roots.push(of_element.at[j]);
            }
        for (int id = 0; id < count_; ++id)
            if (!in_region(id) && inner_.of.at[id] >= 0 && outer_.wanted(id)) {
                contribution.at[id] = inner_.of.at[id];
                roots.push(contribution.at[id]);
            }
        given_.provide(roots, variable_, back_, [this](int v, int k) {
            if (k < 0) return element_of_sequence(structure::turn_part::stack(g, repeat_, v));
            return element_of_sequence(k < facts_.carried ? structure::turn_part::before(g, repeat_, k, v) : sequence(k - facts_.carried));
        });
        find_regions(g, masks_);
        int index = 0;
        for (int k = 0; k < facts_.carried; ++k)
            if (carried.at[k] >= 0) next_.at[index++] = moved(carried.at[k]);
        for (int j = 0; j < facts_.sequences; ++j)
            if (of_element.at[j] >= 0) of_element.at[j] = moved(of_element.at[j]);
        // What is captured: a sum over all turns, added up on the way, or as one product of all turns behind the loop.
        vec<int> added, sum_of, factor_a, factor_b, product_of;
        for (int id = 0; id < count_; ++id) {
            if (contribution.at[id] < 0) continue;
            vec<int> terms;
            list_terms(moved(contribution.at[id]), terms);
            int rest = -1;
            for (const int t : terms) {
                if (is_stacked_product(t)) {
                    factor_a.push(g.nodes.at[t].in[0]);
                    factor_b.push(g.nodes.at[t].in[1]);
                    product_of.push(id);
                } else {
                    rest = rest < 0 ? t : (term{&g, rest} + term{&g, t}).id;
                }
            }
            if (rest < 0) continue;
            const int sum = carry(zeros(id));
            next_.back() = (term{&g, sum} + term{&g, structure::broadcast::of(g, rest, g.nodes.at[id].shape)}).id;
            added.push(first_.size() - 1);
            sum_of.push(id);
        }
        g.loops.at[back_].carried = first_.size();
        g.loops.at[back_].sequences = sequences_.size();
        vec<int> arguments;
        for (int k = 0; k < first_.size(); ++k) {
            arguments.push(first_.at[k]);
            arguments.push(next_.at[k]);
        }
        for (const int s : sequences_) arguments.push(s);
        // What is stacked keeps the loop where all of it is known.
        for (const int e : of_element)
            if (e >= 0) arguments.push(e);
        for (const int a : factor_a) arguments.push(a);
        for (const int b : factor_b) arguments.push(b);
        const int back = structure::repeat::of(g, back_, arguments, turns_);
        index = 0;
        for (int k = 0; k < facts_.carried; ++k) {
            if (carried.at[k] < 0) continue;
            if (outer_.wanted(first_of(k))) add_outside(first_of(k), reached(back, structure::turn_part::last(g, back, index, next_.at[index])));
            ++index;
        }
        for (int j = 0; j < facts_.sequences; ++j)
            if (of_element.at[j] >= 0) add_outside(sequence(j), stacked(back, of_element.at[j]));
        for (int i = 0; i < added.size(); ++i) add_outside(sum_of.at[i], structure::turn_part::last(g, back, added.at[i], next_.at[added.at[i]]));
        for (int i = 0; i < product_of.size(); ++i) add_outside(product_of.at[i], product_over_turns(back, factor_a.at[i], factor_b.at[i]));
    }

    /// What the backward loop has at its end is the cotangent of what was there first only where it went back as far.
    constexpr int reached(int back, int last) const {
        if (facts_.truncated == 0) return last;
        const int all = turns_ >= 0 ? turns_ : g.size(element::int64, facts_.turns), whole = g.apply(code<op::equal>, structure::turn_part::turns(g, back), all);
        return g.apply(code<op::where>, whole, last, g.literal(g.nodes.at[last].type, 0));
    }

    /// A value in the backward loop's turns.
    constexpr int moved(int id) { return given_.moved(id); }

    // Behind the loop

    constexpr void list_terms(int id, vec<int>& terms) const {
        const node& n = g.nodes.at[id];
        if (g.is<op::add>(id) && g.same_shape(n.shape, g.nodes.at[n.in[0]].shape) && g.same_shape(n.shape, g.nodes.at[n.in[1]].shape)) {
            list_terms(n.in[0], terms);
            list_terms(n.in[1], terms);
        } else {
            terms.push(id);
        }
    }
    constexpr bool is_stacked_product(int id) const {
        const node& n = g.nodes.at[id];
        return n.what == tag<structure::dot> && n.shape.rank == 2 && !facts_.only_states;
    }
    /// All turns of a value of a turn, one behind the other; zeros of turns that there are not.
    constexpr int stacked(int back, int value) {
        if (turns_ >= 0 || facts_.truncated != 0) return structure::turn_part::stack(g, back, value);
        for (int j = 0; j < elements_.size(); ++j)
            if (elements_.at[j] == value) return sequences_.at[j];
        find_regions(g, masks_);
        if (has(value, back_)) return structure::turn_part::stack(g, back, value);
        detail::shape all = g.nodes.at[value].shape;
        all.rank = all.rank + 1;
        for (int i = all.rank - 1; i > 0; --i) all[i] = g.nodes.at[value].shape[i - 1];
        all[0] = facts_.turns;
        return structure::broadcast::of(g, value, all);
    }
    /// The rows of a matrix of every turn as one matrix, [turns * m, n], of the columns where it is turned.
    constexpr int rows_over_turns(int back, int value, bool turned) {
        const node n = g.nodes.at[value];
        const bool transposed_already = n.what == tag<structure::view> && n.shape.rank == 2 && view_axis(n.bits, 0) == 1 && view_axis(n.bits, 1) == 0;
        int all = stacked(back, turned && transposed_already ? n.in[0] : value);
        if (turned && !transposed_already) all = structure::view::of(g, all, 3, {0, 2, 1});
        const detail::shape from = g.nodes.at[all].shape;
        detail::shape to;
        to.rank = 2;
        to[0] = g.product(from[0], from[1]);
        to[1] = from[2];
        return structure::reshape::of(g, all, to);
    }
    /// The sum of a product over all turns.
    constexpr int product_over_turns(int back, int a, int b) {
        return structure::dot::of(g, structure::view::of(g, rows_over_turns(back, a, true), 2, {1, 0}), rows_over_turns(back, b, false));
    }
};

template <class C> constexpr void structure::repeat::pull(C& c, int id) { backward_loop(c, id).run(); }

}  // namespace croton::inline v0_1::detail

#endif
