// SPDX-License-Identifier: MIT
// Systems of equations, inverses and determinants: of matrices, or of each matrix of a batch.
#ifndef CROTON_OPS_SOLVE_HPP
#define CROTON_OPS_SOLVE_HPP

#include <croton/graph/structure/linear.hpp>
#include <croton/ops/linalg.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// Whether linear algebra takes an argument.
template <traced X> constexpr bool check_factored(const X& x) {
    constexpr bool matrices = rank_of<X> >= 2, floating = std::is_floating_point_v<number_in<X>>;
    static_assert(matrices, "croton: linear algebra takes matrices, or batches of them: arrays of 2 axes or more");
    static_assert(floating, "croton: linear algebra takes float or double; convert with cast<double>(x)");
    if constexpr (!matrices || !floating) x.graph->stopped = true;
    return matrices && floating;
}

constexpr void must_be_square(arena& g, std::string_view who, int a) {
    const int rank = g[a].shape.rank;
    const size_ref rows = g[a].shape[rank - 2], columns = g[a].shape[rank - 1];
    if (g.unify(rows, columns, tie::square) || g.failed()) return;
    g.error << who << ": ";
    g.describe(g.error, a);
    g.error << " is not square: it has ";
    g.describe_size(g.error, rows);
    g.error << " rows and ";
    g.describe_size(g.error, columns);
    g.error << " columns";
}

/// The matrices of one argument for those of another: repeated along the axes in front as in NumPy.
constexpr int with_batch_of(arena& g, int a, int b) {
    const shape x = g[a].shape, y = g[b].shape;
    shape to = x;
    to.rank = x.rank > y.rank ? x.rank : y.rank;
    for (int i = 0; i < to.rank; ++i) {
        const int in_x = i - (to.rank - x.rank), in_y = i - (to.rank - y.rank);
        const bool own = i >= to.rank - 2 || in_y < 0 || (in_x >= 0 && g.find(x[in_x]) != 1);
        to[i] = own ? x[in_x] : y[in_y];
    }
    return structure::broadcast::of(g, a, to);
}

/// Calls make(matrices, right sides) on batches of the same extents, and gives the answer the axes of the right sides. A vector is one of its own.
template <int Tie, traced A, traced B, class Make> constexpr auto solved(const A& a, const B& b, const Make& make) {
    constexpr int ra = rank_of<A>, rb = rank_of<B>;
    constexpr bool same = std::is_same_v<number_in<A>, number_in<B>>;
    using T = number_in<A>;
    arena& g = *a.graph;
    static_assert(rb >= 1, "croton: equations have a vector or matrices on their right side");
    if constexpr (ra < 2 || rb < 1 || !std::is_floating_point_v<T>) {
        (void)check_factored(a);
        g.stopped = true;
        return as_number(b);
    } else if constexpr (!same) {
        element_mismatch(g, tie::name(Tie), read_node(a), read_node(b));
        g.stopped = true;
        return as_number(b);
    } else {
        const int x = read_node(a), y = read_node(b);
        match_rows_of<Tie>(g, x, Tie == tie::lstsq, y);
        if constexpr (rb == 1) {
            const int column = insert_axes(g, y, 1u << 1, 2);
            return without_axes<-1>(expr<T, ra>{&g, make(x, with_batch_of(g, column, x))});
        } else {
            match_batch(g, x, y, Tie);
            return expr<T, (ra > rb ? ra : rb)>{&g, make(with_batch_of(g, x, y), with_batch_of(g, y, x))};
        }
    }
}

}  // namespace detail

/// What triangle a matrix is, with the names of SciPy's `solve_triangular`.
struct triangular_options {
    bool lower = false;
    bool transposed = false;     // the equations of the transposed matrix
    bool unit_diagonal = false;  // the diagonal is taken for ones, and not read
};

/// The lower triangle L of L L^T: NumPy's `cholesky`. [...,n,n] -> [...,n,n]. The matrix is taken for symmetric: of what it holds only the lower triangle is read,
/// and its gradient is symmetric. Where it is not positive definite, a `value_error` at the call.
template <traced A> constexpr auto cholesky(const A& a) {
    if (!detail::check_factored(a)) return detail::as_number(a);
    const int x = detail::read_node(a);
    if constexpr (detail::rank_of<A> >= 2) detail::must_be_square(*a.graph, "cholesky", x);
    return expr<detail::number_in<A>, detail::rank_of<A>>{a.graph, detail::structure::cholesky::of(*a.graph, x)};
}

/// x of a x = b, where a is a triangle: SciPy's `solve_triangular(a, b)`; `solve_triangular(a, b, {.lower = true})`. [...,n,n] x [n] -> [...,n],
/// [...,n,n] x [...,n,m] -> [...,n,m]. What stands before the matrices is repeated as in `matmul`. The other triangle is not read. Where a number on the diagonal
/// is 0, a `value_error` at the call.
template <traced A, traced B> constexpr auto solve_triangular(const A& a, const B& b, triangular_options how = {}) {
    if constexpr (detail::rank_of<A> >= 2) detail::must_be_square(*a.graph, "solve_triangular", a.id);
    const std::int64_t of_triangle = (how.lower ? kernel::triangular::lower : 0) | (how.transposed ? kernel::triangular::transposed : 0) |
                                     (how.unit_diagonal ? kernel::triangular::unit : 0);
    return detail::solved<detail::tie::solve_triangular>(a, b, [&](int x, int y) { return detail::structure::solve_triangular::of(*a.graph, x, y, of_triangle); });
}

/// x of L L^T x = b, where L is what `cholesky` gives: SciPy's `cho_solve((l, True), b)`. Shapes and errors are those of `solve_triangular`.
template <traced A, traced B> constexpr auto cho_solve(const A& l, const B& b) {
    return solve_triangular(l, solve_triangular(l, b, {.lower = true}), {.lower = true, .transposed = true});
}

/// x of a x = b: NumPy's `solve`. [...,n,n] x [n] -> [...,n], [...,n,n] x [...,n,m] -> [...,n,m]; what stands before the matrices is repeated as in `matmul`.
/// A singular matrix is a `value_error` at the call. Everything that a program asks of one matrix, gradients included, shares its factors.
template <traced A, traced B> constexpr auto solve(const A& a, const B& b) {
    if constexpr (detail::rank_of<A> >= 2) detail::must_be_square(*a.graph, "solve", a.id);
    return detail::solved<detail::tie::solve>(a, b, [&](int x, int y) { return detail::structure::solve::of(*a.graph, x, y, 0); });
}

namespace detail {

/// The inverses of square matrices, asked for by a `caller` of `kernel::lu_solve`.
template <traced A> constexpr auto inverse_for(const A& a, std::int64_t caller) {
    return expr<number_in<A>, rank_of<A>>{a.graph, structure::solve::of(*a.graph, read_node(a), identity_like(*a.graph, read_node(a)), caller)};
}

}  // namespace detail

/// The inverse: NumPy's `inv`. [...,n,n] -> [...,n,n]. A singular matrix is a `value_error` at the call. `solve(a, b)` is faster and more accurate than `dot(inv(a), b)`.
template <traced A> constexpr auto inv(const A& a) {
    if (!detail::check_factored(a)) return detail::as_number(a);
    if constexpr (detail::rank_of<A> < 2) return detail::as_number(a);
    else {
        detail::must_be_square(*a.graph, "inv", detail::read_node(a));
        return detail::inverse_for(a, kernel::lu_solve::of_inverse);
    }
}

/// The determinant: NumPy's `det`. [...,n,n] -> [...]; 0 of a singular matrix, whose gradient is a `value_error` at the call: it is made of the inverse.
template <traced A> constexpr auto det(const A& a) {
    if constexpr (detail::rank_of<A> < 2 || !std::is_floating_point_v<detail::number_in<A>>) {
        (void)detail::check_factored(a);
        return detail::as_number(a);
    } else {
        const int x = detail::read_node(a);
        detail::must_be_square(*a.graph, "det", x);
        return expr<detail::number_in<A>, detail::rank_of<A> - 2>{a.graph, detail::structure::determinant::of(*a.graph, x)};
    }
}

/// What `slogdet` gives: [...] each.
template <class Number> struct slogdet_result {
    Number sign, logabsdet;
};

/// The sign of the determinant and the logarithm of its absolute value, which neither overflow nor underflow: NumPy's `slogdet`. [...,n,n] -> [...];
/// `auto [sign, logabsdet] = slogdet(a)`. 0 and -inf of a singular matrix.
template <traced A> constexpr auto slogdet(const A& a) {
    if constexpr (detail::rank_of<A> < 2 || !std::is_floating_point_v<detail::number_in<A>>) {
        (void)detail::check_factored(a);
        return slogdet_result<decltype(detail::as_number(a))>{detail::as_number(a), detail::as_number(a)};
    } else {
        using number = expr<detail::number_in<A>, detail::rank_of<A> - 2>;
        const int x = detail::read_node(a);
        detail::must_be_square(*a.graph, "slogdet", x);
        return slogdet_result<number>{{a.graph, detail::structure::determinant_sign::of(*a.graph, x)}, {a.graph, detail::structure::log_determinant::of(*a.graph, x)}};
    }
}

}  // namespace croton::inline v0_1

#endif
