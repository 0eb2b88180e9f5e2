// SPDX-License-Identifier: MIT
// Products of vectors and matrices.
#ifndef CROTON_OPS_LINALG_HPP
#define CROTON_OPS_LINALG_HPP

#include <croton/ops/shape.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// Demands that the inner extents of a product agree; the sentence is in rows and columns.
constexpr void match_inner(arena& g, int a, int b) {
    const int rank_a = g[a].shape.rank, rank_b = g[b].shape.rank;
    const size_ref inner_a = g[a].shape[rank_a - 1], inner_b = g[b].shape[0];
    if (g.unify(inner_a, inner_b, tie::dot) || g.failed()) return;
    g.error << "dot(";
    g.describe(g.error, a);
    g.error << ", ";
    g.describe(g.error, b);
    g.error << "): ";
    g.describe(g.error, a);
    g.error << " has ";
    g.describe_size(g.error, inner_a);
    g.error << (rank_a == 2 ? " columns but " : " elements but ");
    g.describe(g.error, b);
    g.error << " has ";
    g.describe_size(g.error, inner_b);
    g.error << (rank_b == 2 ? " rows" : " elements");
}

}  // namespace detail

/// The product of BLAS: [k] x [k] -> [], [m,k] x [k] -> [m], [k] x [k,n] -> [n], [m,k] x [k,n] -> [m,n]; a scalar
/// multiplies. Inner extents that differ are a compile-time error where they are declared, else a `shape_error`.
template <traced A, traced B> constexpr auto dot(const A& a, const B& b) {
    constexpr int ra = detail::rank_of<A>, rb = detail::rank_of<B>;
    constexpr bool ranks_fit = ra <= 2 && rb <= 2;
    static_assert(ranks_fit, "croton: dot takes scalars, vectors and matrices; reshape higher ranks or write the sum of products");
    using T = detail::number_in<A>;
    static_assert(!std::is_same_v<T, bool>, "croton: dot does not take bool; convert with cast<float>(x)");
    if constexpr (!ranks_fit || std::is_same_v<T, bool>) {
        a.graph->stopped = true;
        return detail::as_expr(a);
    } else if constexpr (ra == 0 || rb == 0) {
        return a * b;
    } else {
        detail::arena& g = *a.graph;
        const auto x = detail::as_number(a);
        const auto y = detail::as_number(b);
        if (g[x.id].type != g[y.id].type) detail::element_mismatch(g, "dot", x.id, y.id);
        detail::match_inner(g, x.id, y.id);
        if constexpr (ra == 1 && rb == 1) {
            const expr<T, 1> p{a.graph, g.apply(detail::code<op::multiply>, x.id, y.id)};
            return detail::without_axes<>(detail::reduce_keep<reduction::sum>(p));
        } else if constexpr (ra == 1) {
            return expr<T, 1>{a.graph, g.dot(transpose(y).id, x.id)};
        } else {
            return expr<T, rb>{a.graph, g.dot(x.id, y.id)};
        }
    }
}

/// The same as `dot`.
template <traced A, traced B> constexpr auto matmul(const A& a, const B& b) { return dot(a, b); }

/// Every product of an element of one vector with an element of the other: [m] x [n] -> [m,n].
template <traced A, traced B> constexpr auto outer(const A& a, const B& b) {
    constexpr bool fits = detail::rank_of<A> == 1 && detail::rank_of<B> == 1;
    static_assert(fits, "croton: outer takes two vectors");
    if constexpr (!fits) {
        a.graph->stopped = true;
        return detail::as_expr(a);
    } else {
        return newaxis<1>(a) * newaxis<0>(b);
    }
}

}  // namespace croton::inline v0_1

#endif
