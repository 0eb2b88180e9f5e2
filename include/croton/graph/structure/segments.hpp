// SPDX-License-Identifier: MIT
// The extremes and the products of values that indices bring to one place along an axis.
#ifndef CROTON_GRAPH_STRUCTURE_SEGMENTS_HPP
#define CROTON_GRAPH_STRUCTURE_SEGMENTS_HPP

#include <croton/core/literals.hpp>
#include <croton/graph/structures.hpp>
#include <croton/kernel/routine/scatter.hpp>

namespace croton::inline v0_1::detail::structure {

/// Arguments: a constant for each place, the indices and the values, as for a scatter.
struct segments {  // bits: the axis; behind it 1: aligned; and what becomes of the values
    static constexpr std::string_view name = "segments"sv;
    static constexpr placement place = placement::call;
    static constexpr bool is_lasting = true;

    template <class C> static constexpr void pull(C& cotangents, int id) {
        const auto n = cotangents.g[id];
        if (!cotangents.wanted(n.in[2])) return;
        const int c = cotangents.full(cotangents.of[id], id);
        cotangents.add(n.in[2], how(n) == kernel::brought::multiplied ? of_product(cotangents, id, c) : of_extreme(cotangents, id, c));
    }
    /// Where each has indices of its own they are written out for every value.
    template <class B> static constexpr int batch(B& b, const node& n) {
        const int axis = kernel::axis_of(n.bits) + 1, base = b.whole(n.in[0]), values = b.whole(n.in[2]);
        if (!is_aligned(n) && !b.varies(n.in[1])) return of(b.g, how(n), base, b.at(n.in[1]), values, axis, false);
        const int indices = b.whole(n.in[1]);
        return of(b.g, how(n), base, is_aligned(n) ? indices : written_out(b.g, indices, values, axis, 1), values, axis, true);
    }

    template <class G> static constexpr int of(G& g, kernel::brought how, int base, int indices, int values, int axis, bool aligned) {
        node n = g.like(g.own_structure(structure_facts_of<later<G, segments>>), base);
        set_arguments(n, base, indices, values);
        n.bits = kernel::along_axis(axis, static_cast<int>(how) << 1 | (aligned ? 1 : 0));
        return g.intern(n);
    }
    static constexpr kernel::brought how(const node& n) { return static_cast<kernel::brought>(kernel::attributes_of(n.bits) >> 1); }
    static constexpr bool is_aligned(const node& n) { return (kernel::attributes_of(n.bits) & 1) != 0; }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, how(n), n.in[0], n.in[1], n.in[2], kernel::axis_of(n.bits), is_aligned(n)); }
    template <class N> static constexpr const kernel::routine_facts* routine(const N& n) {
        using enum kernel::brought;
        return how(n) == larger ? one_of<N, larger>(n) : how(n) == smaller ? one_of<N, smaller>(n) : one_of<N, multiplied>(n);
    }
    static constexpr void describe(const arena& g, text_builder& out, const node& n) { out << "the result of " << g.structure_of(n).routine(n)->name; }

private:
    template <class N, kernel::brought How> static constexpr const kernel::routine_facts* one_of(const N& n) {
        return is_aligned(n) ? &kernel::routine_of<later<N, kernel::scatter<How, true>>>::facts : &kernel::routine_of<later<N, kernel::scatter<How, false>>>::facts;
    }

    /// The indices for every value, whose axis `from` lies along `axis`; one before it is the first.
    template <class G> static constexpr int written_out(G& g, int indices, int values, int axis, int from) {
        std::array<int, max_rank> source{};
        const int rank = g.nodes.at[values].shape.rank;
        for (int i = from; i < rank; ++i) source[static_cast<unsigned>(i)] = i == axis ? from : new_axis;
        return broadcast::of(g, view::of(g, indices, rank, source), g.nodes.at[values].shape);
    }

    template <class C> static constexpr auto picks(C& cotangents, const auto& n) {
        return [&cotangents, n](int table) { return cotangents.make(gather::of(cotangents.g, table, n.in[1], kernel::axis_of(n.bits), is_aligned(n))); };
    }
    /// The sum of values of each place, for each value.
    template <class C> static constexpr auto sums(C& cotangents, int id, auto values) {
        const auto n = cotangents.g[id];
        return cotangents.make(added_up(cotangents.g, id, n.in[1], cotangents.full(values.id, n.in[2]), kernel::axis_of(n.bits), is_aligned(n)));
    }

    /// Those that are the extreme one share its cotangent.
    template <class C> static constexpr int of_extreme(C& cotangents, int id, int c) {
        const auto n = cotangents.g[id];
        const auto picked = picks(cotangents, n);
        const auto x = cotangents.make(n.in[2]), hits = where_of(picked(id) == x, x.literal(1), x.literal(0));
        const auto share = cotangents.make(c) / sums(cotangents, id, hits);
        return (picked(cotangents.full(share.id, id)) * hits).id;
    }

    /// The product of the others, as for a product along axes: it stands in for one product for each value.
    template <class C> static constexpr int of_product(C& cotangents, int id, int c) {
        auto& g = cotangents.g;
        const auto n = g[id];
        const int values = n.in[2], axis = kernel::axis_of(n.bits);
        const auto picked = picks(cotangents, n);
        const auto x = cotangents.make(values), none = x.literal(0), one = x.literal(1), zero = x == none, one_for_zero = where_of(zero, one, x);
        const auto others = picked(of(g, how(n), n.in[0], n.in[1], cotangents.full(one_for_zero.id, values), axis, is_aligned(n)));
        const auto zeros = picked(cotangents.full(sums(cotangents, id, where_of(zero, one, none)).id, id));
        const auto without = where_of(zeros == none, others / one_for_zero, where_of((zeros == one) & zero, others, none));
        const int every = is_aligned(n) ? n.in[1] : written_out(g, n.in[1], values, axis, 0);
        return (picked(c) * cotangents.make(stand_in::of(g, cotangents.full(without.id, values), products_of_others(g, values, every, axis)))).id;
    }

    /// For each value the product of the others that have its index: prod_j (i != j and their indices are equal ? x_j : 1).
    template <class G> static constexpr int products_of_others(G& g, int values, int indices, int axis) {
        const auto whole = g[values].shape;
        later<G, detail::shape> three;
        three.rank = 3;
        three[0] = three[1] = three[2] = 1;
        for (int i = 0; i < whole.rank; ++i) {
            const int to = i < axis ? 0 : i == axis ? 1 : 2;
            three[to] = g.product(three[to], whole[i]);
        }
        const int x = reshape::of(g, values, three), index = reshape::of(g, indices, three), place_of = arange::of(g, element::int64, three[1]);
        const auto seen = [&](int a, std::array<int, max_rank> source) { return later<G, term>{&g, view::of(g, a, 4, source)}; };
        const std::array<int, max_rank> itself{0, 1, new_axis, 2}, other{0, new_axis, 1, 2};
        const auto same = seen(index, itself) == seen(index, other);
        const auto self = seen(place_of, {new_axis, 0, new_axis, new_axis}) == seen(place_of, {new_axis, new_axis, 0, new_axis});
        const auto one = later<G, term>{&g, g.literal(g[values].type, 1)}, factors = where_of(same, where_of(self, one, seen(x, other)), one);
        return reshape::of(g, view::of(g, reduce::of(g, reduction_code<reduction::prod>, 1u << 2, factors.id), 3, {0, 1, 3}), whole);
    }
};

}  // namespace croton::inline v0_1::detail::structure

#endif
