// SPDX-License-Identifier: MIT
// Parts of matrices, and matrices made of others; of more axes, of each matrix of a batch.
#ifndef CROTON_OPS_MATRICES_HPP
#define CROTON_OPS_MATRICES_HPP

#include <croton/ops/filled.hpp>
#include <croton/ops/gather.hpp>
#include <croton/ops/join.hpp>
#include <croton/ops/linalg.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <traced X> constexpr bool check_matrix(const X& x) {
    constexpr bool fits = rank_of<X> >= 2;
    static_assert(fits, "croton: tril, triu, diagonal and trace take matrices, or batches of them");
    if constexpr (!fits) x.graph->stopped = true;
    return fits;
}

/// `x` where its column is, or is not, beyond its row by more than `k`; 0 elsewhere.
template <bool Upper, traced X> constexpr auto triangle(const X& x, int k) {
    constexpr int rank = rank_of<X>;
    arena& g = *x.graph;
    const int node = read_node(x);
    if (!check_matrix(x)) return expr<number_in<X>, rank>{x.graph, node};
    const int row = index_along(g, element::int64, g[node].shape[rank - 2], 0, 2), column = index_along(g, element::int64, g[node].shape[rank - 1], 1, 2);
    const int edge = g.apply(code<op::add>, row, g.literal(element::int64, k));
    const int inside = Upper ? g.apply(code<op::greater_equal>, column, edge) : g.apply(code<op::less_equal>, column, edge);
    return expr<number_in<X>, rank>{x.graph, g.apply(code<op::where>, inside, node, g.literal(g[node].type, 0))};
}

/// Whether the column is beyond the row by `k`.
constexpr int on_diagonal(arena& g, size_ref rows, size_ref columns, int k) {
    const int row = index_along(g, element::int64, rows, 0, 2), column = index_along(g, element::int64, columns, 1, 2);
    return g.apply(code<op::equal>, k == 0 ? row : g.apply(code<op::add>, row, g.literal(element::int64, k)), column);
}

}  // namespace detail

/// The lower triangle with the diagonal, zeros above: NumPy's `tril(x, k)`. Diagonal `K` is still taken; 1 is the one above the main one.
template <int K = 0, traced X> constexpr auto tril(const X& x) { return detail::triangle<false>(x, K); }
/// The upper triangle with the diagonal, zeros below: NumPy's `triu(x, k)`.
template <int K = 0, traced X> constexpr auto triu(const X& x) { return detail::triangle<true>(x, K); }

/// Ones on the diagonal and zeros elsewhere, in the element type of `x`: `eye<3>(x)`, `eye<dim("n"), 5>(x)`. The values do not depend on `x`.
template <extent_code Rows, extent_code Columns = Rows, traced X> constexpr auto eye(const X& x) {
    using T = detail::number_in<X>;
    detail::arena& g = *x.graph;
    const bool fits = detail::check_extents<Rows, Columns>(x);
    const detail::size_ref rows = fits ? detail::declared_size(g, Rows) : 1, columns = fits ? detail::declared_size(g, Columns) : 1;
    return expr<T, 2>{&g, detail::structure::cast::of(g, element_of<T>, detail::on_diagonal(g, rows, columns, 0))};
}

/// The elements on a diagonal of matrices, NumPy's `diagonal(x, k)` of the last two axes: [..., m, n] -> [..., min(m, n)]. Diagonal `K` lies so
/// many columns to the right of the main one, or, where it is negative, so many rows below it.
template <int K = 0, traced X> constexpr auto diagonal(const X& x) {
    constexpr int rank = detail::rank_of<X>, right = K > 0 ? K : 0, down = K < 0 ? -K : 0;
    detail::arena& g = *x.graph;
    if constexpr (rank < 2) {
        (void)detail::check_matrix(x);
        return detail::as_number(x);
    } else {
        const detail::shape all = g[x.id].shape;
        const detail::size_ref n = g.minimum(g.difference(all[rank - 2], down), g.difference(all[rank - 1], right));
        const int rows = detail::structure::slice::of(g, x.id, rank - 2, down, n, 1);
        const expr<detail::element_in<X>, rank> square{x.graph, detail::structure::slice::of(g, rows, rank - 1, right, n, 1)};
        const expr<std::int64_t, rank> index{&g, detail::index_along(g, element::int64, n, rank - 2, rank)};
        return detail::without_axes<-1>(take_along_axis<-1>(square, index));
    }
}

/// A vector on a diagonal of a square matrix of zeros, [n] -> [n + |K|, n + |K|], or the elements on a diagonal of a matrix, as `diagonal<K>(x)`: NumPy's `diag(x, k)`.
template <int K = 0, traced X> constexpr auto diag(const X& x) {
    constexpr int rank = detail::rank_of<X>;
    static_assert(rank == 1 || rank == 2, "croton: diag takes a vector or a matrix; diagonal(x) takes batches of matrices");
    if constexpr (rank == 2) {
        return diagonal<K>(x);
    } else if constexpr (rank == 1) {
        detail::arena& g = *x.graph;
        const auto v = pad(x, {{0, K < 0 ? -K : K}});
        const detail::size_ref n = g[v.id].shape[0];
        return expr<detail::number_in<X>, 2>{&g, g.apply(detail::code<op::where>, detail::on_diagonal(g, n, n, K), newaxis<(K < 0 ? 0 : 1)>(v).id, g.literal(g[v.id].type, 0))};
    } else {
        x.graph->stopped = true;
        return detail::as_number(x);
    }
}

/// The sum of a diagonal: [..., m, n] -> [...]. NumPy's `trace(x, k)` of the last two axes.
template <int K = 0, traced X> constexpr auto trace(const X& x) {
    if constexpr (detail::rank_of<X> < 2) {
        (void)detail::check_matrix(x);
        return detail::as_number(x);
    } else {
        return sum<-1>(diagonal<K>(x));
    }
}

/// Every product of an element of `a` with the whole of `b`, side by side: NumPy's `kron` of two arrays of one rank, 1 to 4. [m,n] and [p,q] -> [m p, n q].
template <traced A, traced B> constexpr auto kron(const A& a, const B& b) {
    constexpr int rank = detail::rank_of<A>;
    constexpr bool fits = rank == detail::rank_of<B> && rank > 0 && 2 * rank <= max_rank;
    static_assert(fits, "croton: kron takes two arrays of one rank, 1 to 4");
    detail::arena& g = *a.graph;
    if constexpr (!fits) {
        g.stopped = true;
        return detail::as_number(a);
    } else {
        unsigned odd = 0, even = 0;
        detail::shape to;
        to.rank = rank;
        for (int i = 0; i < rank; ++i) {
            even |= 1u << (2 * i);
            odd |= 1u << (2 * i + 1);
            to[i] = g.product(g[a.id].shape[i], g[b.id].shape[i]);
        }
        const expr<detail::number_in<A>, 2 * rank> x{&g, detail::insert_axes(g, detail::read_node(a), odd, 2 * rank)};
        const expr<detail::number_in<B>, 2 * rank> y{&g, detail::insert_axes(g, detail::read_node(b), even, 2 * rank)};
        return expr<detail::number_in<A>, rank>{&g, detail::structure::reshape::of(g, (x * y).id, to)};
    }
}

}  // namespace croton::inline v0_1

#endif
