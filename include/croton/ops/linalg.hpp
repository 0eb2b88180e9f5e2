// SPDX-License-Identifier: MIT
// Products of vectors and matrices.
#ifndef CROTON_OPS_LINALG_HPP
#define CROTON_OPS_LINALG_HPP

#include <croton/ops/join.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// Demands that an axis of `a`, its last or its rows, is as long as `b` has rows; the sentence is in rows and columns. `Tie` says whose they are.
template <int Tie> constexpr void match_rows_of(arena& g, int a, bool rows_of_a, int b) {
    const int rank_a = g[a].shape.rank, rank_b = g[b].shape.rank;
    const size_ref of_a = g[a].shape[rank_a - (rows_of_a ? 2 : 1)], of_b = g[b].shape[rank_b < 2 ? 0 : rank_b - 2];
    if (g.unify(of_a, of_b, Tie) || g.failed()) return;
    g.error << tie::name(Tie) << "(";
    g.describe(g.error, a);
    g.error << ", ";
    g.describe(g.error, b);
    g.error << "): ";
    g.describe(g.error, a);
    g.error << " has ";
    g.describe_size(g.error, of_a);
    g.error << (rows_of_a ? " rows but " : rank_a >= 2 ? " columns but " : " elements but ");
    g.describe(g.error, b);
    g.error << " has ";
    g.describe_size(g.error, of_b);
    g.error << (rank_b >= 2 ? " rows" : " elements");
}
/// Demands that the inner extents of a product agree.
template <int Tie> constexpr void match_inner(arena& g, int a, int b) { match_rows_of<Tie>(g, a, false, b); }

/// Demands that the axes before two matrices agree as in NumPy, aligned at the last.
constexpr void match_batch(arena& g, int a, int b, int tied_by) {
    const int rank_a = g[a].shape.rank, rank_b = g[b].shape.rank;
    for (int i = 3; i <= rank_a && i <= rank_b; ++i) {
        const size_ref x = g[a].shape[rank_a - i], y = g[b].shape[rank_b - i];
        if (g.find(x) == 1 || g.find(y) == 1 || g.unify(x, y, tied_by) || g.failed()) continue;
        g.error << tie::name(tied_by) << "(";
        g.describe(g.error, a);
        g.error << ", ";
        g.describe(g.error, b);
        g.error << "): ";
        g.say_extents(a, x, b, y, -i);
    }
}

/// The product of vectors and matrices; `Tie` says whose it is.
template <int Tie, traced A, traced B> constexpr auto product(const A& a, const B& b) {
    constexpr int ra = rank_of<A>, rb = rank_of<B>;
    using T = element_in<A>;
    arena& g = *a.graph;
    if (g[a.id].type != g[b.id].type) element_mismatch(g, tie::name(Tie), a.id, b.id);
    match_inner<Tie>(g, a.id, b.id);
    if constexpr (ra == 1 && rb == 1) {
        const expr<T, 1> p{a.graph, g.apply(code<op::multiply>, a.id, b.id)};
        return without_axes<>(reduce_keep<reduction::sum>(p));
    } else if constexpr (ra == 1) {
        return expr<T, 1>{a.graph, detail::structure::dot::of(g, transpose(b).id, a.id)};
    } else {
        return expr<T, rb>{a.graph, detail::structure::dot::of(g, a.id, b.id)};
    }
}

}  // namespace detail

/// The product of BLAS: [k] x [k] -> [], [m,k] x [k] -> [m], [k] x [k,n] -> [n], [m,k] x [k,n] -> [m,n]; a scalar
/// multiplies. Inner extents that differ are a compile-time error where they are declared, else a `shape_error`.
template <traced A, traced B> constexpr auto dot(const A& a, const B& b) {
    constexpr int ra = detail::rank_of<A>, rb = detail::rank_of<B>;
    constexpr bool ranks_fit = ra <= 2 && rb <= 2;
    static_assert(ranks_fit, "croton: dot takes scalars, vectors and matrices; matmul takes batches of matrices");
    using T = detail::number_in<A>;
    static_assert(!std::is_same_v<T, bool>, "croton: dot does not take bool; convert with cast<float>(x)");
    if constexpr (!ranks_fit || std::is_same_v<T, bool>) {
        a.graph->stopped = true;
        return detail::as_expr(a);
    } else if constexpr (ra == 0 || rb == 0) {
        return a * b;
    } else {
        return detail::product<detail::tie::dot>(detail::as_number(a), detail::as_number(b));
    }
}
template <class A, class B> requires detail::array_and_number<A, B> constexpr auto dot(const A& a, const B& b) { return a * b; }

/// The product of vectors and matrices as `dot`, and of each matrix of a batch: [b,m,k] x [b,k,n] -> [b,m,n],
/// [b,m,k] x [k,n] -> [b,m,n], [m,k] x [b,k,n] -> [b,m,n], [b,m,k] x [k] -> [b,m], [k] x [b,k,n] -> [b,n]. What stands before
/// the last two axes is repeated as in NumPy: the last ones aligned, an extent of 1 only where it is declared. Ranks 1 to 7.
/// Extents that differ are a compile-time error where they are declared, else a `shape_error`.
template <traced A, traced B> constexpr auto matmul(const A& a, const B& b) {
    constexpr int ra = detail::rank_of<A>, rb = detail::rank_of<B>;
    constexpr bool has_scalar = ra == 0 || rb == 0, ranks_fit = ra < max_rank && rb < max_rank;
    static_assert(!has_scalar, "croton: matmul takes no scalars; multiply with *");
    static_assert(ranks_fit, "croton: matmul takes arrays of at most 7 axes");
    using T = detail::number_in<A>;
    static_assert(!std::is_same_v<T, bool>, "croton: matmul does not take bool; convert with cast<float>(x)");
    if constexpr (has_scalar || !ranks_fit || std::is_same_v<T, bool>) {
        a.graph->stopped = true;
        return detail::as_expr(a);
    } else if constexpr (ra <= 2 && rb <= 2) {
        return detail::product<detail::tie::matmul>(detail::as_number(a), detail::as_number(b));
    } else {
        detail::arena& g = *a.graph;
        const auto x = detail::as_number(a);
        const auto y = detail::as_number(b);
        if (g[x.id].type != g[y.id].type) detail::element_mismatch(g, "matmul", x.id, y.id);
        detail::match_inner<detail::tie::matmul>(g, x.id, y.id);
        detail::match_batch(g, x.id, y.id, detail::tie::matmul);
        // A vector is a matrix of one row in front and of one column behind.
        if constexpr (ra == 1) return squeeze<-2>(expr<T, rb>{a.graph, detail::structure::dot::of(g, newaxis<0>(x).id, y.id)});
        else if constexpr (rb == 1) return squeeze<-1>(expr<T, ra>{a.graph, detail::structure::dot::of(g, x.id, newaxis<1>(y).id)});
        else return expr<T, (ra > rb ? ra : rb)>{a.graph, detail::structure::dot::of(g, x.id, y.id)};
    }
}

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

namespace detail {

constexpr void must_be_three(arena& g, int x) {
    const size_ref n = g[x].shape[g[x].shape.rank - 1];
    if (g.unify(n, 3, tie::cross) || g.failed()) return;
    g.error << "cross: the last axis of ";
    g.describe(g.error, x);
    g.error << " has extent ";
    g.describe_size(g.error, n);
    g.error << ", but a vector has 3 numbers there";
}

}  // namespace detail

/// The product of vectors in space, at right angles to both: NumPy's `cross`. [..., 3] and [..., 3] give [..., 3], what stands before the last axis repeated as in NumPy.
template <traced A, traced B> constexpr auto cross(const A& a, const B& b) {
    constexpr bool fits = detail::rank_of<A> > 0 && detail::rank_of<B> > 0;
    static_assert(fits, "croton: cross takes vectors of 3 numbers, or arrays of them along the last axis");
    if constexpr (!fits) {
        a.graph->stopped = true;
        return detail::as_number(a);
    } else {
        detail::must_be_three(*a.graph, a.id);
        detail::must_be_three(*b.graph, b.id);
        const auto turned = [&](int i, int j) {
            const auto at = [](const auto& x, int k) { return x(ellipsis, slice(k, k + 1)); };
            return at(a, i) * at(b, j) - at(a, j) * at(b, i);
        };
        return concatenate<-1>(turned(1, 2), turned(2, 0), turned(0, 1));
    }
}

}  // namespace croton::inline v0_1

#endif
