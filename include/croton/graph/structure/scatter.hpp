// SPDX-License-Identifier: MIT
// Values added to an array, or put into it, where indices lead along one axis: the reverse of a gather.
#ifndef CROTON_GRAPH_STRUCTURE_SCATTER_HPP
#define CROTON_GRAPH_STRUCTURE_SCATTER_HPP

#include <croton/core/literals.hpp>
#include <croton/graph/structure/arange.hpp>
#include <croton/graph/structure/broadcast.hpp>
#include <croton/graph/structure/gather.hpp>
#include <croton/graph/structure/reduce.hpp>
#include <croton/graph/structure/reshape.hpp>
#include <croton/graph/structure/view.hpp>
#include <croton/graph/term.hpp>
#include <croton/kernel/routine/scatter.hpp>

namespace croton::inline v0_1::detail::structure {

/// Arguments: what is changed, the indices and the values, one after the other in the order of the indices: [a,n,b], [q] and [a,q,b];
/// or, aligned, indices of the shape of the values. Indices are read as those of a gather.
struct scatter {  // bits: the axis; 1 behind it: puts and does not add; 2: aligned
    static constexpr std::string_view name = "add_at"sv;
    static constexpr placement place = placement::call;
    static constexpr bool is_lasting = true;

    static constexpr int of(arena& g, int base, int indices, int values, int axis, bool puts, bool aligned) {
        // Nothing changes where nothing is added.
        if (!puts && g.is_literal(g[values].what == tag<broadcast> ? g[values].in[0] : values, 0)) return base;
        node n = g.like(tag<scatter>, base);
        set_arguments(n, base, indices, values);
        n.bits = kernel::along_axis(axis, (puts ? 1 : 0) | (aligned ? 2 : 0));
        return g.intern(n);
    }
    static constexpr bool puts(const node& n) { return (kernel::attributes_of(n.bits) & 1) != 0; }
    static constexpr bool is_aligned(const node& n) { return (kernel::attributes_of(n.bits) & 2) != 0; }
    static constexpr int again(arena& g, const node& n) { return of(g, n.in[0], n.in[1], n.in[2], kernel::axis_of(n.bits), puts(n), is_aligned(n)); }
    /// Where each has indices of its own they are written out for every value.
    template <class B> static constexpr int batch(B& b, const node& n) {
        arena& g = b.g;
        const int axis = kernel::axis_of(n.bits), base = b.whole(n.in[0]), values = b.whole(n.in[2]);
        if (!is_aligned(n) && !b.varies(n.in[1])) return of(g, base, b.at(n.in[1]), values, axis + 1, puts(n), false);
        int indices = b.whole(n.in[1]);
        if (!is_aligned(n)) {
            std::array<int, max_rank> source{};
            const int rank = g.nodes.at[values].shape.rank;
            for (int i = 1; i < rank; ++i) source[static_cast<unsigned>(i)] = i == axis + 1 ? 1 : new_axis;
            indices = broadcast::of(g, view::of(g, indices, rank, source), g.nodes.at[values].shape);
        }
        return of(g, base, indices, values, axis + 1, puts(n), true);
    }
    static constexpr const kernel::routine_facts* routine(const node& n) {
        using enum kernel::brought;
        if (is_aligned(n)) return puts(n) ? &kernel::routine_of<kernel::scatter<put, true>>::facts : &kernel::routine_of<kernel::scatter<added, true>>::facts;
        return puts(n) ? &kernel::routine_of<kernel::scatter<put, false>>::facts : &kernel::routine_of<kernel::scatter<added, false>>::facts;
    }
    static constexpr void describe(const arena&, text_builder& out, const node& n) { out << "the result of " << routine(n)->name; }

    template <class C> static constexpr void pull(C& cotangents, int id) {
        arena& g = cotangents.g;
        const node n = g[id];
        const int base = n.in[0], indices = n.in[1], values = n.in[2], axis = kernel::axis_of(n.bits);
        const bool aligned = is_aligned(n);
        const int c = cotangents.full(cotangents.of[id], id);
        const auto zeros = [&](int like) { return broadcast::of(g, g.literal(g[like].type, 0), g[like].shape); };
        if (cotangents.wanted(base)) cotangents.add(base, puts(n) ? of(g, c, indices, zeros(values), axis, true, aligned) : c);
        if (!cotangents.wanted(values)) return;
        const int picked = gather::of(g, c, indices, axis, aligned);
        if (!puts(n)) return cotangents.add(values, picked);
        // Of those that go to one place the last stays: where its number is found again.
        detail::shape along, among = g[base].shape;
        along.rank = g[values].shape.rank;
        for (int i = 0; i < along.rank; ++i) along[i] = i == axis ? g[values].shape[i] : 1;
        std::array<int, max_rank> source{};
        for (int i = 0; i < along.rank; ++i) source[static_cast<unsigned>(i)] = i == axis ? 0 : new_axis;
        const int column = view::of(g, arange::of(g, element::int64, g[values].shape[axis]), along.rank, source);
        for (int i = 0; !aligned && i < among.rank; ++i)
            if (i != axis) among[i] = 1;
        const int numbers = aligned ? broadcast::of(g, column, g[values].shape) : column;
        const int last = of(g, broadcast::of(g, g.literal(element::int64, 0), among), indices, numbers, axis, true, aligned);
        const term stays = cotangents.make(gather::of(g, last, indices, axis, aligned)) == cotangents.make(column);
        cotangents.add(values, where_of(stays, cotangents.make(picked), cotangents.make(g.literal(g[values].type, 0))));
    }
};

/// The indices as one axis.
constexpr int flat_indices(arena& g, int indices) {
    detail::shape one;
    one.rank = 1;
    one[0] = 1;
    for (int i = 0; i < g[indices].shape.rank; ++i) one[0] = g.product(one[0], g[indices].shape[i]);
    return g[indices].shape.rank == 0 ? view::of(g, indices, 1, {new_axis}) : reshape::of(g, indices, one);
}

/// Values of the shape of what a gather picks, with one axis for those of the indices.
constexpr int flat_values(arena& g, int like, int indices, int values, int axis) {
    if (g[indices].shape.rank == 1) return values;
    detail::shape to = g[like].shape;
    to[axis] = g[flat_indices(g, indices)].shape[0];
    if (g[indices].shape.rank > 0) return reshape::of(g, values, to);
    std::array<int, max_rank> source{};
    for (int i = 0; i < to.rank; ++i) source[static_cast<unsigned>(i)] = i < axis ? i : i == axis ? new_axis : i - 1;
    return view::of(g, values, to.rank, source);
}

constexpr int added_up(arena& g, int like, int indices, int values, int axis, bool aligned) {
    const int zeros = broadcast::of(g, g.literal(g[values].type, 0), g[like].shape);
    if (!aligned) return scatter::of(g, zeros, flat_indices(g, indices), flat_values(g, like, indices, values, axis), axis, false, false);
    // Where an axis of the table was repeated the values are summed over it; where one of the indices was, the indices are repeated.
    detail::shape every = g[values].shape;
    const int full = broadcast::of(g, indices, every);
    every[axis] = g[like].shape[axis];
    const int sum = scatter::of(g, broadcast::of(g, g.literal(g[values].type, 0), every), full, values, axis, false, true);
    unsigned repeated = 0;
    for (int i = 0; i < every.rank; ++i)
        if (i != axis && g.find(g[like].shape[i]) == 1 && g.find(every[i]) != 1) repeated |= 1u << i;
    return repeated == 0 ? sum : reduce::of(g, reduction_code<reduction::sum>, repeated, sum);
}

}  // namespace croton::inline v0_1::detail::structure

#endif
