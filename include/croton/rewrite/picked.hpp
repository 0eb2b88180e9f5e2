// SPDX-License-Identifier: MIT
// Products of rows that a gather picks: where the table is small each of its rows is multiplied once, however often it is picked.
#ifndef CROTON_REWRITE_PICKED_HPP
#define CROTON_REWRITE_PICKED_HPP

#include <croton/rewrite/sweep.hpp>

namespace croton::inline v0_1::detail {

/// dot(take(e, i), w) is take(dot(e, w), i). In a derivative, where x is take(e, i): dot(x^T, y) is dot(e^T, s), and add_at(0, i, dot(y, w)) is
/// dot(s, w), where s is add_at(0, i, y), which has as many rows as e.
///
/// It is worth it where at least two rows are picked for each of the table: half of the operations go, and what comes instead, to copy or
/// add up the rows of a result, is done once where the product has done it. Where only the call knows the extents, it decides: the first rows of
/// the table and the first of those picked go one way, the rest the other, and one of the two has no rows.
class picked_pass {
public:
    constexpr picked_pass(arena& graph, fired_rules& counts) : g(graph), fired(counts) {}

    constexpr void run(vec<int>& roots) {
        const int count = g.nodes.size();
        bool any = false;
        for (int id = 0; id < count && !any; ++id) any = g.nodes.at[id].what == tag<structure::gather> || g.nodes.at[id].what == tag<structure::scatter>;
        if (!any) return;
        const liveness live(g, roots);
        vec<int> map;
        rebuild_live(g, roots, live, map, [&](int id) {
            const node n = g.nodes.at[id];
            int made = -1;
            if (n.what == tag<structure::dot>) made = product(with_arguments(g, id, map));
            else if (n.what == tag<structure::scatter> && live.uses.at[product_in(n.in[2])] == 1) made = sum_of_products(with_arguments(g, id, map));
            if (made >= 0) fired.add(rule::picked_rows);
            return made;
        });
    }

private:
    arena& g;
    fired_rules& fired;

    /// Rows of a table, the first `picks` of them by a product of its first `rows`.
    struct picked {
        int table = -1, indices = -1, flat = -1;
        size_ref rows = 0, picks = 0, others = 0;
        constexpr bool is_whole() const { return others == 0; }
    };

    constexpr bool is_derived(const node& n) const { return g.free_algebra || n.derived; }
    constexpr size_ref extent(int id, int axis) const { return g.find(g.nodes.at[id].shape.extent[axis]); }
    constexpr int last_axis(int id) const { return g.nodes.at[id].shape.rank - 1; }
    constexpr int part(int id, size_ref start, size_ref count) { return structure::slice::of(g, id, 0, start, count, 1); }
    constexpr int first(const picked& p, int id) { return p.is_whole() ? id : part(id, 0, p.picks); }
    constexpr int rest(const picked& p, int id) { return part(id, p.picks, p.others); }
    constexpr int rows(const picked& p) { return part(p.table, 0, p.rows); }
    constexpr int other_rows(const picked& p) { return structure::gather::of(g, p.table, rest(p, p.flat), 0, false); }

    /// Whether the table may be small enough, and how many of its rows and of those picked go by it.
    constexpr bool divide(picked& p, size_ref all) {
        const size_ref count = extent(p.flat, 0), twice = g.product(all, 2);
        p.rows = all;
        p.picks = count;
        if (all >= 0 && count >= 0) return count >= twice;
        if (count < 0) {
            const size_entry e = g.sizes.at[size_table::index_of(count)];
            if (e.what == size_entry::origin::product && ((g.find(e.a) == all && g.find(e.b) > 1) || (g.find(e.b) == all && g.find(e.a) > 1))) return true;
        }
        const size_ref is_small = g.minimum(g.difference(g.sum(count, 1), twice), 1);
        p.rows = g.product(all, is_small);
        p.picks = g.product(count, is_small);
        p.others = g.difference(count, p.picks);
        return is_small != 0;
    }

    constexpr bool find_picked(int id, picked& p) {
        const int from = g.nodes.at[id].what == tag<structure::reshape> ? g.nodes.at[id].in[0] : id;
        const node n = g.nodes.at[from];
        if (n.what != tag<structure::gather> || structure::gather::is_aligned(n) || structure::gather::axis_of(n) != 0 || !is_floating(n.type)) return false;
        if (g.nodes.at[n.in[0]].shape.rank != 2 || n.shape.rank < 2 || extent(id, last_axis(id)) != extent(from, last_axis(from))) return false;
        p.table = n.in[0];
        p.indices = n.in[1];
        p.flat = structure::flat_indices(g, n.in[1]);
        return divide(p, extent(p.table, 0));
    }

    /// Rows one behind the other, `whole` together.
    constexpr int joined(int a, int b, size_ref whole) {
        const int made = structure::concatenate::of(g, 0, a, b);
        (void)g.unify(g.nodes.at[made].shape.extent[0], whole, tie::concatenate);
        return made;
    }

    constexpr int product(const node& n) {
        picked p;
        if (g.nodes.at[n.in[1]].shape.rank <= 2 && find_picked(n.in[0], p)) {
            const int by_table = structure::dot::of(g, rows(p), n.in[1]);
            int made = structure::gather::of(g, by_table, p.is_whole() ? p.indices : first(p, p.flat), 0, false);
            if (!p.is_whole()) made = joined(made, structure::dot::of(g, other_rows(p), n.in[1]), extent(p.flat, 0));
            return structure::reshape::of(g, made, n.shape);
        }
        const node turned = g.nodes.at[n.in[0]];
        const bool transposes = turned.what == tag<structure::view> && turned.shape.rank == 2 && view_axis(turned.bits, 0) == 1 && view_axis(turned.bits, 1) == 0;
        if (!is_derived(n) || !transposes || !find_picked(turned.in[0], p)) return -1;
        const int made = structure::dot::of(g, structure::transposed(g, rows(p)), added_up(p, n.in[1]));
        if (p.is_whole()) return made;
        return g.apply(code<op::add>, made, structure::dot::of(g, structure::transposed(g, other_rows(p)), rest(p, n.in[1])));
    }

    constexpr int zeros(int like, size_ref count) {
        shape to = g.nodes.at[like].shape;
        to[0] = count;
        return structure::broadcast::of(g, g.literal(g.nodes.at[like].type, 0), to);
    }
    /// The sum, for each row of the table, of the rows of `values` that stand where it was picked.
    constexpr int added_up(const picked& p, int values) {
        return structure::scatter::of(g, zeros(values, p.rows), first(p, p.flat), first(p, values), 0, false, false);
    }

    constexpr bool is_scaled(int id) const { return g.is<op::multiply>(id) && g.nodes.at[g.nodes.at[id].in[1]].shape.rank == 0; }
    /// The product that values are, in another shape or behind a number that they are multiplied by, or what they are else.
    constexpr int product_in(int id, int* scale = nullptr) const {
        for (bool scaled = false;;) {
            if (is_scaled(id) && !scaled) {
                scaled = true;
                if (scale != nullptr) *scale = g.nodes.at[id].in[1];
            } else if (g.nodes.at[id].what != tag<structure::reshape>) {
                return id;
            }
            id = g.nodes.at[id].in[0];
        }
    }

    constexpr int sum_of_products(const node& n) {
        int scale = -1;
        const int found = product_in(n.in[2], &scale);
        const node made = g.nodes.at[found];
        const bool is_zero = g.is_literal(g.nodes.at[n.in[0]].what == tag<structure::broadcast> ? g.nodes.at[n.in[0]].in[0] : n.in[0], 0);
        if (!is_derived(n) || !is_zero || structure::scatter::puts(n) || structure::scatter::is_aligned(n) || kernel::axis_of(n.bits) != 0) return -1;
        if (made.what != tag<structure::dot> || n.shape.rank != 2 || g.nodes.at[made.in[1]].shape.rank != 2) return -1;
        if (extent(found, last_axis(found)) != g.find(n.shape.extent[1])) return -1;
        picked p;
        p.flat = p.indices = n.in[1];
        if (!divide(p, g.find(n.shape.extent[0]))) return -1;
        // The rows of the left side, one for each index.
        shape to = n.shape;
        to[0] = extent(p.flat, 0);
        to[1] = g.nodes.at[made.in[0]].shape.extent[last_axis(made.in[0])];
        const int left = structure::reshape::of(g, made.in[0], to), right = made.in[1];
        int sum = structure::dot::of(g, added_up(p, left), right);
        if (!p.is_whole()) {
            const size_ref all = g.find(n.shape.extent[0]);
            const int base = joined(sum, zeros(sum, g.difference(all, p.rows)), all);
            sum = structure::scatter::of(g, base, rest(p, p.flat), structure::dot::of(g, rest(p, left), right), 0, false, false);
        }
        return scale >= 0 ? g.apply(code<op::multiply>, sum, scale) : sum;
    }
};

}  // namespace croton::inline v0_1::detail

#endif
