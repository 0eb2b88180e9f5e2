// SPDX-License-Identifier: MIT
// Products of matrices, plain and with the scales and the addend that one call takes.
#ifndef CROTON_GRAPH_STRUCTURE_PRODUCT_HPP
#define CROTON_GRAPH_STRUCTURE_PRODUCT_HPP

#include <croton/core/literals.hpp>
#include <croton/graph/structure/reshape.hpp>
#include <croton/graph/structure/view.hpp>
#include <croton/graph/term.hpp>

namespace croton::inline v0_1::detail::structure {

struct dot {  // [m,k] x [k,n], [m,k] x [k]; with more axes [...,m,k] x [...,k,n], whose first axes are repeated as in NumPy
    static constexpr std::string_view name = "dot"sv;
    static constexpr placement place = placement::call;
    static constexpr bool is_lasting = true;

    /// The caller has matched the extents.
    static constexpr int of(arena& g, int a, int b) {
        node n = g.like(tag<dot>, a);
        n.in[1] = b;
        n.shape = result(g, a, b);
        return g.intern(n);
    }

    static constexpr detail::shape result(const arena& g, int a, int b) {
        const detail::shape& x = g.nodes.at[a].shape;
        const detail::shape& y = g.nodes.at[b].shape;
        detail::shape out;
        out.rank = y.rank == 1 ? 1 : x.rank > y.rank ? x.rank : y.rank;
        for (int i = 0; i < out.rank - 2; ++i) {
            const int ix = i - (out.rank - x.rank), iy = i - (out.rank - y.rank);
            out[i] = ix >= 0 && (iy < 0 || g.find(x[ix]) != 1) ? x[ix] : y[iy];
        }
        out[out.rank == 1 ? 0 : out.rank - 2] = x[x.rank - 2];
        if (out.rank > 1) out[out.rank - 1] = y[y.rank - 1];
        return out;
    }

    static constexpr int again(arena& g, const node& n) { return of(g, n.in[0], n.in[1]); }

    /// Many vectors are the rows of a matrix, and many matrices times one vector are the rows of all of them.
    template <class B> static constexpr int batch(B& b, const node& n) {
        arena& g = b.g;
        const int x = n.in[0], y = n.in[1];
        if (n.shape.rank > 1) return of(g, b.behind(x, n.shape.rank), b.behind(y, n.shape.rank));
        if (!b.varies(x)) return of(g, b.at(y), transposed(g, b.at(x)));
        if (!b.varies(y)) return reshape::of(g, of(g, rows_of(g, b.at(x)), b.at(y)), b.with_axis(n.shape));
        return view::of(g, of(g, b.at(x), view::of(g, b.at(y), 3, {0, 1, new_axis})), 2, {0, 1});
    }
    static constexpr void describe(const arena&, text_builder& out, const node& n) {
        out << "the result of " << tie::name(n.shape.rank > 2 ? tie::matmul : tie::dot);
    }

    template <class C> static constexpr void pull(C& cotangents, int id) {
        arena& g = cotangents.g;
        const node n = g.nodes.at[id];
        const int a = n.in[0], b = n.in[1], c = cotangents.full(cotangents.of[id], id);
        const bool pulls_a = cotangents.wanted(a), pulls_b = cotangents.wanted(b);
        if (n.shape.rank > 2) {
            const auto add = [&](int to, int cotangent) { cotangents.add(to, cotangents.unbroadcast(cotangent, g.nodes.at[to].shape, g.nodes.at[cotangent].shape)); };
            if (pulls_a) add(a, outer_or_dot(g, c, transposed(g, b)));
            // The sum over the batch is that of one product over all of its rows. Those of a view lie otherwise in memory.
            if (pulls_b && g.nodes.at[b].shape.rank == 2 && g.nodes.at[a].what != tag<view>) cotangents.add(b, of(g, transposed(g, rows_of(g, a)), rows_of(g, c)));
            else if (pulls_b) add(b, outer_or_dot(g, transposed(g, a), c));
            return;
        }
        if (n.shape.rank == 2) {
            if (pulls_a) cotangents.add(a, of(g, c, transposed(g, b)));
        } else if (pulls_a) {
            cotangents.add(a, cotangents.make(view::of(g, c, 2, {0, new_axis})) * cotangents.make(view::of(g, b, 2, {new_axis, 0})));
        }
        if (pulls_b) cotangents.add(b, of(g, transposed(g, a), c));
    }

private:
    /// Columns times rows are elementwise, and part of whatever loop they stand in.
    static constexpr int outer_or_dot(arena& g, int x, int y) {
        return g.find(g.nodes.at[x].shape.extent[g.nodes.at[x].shape.rank - 1]) == 1 ? (term{&g, x} * term{&g, y}).id : of(g, x, y);
    }

    /// The rows of all matrices of a batch as one matrix.
    static constexpr int rows_of(arena& g, int x) {
        const detail::shape& from = g.nodes.at[x].shape;
        detail::shape to;
        to.rank = 2;
        to[0] = 1;
        for (int i = 0; i < from.rank - 1; ++i) to[0] = g.product(to[0], from[i]);
        to[1] = from[from.rank - 1];
        return reshape::of(g, x, to);
    }
};

/// alpha * a b + beta * c; arguments a, b, c or -1, alpha, beta (rank 0, -1 is one). What rewriting makes of dot.
struct gemm {
    static constexpr std::string_view name = "dot"sv;
    static constexpr placement place = placement::call;
    static constexpr std::string_view no_derivative = "it is made of dot when nothing is differentiated any more"sv;

    static constexpr int of(arena& g, int a, int b, int c, int alpha, int beta, int like) {
        node n;
        n.what = tag<gemm>;
        n.type = g.nodes.at[like].type;
        set_arguments(n, a, b, c);
        n.in[3] = alpha >= 0 && g.is_literal(alpha, 1) ? -1 : alpha;
        n.in[4] = beta >= 0 && g.is_literal(beta, 1) ? -1 : beta;
        n.shape = g.nodes.at[like].shape;
        return g.intern(n);
    }
    static constexpr int again(arena& g, const node& n) { return g.intern(n); }
};

}  // namespace croton::inline v0_1::detail::structure

#endif
