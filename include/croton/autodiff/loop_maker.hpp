// SPDX-License-Identifier: MIT
// The loop of a turn that was traced: as it is, in chunks that derivatives run again, or with several turns written out as one.
#ifndef CROTON_AUTODIFF_LOOP_MAKER_HPP
#define CROTON_AUTODIFF_LOOP_MAKER_HPP

#include <croton/autodiff/around_loop.hpp>
#include <croton/autodiff/turns_in_numbers.hpp>
#include <croton/graph/backward_loop.hpp>

namespace croton::inline v0_1::detail {

/// A turn: what it is given, and what it leaves.
struct traced_turn {
    int loop = 0;
    int number = -1;             // of the turn, where that was asked for
    vec<int> carried, elements;  // what it is given
    vec<int> next, out;          // what it leaves, and
    int end = -1;                // what says that it was the last one, or -1
};
/// What a loop gives.
struct loop_values {
    int repeat = -1;
    vec<int> last, stacks;

    constexpr void take(const vec<int>& states, const vec<int>& outs) {
        last.clear();
        stacks.clear();
        for (const int s : states) last.push(s);
        for (const int o : outs) stacks.push(o);
    }
};

/// Makes the loop of a turn. `checkpoint` and `unroll` are as scan has them.
struct loop_maker {
    arena& g;
    bool moves;  // what can be computed for all turns at once is, where that pays
    int checkpoint = 0, unroll = 1;

private:
    // clang reads a function that deduces before those that call it.
    /// A loop over chunks of `every` turns and one over the turns that are left, behind the chunks where the elements lie. `fill(chunk, number)` says what a chunk leaves;
    /// `number` is that of its first element's turn.
    template <class Fill> constexpr void cut(traced_turn& t, const vec<int>& first, vec<int>& sequences, size_ref every, bool only_states, loop_values& out, Fill&& fill) {
        loop_facts facts = g.loops.at[t.loop];
        const size_ref turns = g.find(facts.turns), rest = g.remainder(turns, every), whole = g.difference(turns, rest);
        traced_turn chunk;
        facts.turns = g.quotient(whole, every);
        facts.only_states = facts.only_states || only_states;
        chunk.loop = add_loop(g, facts);
        for (int k = 0; k < first.size(); ++k)
            chunk.carried.push(structure::turn_value::of(g, chunk.loop, turn_role::carried, k, g[first[k]].type, g[first[k]].shape));
        vec<int> front, behind;
        for (int j = 0; j < sequences.size() && !g.failed(); ++j) {
            const element type = g[sequences[j]].type;
            shape one = g[sequences[j]].shape;
            if (one.rank == max_rank) {
                g.error << "scan: with checkpoint or unroll a sequence has at most 7 axes, because a turn walks along several elements";
                return;
            }
            one[0] = every;
            front.push(in_chunks(structure::slice::of(g, sequences[j], 0, 0, whole, 1), facts.turns, one));
            behind.push(structure::slice::of(g, sequences[j], 0, whole, rest, 1));
            chunk.elements.push(structure::turn_value::of(g, chunk.loop, turn_role::element, j, type, one));
        }
        if (g.failed()) return;
        int number = -1;
        if (t.number >= 0) {
            const int at = structure::turn_value::of(g, chunk.loop, turn_role::turn, 0, element::int64, shape());
            number = g.apply(code<op::multiply>, at, g.size(element::int64, every));
        }
        fill(chunk, number);
        if (g.failed()) return;
        loop_maker plain{g, false};
        const bool has_rest = g.find(rest) != 0;
        loop_values chunks, others;
        if (!has_rest || !facts.reverse) plain.make_plain(chunk, first, front, -1, chunks);
        if (!has_rest) {
            out.take(chunks.last, chunks.stacks);
        } else {
            if (t.number >= 0) {
                vec<loop_mask> masks;
                find_regions(g, masks);
                substitution shifted(g);
                shifted.put(t.number, g.apply(code<op::add>, t.number, g.size(element::int64, whole)));
                for (int& n : t.next) n = shifted.take(n, masks, bit_of_loop(t.loop));
                for (int& o : t.out) o = shifted.take(o, masks, bit_of_loop(t.loop));
            }
            g.loops.at[t.loop].turns = rest;
            if (only_states) make_written(t, facts.reverse ? first : chunks.last, behind, -1, others);
            else plain.make_plain(t, facts.reverse ? first : chunks.last, behind, -1, others);
            if (facts.reverse) plain.make_plain(chunk, others.last, front, -1, chunks);
            out.take(facts.reverse ? chunks.last : others.last, chunks.stacks);
        }
        for (int i = 0; i < chunks.stacks.size(); ++i) {
            // [chunks, every, ...] is [whole, ...].
            const detail::shape from = g[chunks.stacks[i]].shape;
            detail::shape all;
            all.rank = from.rank - 1;
            for (int k = 1; k < all.rank; ++k) all[k] = from[k + 1];
            all[0] = whole;
            out.stacks[i] = structure::reshape::of(g, chunks.stacks[i], all);
            if (!has_rest) continue;
            out.stacks[i] = structure::concatenate::of(g, 0, out.stacks[i], others.stacks[i]);
            g.unify(g[out.stacks[i]].shape[0], turns, tie::declaration);
        }
    }

    constexpr size_ref turns_of(const traced_turn& t) const { return g.loops.at[t.loop].turns; }

    /// Without checkpoints.
    constexpr void make_written(traced_turn& t, const vec<int>& first, vec<int>& sequences, int limit, loop_values& out) {
        const size_ref turns = g.find(turns_of(t));
        const int count = turns >= 0 && turns < unroll ? static_cast<int>(turns) : unroll;
        if (count <= 1) return make_plain(t, first, sequences, limit, out);
        if (moves) {
            turn_mover mover(g, t.loop, turns_of(t));
            move_before(mover, t, sequences, limit < 0 && t.end < 0);
        }
        const bool reverse = g.loops.at[t.loop].reverse;
        cut(t, first, sequences, count, false, out, [&](traced_turn& whole, int number) {
            vec<int> state, row;
            for (const int c : whole.carried) state.push(c);
            row.assign(t.out.size() * count, -1);
            for (int s = 0; s < count && !g.failed(); ++s) {
                const int at = reverse ? count - 1 - s : s;
                traced_turn one;
                substitution copied(g);
                for (int k = 0; k < state.size(); ++k) copied.put(t.carried[k], state[k]);
                for (int j = 0; j < t.elements.size(); ++j) copied.put(t.elements[j], row_of(whole.elements[j], at));
                if (t.number >= 0) copied.put(t.number, g.apply(code<op::add>, number, g.literal(element::int64, at)));
                copy(t, copied, false, one);
                for (int k = 0; k < state.size(); ++k) state[k] = one.next[k];
                for (int i = 0; i < t.out.size(); ++i) row[i * count + at] = one.out[i];
            }
            if (g.failed()) return;
            for (const int v : state) whole.next.push(v);
            for (int i = 0; i < t.out.size(); ++i) {
                int all = as_row(row[i * count]);
                for (int at = 1; at < count; ++at) all = structure::concatenate::of(g, 0, all, as_row(row[i * count + at]));
                whole.out.push(all);
            }
        });
    }

    constexpr void make_plain(traced_turn& t, const vec<int>& first, vec<int>& sequences, int limit, loop_values& out) {
        turn_mover mover(g, t.loop, turns_of(t));
        const loop_facts& facts = g.loops.at[t.loop];
        const bool whole = limit < 0 && t.end < 0 && !facts.unbounded;
        if (moves) move_before(mover, t, sequences, whole);
        if (moves && !g.failed() && make_in_numbers(t, first, sequences, limit, out)) return;
        // A derivative that goes back through a few turns would go through all that is done behind them.
        if (moves && whole && facts.truncated == 0 && !g.failed()) mover.behind(t.elements, sequences, t.next, t.out);
        g.loops.at[t.loop].sequences = sequences.size();
        vec<int> arguments;
        for (int k = 0; k < first.size(); ++k) {
            arguments.push(first[k]);
            arguments.push(t.next[k]);
        }
        for (const int s : sequences) arguments.push(s);
        for (const int o : t.out)
            if (!mover.is_behind(o)) arguments.push(o);
        for (const int k : mover.kept()) arguments.push(k);
        out.repeat = structure::repeat::of(g, t.loop, arguments, limit, t.end);
        for (int k = 0; k < first.size(); ++k) out.last.push(structure::turn_part::last(g, out.repeat, k, t.next[k]));
        for (const int o : t.out) out.stacks.push(mover.is_behind(o) ? mover.computed_behind(out.repeat, o) : structure::turn_part::stack(g, out.repeat, o));
    }

    /// The same in single numbers, where the arrays of a turn are so small; whether it was done.
    constexpr bool make_in_numbers(const traced_turn& t, const vec<int>& first, const vec<int>& sequences, int limit, loop_values& out) {
        vec<int> left, others;
        for (const int id : t.next) left.push(id);
        if (t.end >= 0) left.push(t.end);
        for (const vec<int>* of : {&t.out, &t.carried, &t.elements})
            for (const int id : *of) others.push(id);
        turns_in_numbers numbers(g, t.loop);
        if (!numbers.fit(left, others)) return false;
        const loop_facts facts = g.loops.at[t.loop];
        traced_turn each;
        vec<int> begin, walked;
        each.loop = add_loop(g, facts);
        const auto give = [&](const vec<int>& given, turn_role role, vec<int>& to, auto&& outside) {
            for (int k = 0; k < given.size(); ++k)
                for (int i = 0, size = numbers.numbers_of(given[k]); i < size; ++i) {
                    to.push(structure::turn_value::of(g, each.loop, role, to.size(), g[given[k]].type, shape()));
                    numbers.stand(given[k], i, to.back());
                    outside(k, i);
                }
        };
        give(t.carried, turn_role::carried, each.carried, [&](int k, int i) { begin.push(numbers.number(first[k], i)); });
        give(t.elements, turn_role::element, each.elements, [&](int j, int i) { walked.push(numbers.along_turns(sequences[j], i)); });
        g.loops.at[each.loop].carried = begin.size();
        if (t.number >= 0) numbers.stand(t.number, 0, each.number = structure::turn_value::of(g, each.loop, turn_role::turn, 0, element::int64, shape()));
        numbers.write();
        if (g.failed()) return true;
        const auto take = [&](const vec<int>& from, vec<int>& to) {
            for (const int id : from)
                for (int i = 0, size = numbers.numbers_of(id); i < size; ++i) to.push(numbers.number(id, i));
        };
        take(t.next, each.next);
        take(t.out, each.out);
        if (t.end >= 0) each.end = numbers.number(t.end, 0);
        loop_values found;
        make_plain(each, begin, walked, limit, found);
        out.repeat = found.repeat;
        int at = 0;
        for (const int n : t.next) out.last.push(numbers.joined(found.last, at, g[n].shape, false)), at += numbers.numbers_of(n);
        at = 0;
        for (const int o : t.out) out.stacks.push(numbers.joined(found.stacks, at, g[o].shape, true)), at += numbers.numbers_of(o);
        return true;
    }

    constexpr void move_before(turn_mover& mover, traced_turn& t, vec<int>& sequences, bool whole) {
        vec<int> left;
        for (const int n : t.next) left.push(n);
        for (const int o : t.out) left.push(o);
        if (t.end >= 0) left.push(t.end);
        mover.before(t.elements, sequences, left, whole);
        for (int k = 0; k < t.next.size(); ++k) t.next[k] = left[k];
        for (int i = 0; i < t.out.size(); ++i) t.out[i] = left[t.next.size() + i];
        if (t.end >= 0) t.end = left.back();
    }

    /// The turn anew, with other values in the place of some; the loops in it are others, and with `own` so is its own.
    constexpr void copy(const traced_turn& t, substitution& copied, bool own, traced_turn& out) {
        vec<loop_mask> masks;
        find_regions(g, masks);
        const loop_mask touched = with_inner_loops(g, masks, bit_of_loop(t.loop));
        for (int l = 0, count = g.loops.size(); l < count; ++l)
            if ((touched & bit_of_loop(l)) != 0 && (own || l != t.loop)) (void)copied.copy_loop(l);
        if (g.failed()) return;
        out.loop = own ? copied.copy_loop(t.loop) : t.loop;
        const auto take = [&](const vec<int>& from, vec<int>& to) {
            for (const int id : from) to.push(copied.take(id, masks, touched));
        };
        take(t.carried, out.carried);
        take(t.elements, out.elements);
        take(t.next, out.next);
        take(t.out, out.out);
    }

    /// [chunks * every, ...] as [chunks, every, ...].
    constexpr int in_chunks(int all, size_ref chunks, const detail::shape& one) {
        detail::shape to;
        to.rank = one.rank + 1;
        to[0] = chunks;
        for (int i = 0; i < one.rank; ++i) to[i + 1] = one[i];
        return structure::reshape::of(g, all, to);
    }
    constexpr int row_of(int all, int at) {
        const int rank = g[all].shape.rank - 1;
        std::array<int, max_rank> source{};
        for (int i = 0; i < rank; ++i) source[static_cast<unsigned>(i)] = i + 1;
        return structure::view::of(g, structure::slice::of(g, all, 0, at, 1, 1), rank, source);
    }
    constexpr int as_row(int value) {
        const int rank = g[value].shape.rank;
        std::array<int, max_rank> source{};
        for (int i = 0; i <= rank; ++i) source[static_cast<unsigned>(i)] = i == 0 ? new_axis : i - 1;
        return structure::view::of(g, value, rank + 1, source);
    }

public:
    /// `first`: what is carried before the first turn; `limit`: how many turns there are at most, or -1.
    constexpr void make(traced_turn& t, const vec<int>& first, vec<int>& sequences, int limit, loop_values& out) {
        const size_ref turns = g.find(turns_of(t));
        const size_ref every = checkpoint < 0 ? g.root(turns) : checkpoint;
        if (every == 1) g.loops.at[t.loop].only_states = true;
        if (every == 0 || every == 1 || (turns >= 0 && every >= turns)) return make_written(t, first, sequences, limit, out);
        cut(t, first, sequences, every, true, out, [&](traced_turn& chunk, int number) {
            traced_turn inner;
            substitution copied(g);
            if (t.number >= 0) {
                inner.number = structure::turn_value::of(g, copied.copy_loop(t.loop), turn_role::turn, 0, element::int64, shape());
                copied.put(t.number, g.apply(code<op::add>, number, inner.number));
            }
            copy(t, copied, true, inner);
            if (g.failed()) return;
            g.loops.at[inner.loop].turns = every;
            loop_values values;
            make_written(inner, chunk.carried, chunk.elements, -1, values);
            for (const int v : values.last) chunk.next.push(v);
            for (const int v : values.stacks) chunk.out.push(v);
        });
    }
};

}  // namespace croton::inline v0_1::detail

#endif
