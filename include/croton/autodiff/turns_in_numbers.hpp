// SPDX-License-Identifier: MIT
// Turns of small arrays written out in single numbers: then each is one kernel, and what is carried stays in registers.
#ifndef CROTON_AUTODIFF_TURNS_IN_NUMBERS_HPP
#define CROTON_AUTODIFF_TURNS_IN_NUMBERS_HPP

#include <array>
#include <cstdint>

#include <croton/graph/region.hpp>
#include <croton/graph/structures.hpp>

namespace croton::inline v0_1::detail {

/// Writes out a turn of arrays whose extents are known and few, where it multiplies or sums what it carries on: steps for which there is a pass each, and less to do than to call them. What a turn of
/// elementwise operators does is one pass already, and products of what is only given out are one behind the loop.
class turns_in_numbers {
public:
    constexpr turns_in_numbers(arena& graph, int loop) : g(graph), loop_(loop) {}

    /// Whether that is done for turns that leave `next` for the next one, and are given and give out `others`.
    constexpr bool fit(const vec<int>& next, const vec<int>& others) {
        // What nobody needs is told by what is carried as it was written.
        const int written = g.loops.at[loop_].written_as;
        if (g.loops.size() > most_loops / 2 || g.loops.at[written < 0 ? loop_ : written].idle != 0) return false;
        find_regions(g, masks_);
        const int count = g.nodes.size();
        needed_.assign(count, 0);
        for (const int r : others) needed_.at[r] = 1;
        for (const int r : next) needed_.at[r] = carried_on;
        int operations = 0, long_ones = 0;
        bool gains = false, reduces = false, raises = false;
        for (int id = count - 1; id >= 0; --id) {
            if (needed_.at[id] == 0) continue;
            const node& n = g.nodes.at[id];
            const int size = numbers_of(id);
            if (size == 0 || is_stored_only(n.type)) return false;
            if (!is_inside(id)) continue;
            if (masks_.at[id] >> loop_ != 1 || !is_known(n)) return false;
            for (const int a : n.in)
                if (a >= 0 && needed_.at[a] < needed_.at[id]) needed_.at[a] = needed_.at[id];
            if (n.what == tag<structure::dot>) operations += size * 2 * last_extent(n.in[0]);
            else if (n.what == tag<structure::reduce>) operations += numbers_of(n.in[0]);
            else if (n.what == tag<structure::apply>) operations += size;
            if (n.what == tag<structure::apply> && g.facts(n.fn).kind == op::typing::floating && n.fn != code<op::sqrt>) long_ones += size;
            gains = gains || (needed_.at[id] == carried_on && (n.what == tag<structure::dot> || n.what == tag<structure::reduce>));
            reduces = reduces || n.what == tag<structure::reduce>;
            raises = raises || (n.what == tag<structure::apply> && n.fn == code<op::exp>);
        }
        // Sums of exponentials are made stable where they are sums.
        return gains && !(reduces && raises) && operations <= most_operations && long_ones <= most_long;
    }

    /// Says that number `index` of a node is `number`.
    constexpr void stand(int id, int index, int number) {
        reserve(id, numbers_of(id));
        pool_.at[first_.at[id] + index] = number;
    }
    /// Makes the numbers of all nodes that are needed.
    constexpr void write() {
        const int count = needed_.size();
        for (int id = 0; id < count && !g.failed(); ++id)
            if (needed_.at[id] != 0 && is_inside(id) && g.nodes.at[id].what != tag<structure::turn_value>) write(id);
    }
    /// Number `index` of a node, in row-major order.
    constexpr int number(int id, int index) {
        if (id < needed_.size() && is_inside(id)) return pool_.at[first_.at[id] + index];
        return part(id, index, 0);
    }
    /// The numbers of all turns that number `index` of what stands behind the first axis has.
    constexpr int along_turns(int sequence, int index) { return part(sequence, index, 1); }
    constexpr int numbers_of(int id) const { return size_of_shape(g.nodes.at[id].shape); }

    /// Nodes that are single numbers, or those of all turns, as one array behind the axis of turns.
    constexpr int joined(const vec<int>& numbers, int from, const detail::shape& one, bool of_turns) {
        const int size = size_of_shape(one), axis = of_turns ? 1 : 0;
        vec<int> rows;
        for (int i = 0; i < size; ++i) rows.push(one.rank == 0 ? numbers[from + i] : structure::view::of(g, numbers[from + i], axis + 1, of_turns ? std::array<int, max_rank>{0, new_axis} : std::array<int, max_rank>{new_axis}));
        if (one.rank == 0) return rows[0];
        // In pairs, so that no piece is joined often.
        while (rows.size() > 1) {
            vec<int> pairs;
            for (int i = 0; i < rows.size(); i += 2) pairs.push(i + 1 < rows.size() ? structure::concatenate::of(g, axis, rows[i], rows[i + 1]) : rows[i]);
            rows.clear();
            for (const int p : pairs) rows.push(p);
        }
        detail::shape to;
        to.rank = one.rank + axis;
        if (of_turns) to[0] = g.nodes.at[rows[0]].shape[0];
        for (int i = 0; i < one.rank; ++i) to[axis + i] = one[i];
        return structure::reshape::of(g, rows[0], to);
    }

private:
    arena& g;
    int loop_;
    vec<loop_mask> masks_;
    vec<char> needed_;       // by node: for what is given out, or `carried_on`
    static constexpr char carried_on = 2;
    vec<int> first_, pool_;  // by node: where its numbers begin

    static constexpr int most_numbers = 16, most_operations = 256, most_long = 8;

    constexpr bool is_inside(int id) const { return (masks_.at[id] & bit_of_loop(loop_)) != 0; }
    constexpr int extent(const detail::shape& s, int axis) const { return static_cast<int>(g.find(s[axis])); }
    constexpr int last_extent(int id) const { return extent(g.nodes.at[id].shape, g.nodes.at[id].shape.rank - 1); }
    /// How many numbers there are of a shape, or 0 where they are many or not known.
    constexpr int size_of_shape(const detail::shape& s) const {
        std::int64_t size = 1;
        for (int i = 0; i < s.rank; ++i) {
            const size_ref n = g.find(s[i]);
            if (n <= 0 || n > most_numbers) return 0;
            size *= n;
        }
        return size > most_numbers ? 0 : static_cast<int>(size);
    }
    constexpr bool is_known(const node& n) const {
        if (n.what == tag<structure::turn_value>) return true;
        if (n.what == tag<structure::dot>) return n.shape.rank <= 2;
        if (n.what == tag<structure::reduce>) return reduces_by(n.fn) >= 0;
        return n.what == tag<structure::apply> || n.what == tag<structure::cast> || n.what == tag<structure::view> || n.what == tag<structure::broadcast> || n.what == tag<structure::reshape> ||
               n.what == tag<structure::concatenate> || (n.what == tag<structure::slice> && slice_start(n.bits) >= 0);
    }
    static constexpr int reduces_by(int fn) {
        return fn == reduction_code<reduction::sum> ? code<op::add> : fn == reduction_code<reduction::prod> ? code<op::multiply> : fn == reduction_code<reduction::max> ? code<op::maximum>
             : fn == reduction_code<reduction::min> ? code<op::minimum> : -1;
    }

    constexpr void reserve(int id, int count) {
        first_.resize(g.nodes.size(), -1);
        if (first_.at[id] >= 0) return;
        first_.at[id] = pool_.size();
        for (int i = 0; i < count; ++i) pool_.push(-1);
    }
    using place = std::array<int, max_rank>;
    constexpr place place_of(const detail::shape& s, int index) const {
        place at{};
        for (int i = s.rank; i-- > 0; index /= extent(s, i)) at[static_cast<unsigned>(i)] = index % extent(s, i);
        return at;
    }
    /// Of axes that end with those of `s`; where an extent is 1 it repeats.
    constexpr int index_in(const detail::shape& s, const place& at, int rank) const {
        int index = 0;
        for (int i = 0; i < s.rank; ++i) index = index * extent(s, i) + (extent(s, i) == 1 ? 0 : at[static_cast<unsigned>(i + rank - s.rank)]);
        return index;
    }
    /// Number `index` of what stands behind the first `kept` axes, of nodes outside.
    constexpr int part(int id, int index, int kept) {
        detail::shape s = g.nodes.at[id].shape;
        for (int i = kept; i < s.rank; ++i) s[i - kept] = s[i];
        s.rank -= kept;
        const place at = place_of(s, index);
        for (int i = 0; i < s.rank; ++i) id = structure::slice::of(g, id, i + kept, at[static_cast<unsigned>(i)], 1, 1);
        return structure::view::of(g, id, kept, {0});
    }
    constexpr void write(int id) {
        const node n = g.nodes.at[id];
        const int size = numbers_of(id);
        vec<int> made;
        for (int i = 0; i < size; ++i) made.push(one(n, i));
        reserve(id, size);
        for (int i = 0; i < size; ++i) pool_.at[first_.at[id] + i] = made[i];
    }
    constexpr int one(const node& n, int index) {
        const auto shape_of = [&](int k) -> const detail::shape& { return g.nodes.at[n.in[k]].shape; };
        const place at = place_of(n.shape, index);
        const auto repeated = [&](int k) { return n.in[k] < 0 ? -1 : number(n.in[k], index_in(shape_of(k), at, n.shape.rank)); };
        if (n.what == tag<structure::apply>) return g.apply(n.fn, repeated(0), repeated(1), repeated(2));
        if (n.what == tag<structure::cast>) return structure::cast::of(g, n.type, number(n.in[0], index));
        if (n.what == tag<structure::reshape>) return number(n.in[0], index);
        if (n.what == tag<structure::broadcast>) return repeated(0);
        if (n.what == tag<structure::dot>) {
            const bool vector = n.shape.rank == 1;
            const int depth = last_extent(n.in[0]), row = at[0], column = vector ? 0 : at[1], columns = vector ? 1 : last_extent(n.in[1]);
            int sum = -1;
            for (int k = 0; k < depth; ++k) {
                const int product = g.apply(code<op::multiply>, number(n.in[0], row * depth + k), number(n.in[1], k * columns + column));
                sum = sum < 0 ? product : g.apply(code<op::add>, sum, product);
            }
            return sum;
        }
        place of = at;
        if (n.what == tag<structure::view>) {
            of = {};
            for (int i = 0; i < n.shape.rank; ++i)
                if (const int source = view_axis(n.bits, i); source != new_axis) of[static_cast<unsigned>(source)] = at[static_cast<unsigned>(i)];
        } else if (n.what == tag<structure::slice>) {
            const auto axis = static_cast<unsigned>(slice_axis(n.bits));
            of[axis] = static_cast<int>(slice_start(n.bits) + of[axis] * slice_step(n.bits));
        } else if (n.what == tag<structure::concatenate>) {
            const auto axis = static_cast<unsigned>(n.bits);
            const int before = extent(shape_of(0), static_cast<int>(axis));
            if (of[axis] >= before) {
                of[axis] -= before;
                return number(n.in[1], index_in(shape_of(1), of, n.shape.rank));
            }
        } else {
            return reduced(n, at);
        }
        return number(n.in[0], index_in(shape_of(0), of, shape_of(0).rank));
    }
    constexpr int reduced(const node& n, const place& at) {
        const detail::shape from = g.nodes.at[n.in[0]].shape;
        int found = -1;
        for (int i = 0; i < size_of_shape(from); ++i) {
            const place of = place_of(from, i);
            bool within = true;
            for (int k = 0; k < from.rank; ++k) within = within && (((n.bits >> k) & 1) != 0 || of[static_cast<unsigned>(k)] == at[static_cast<unsigned>(k)]);
            if (!within) continue;
            const int next = number(n.in[0], i);
            found = found < 0 ? next : g.apply(reduces_by(n.fn), found, next);
        }
        return found;
    }
};

}  // namespace croton::inline v0_1::detail

#endif
