// SPDX-License-Identifier: MIT
// A reduction over axes, which stay with extent 1.
#ifndef CROTON_GRAPH_STRUCTURE_REDUCE_HPP
#define CROTON_GRAPH_STRUCTURE_REDUCE_HPP

#include <croton/core/literals.hpp>
#include <croton/graph/structure/arange.hpp>
#include <croton/graph/structure/reshape.hpp>
#include <croton/graph/structure/stand_in.hpp>
#include <croton/graph/structure/view.hpp>
#include <croton/graph/term.hpp>

namespace croton::inline v0_1::detail::structure {

struct reduce {  // fn: the reduction; bits: the mask of axes
    static constexpr std::string_view name = "reduce"sv;
    static constexpr placement place = placement::loop;

    /// Reduces the axes in the mask; they stay with extent 1. Without axes that vary it is the argument itself.
    static constexpr int of(arena& g, int fn, unsigned axes, int a) {
        node n = g.like(tag<reduce>, a);
        n.fn = static_cast<std::uint8_t>(fn);
        unsigned varying = 0;
        for (int i = 0; i < n.shape.rank; ++i)
            if (((axes >> i) & 1u) != 0 && g.find(n.shape.extent[i]) != 1) {
                varying |= 1u << i;
                n.shape.extent[i] = 1;
            }
        if (varying == 0) return a;
        n.bits = varying;
        return g.intern(n);
    }
    static constexpr int again(arena& g, const node& n) { return of(g, n.fn, static_cast<unsigned>(n.bits), n.in[0]); }
    template <class B> static constexpr int batch(B& b, const node& n) { return of(b.g, n.fn, static_cast<unsigned>(n.bits) << 1, b.at(n.in[0])); }
    static constexpr void describe(const arena& g, text_builder& out, const node& n) {
        const std::string_view position = name_of_position(g, n);
        out << "the result of " << (position.empty() ? std::string_view(reduction_names[n.fn]) : position);
    }

    template <class C> static constexpr void pull(C& cotangents, int id) {
        arena& g = cotangents.g;
        const node n = g.nodes.at[id];
        const term x = cotangents.make(n.in[0]), y = cotangents.make(id), c = cotangents.make(cotangents.of[id]);
        const unsigned axes = static_cast<unsigned>(n.bits);
        if (n.fn == reduction_code<reduction::sum>) {
            cotangents.add(x.id, c);
        } else if (n.fn == reduction_code<reduction::max> || n.fn == reduction_code<reduction::min>) {
            const term hits = where_of(x == y, x.literal(1), x.literal(0));
            cotangents.add(x.id, c / cotangents.sum(hits, axes) * hits);
        } else if (n.fn == reduction_code<reduction::prod>) {
            // The product of the others, which y / x is not where x is 0. Where there are zeros this has lost how it depends on them:
            // it stands in for n products, each with its own element left out.
            const term zero = x == x.literal(0), one_for_zero = where_of(zero, x.literal(1), x);
            const term others = cotangents.make(of(g, n.fn, axes, one_for_zero.id));
            const term zeros = cotangents.sum(where_of(zero, x.literal(1), x.literal(0)), axes);
            const term without = where_of(zeros == x.literal(0), others / one_for_zero,
                                          where_of((zeros == x.literal(1)) & zero, others, x.literal(0)));
            cotangents.add(x.id, c * cotangents.make(stand_in::of(g, without.id, products_of_others(g, x.id, axes))));
        } else if (!g.failed()) {
            g.error << "grad: " << reduction_names[n.fn] << " has no derivative";
        }
    }

private:
    /// `argmax` or `argmin` where `n` is the first or last index at which an element is the extreme one or NaN (ops/reduce.hpp); nothing where it is not.
    static constexpr std::string_view name_of_position(const arena& g, const node& n) {
        const auto argument = [&](const node& of, std::size_t i) -> const node& { return g.nodes.at[of.in[i]]; };
        const auto is = [](const node& of, int fn) { return of.what == tag<apply> && of.fn == fn; };
        const node& index = argument(n, 0);
        if (!is(index, code<op::where>) || !is(argument(index, 0), code<op::logical_or>)) return {};
        const node& found = argument(argument(index, 0), 0);
        if (!is(found, code<op::equal>)) return {};
        for (std::size_t i = 0; i < 2; ++i) {
            const node& extreme = argument(found, i);
            if (extreme.what != tag<reduce>) continue;
            if (extreme.fn == reduction_code<reduction::max>) return "argmax";
            if (extreme.fn == reduction_code<reduction::min>) return "argmin";
        }
        return {};
    }

    /// For each element of x the product of the others along the axes, one by one: prod_j (i == j ? 1 : x_j).
    static constexpr int products_of_others(arena& g, int x, unsigned axes) {
        const detail::shape full_shape = g.nodes.at[x].shape;
        const int rank = full_shape.rank;
        // The axes of the product come last, as one.
        std::array<int, max_rank> order{}, back{};
        detail::shape rows, moved;
        rows.rank = 2;
        moved.rank = rank;
        rows[0] = rows[1] = 1;
        int at = 0;
        for (int reduced = 0; reduced < 2; ++reduced)
            for (int i = 0; i < rank; ++i) {
                if (static_cast<int>((axes >> i) & 1u) != reduced) continue;
                rows[reduced] = g.product(rows[reduced], full_shape[i]);
                moved[at] = full_shape[i];
                back[static_cast<unsigned>(i)] = at;
                order[static_cast<unsigned>(at++)] = i;
            }
        const int flat = reshape::of(g, view::of(g, x, rank, order), rows);
        const int index = arange::of(g, size_of(g.nodes.at[x].type) == 8 ? element::int64 : element::int32, rows[1]);
        const auto make = [&](int id) { return term{&g, id}; };
        const term itself = make(view::of(g, index, 2, {0, new_axis})) == make(view::of(g, index, 2, {new_axis, 0}));
        const term others = where_of(itself, make(g.literal(g.nodes.at[x].type, 1)), make(view::of(g, flat, 3, {0, new_axis, 1})));
        const int products = view::of(g, of(g, reduction_code<reduction::prod>, 1u << 2, others.id), 2, {0, 1});
        return view::of(g, reshape::of(g, products, moved), rank, back);
    }
};

}  // namespace croton::inline v0_1::detail::structure

#endif
