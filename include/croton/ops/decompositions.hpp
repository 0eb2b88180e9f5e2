// SPDX-License-Identifier: MIT
// QR, eigenvalues, singular values and least squares: of matrices, or of each matrix of a batch.
#ifndef CROTON_OPS_DECOMPOSITIONS_HPP
#define CROTON_OPS_DECOMPOSITIONS_HPP

#include <limits>

#include <croton/graph/structure/orthogonal.hpp>
#include <croton/ops/solve.hpp>
#include <croton/ops/statistics.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// Numbers of each matrix, [...,1,k] -> [...,k].
template <class T, int Rank> constexpr expr<T, Rank> one_row(term x) {
    std::array<int, max_rank> source{};
    for (int i = 0; i < Rank; ++i) source[static_cast<unsigned>(i)] = i < Rank - 1 ? i : Rank;
    return {x.g, structure::view::of(*x.g, x.id, Rank, source)};
}
template <traced A> inline constexpr bool is_factored = rank_of<A> >= 2 && std::is_floating_point_v<number_in<A>>;

}  // namespace detail

/// What `qr` gives: q [...,m,k] and r [...,k,n], where k is the smaller of m and n.
template <class Matrix> struct qr_result {
    Matrix q, r;
};

/// a = q r, where the columns of q are orthonormal and r is an upper triangle: NumPy's `qr(a)`, of mode "reduced". [...,m,n]; `auto [q, r] = qr(a)`. The signs are
/// LAPACK's: numbers on the diagonal of r may be negative. It has a gradient where the first columns of a are independent.
template <traced A> constexpr auto qr(const A& a) {
    if constexpr (!detail::is_factored<A>) {
        (void)detail::check_factored(a);
        return qr_result<decltype(detail::as_number(a))>{detail::as_number(a), detail::as_number(a)};
    } else {
        using matrix = expr<detail::number_in<A>, detail::rank_of<A>>;
        auto& g = *a.graph;
        const int x = detail::read_node(a), id = detail::structure::qr::of(g, x);
        return qr_result<matrix>{{&g, detail::structure::qr::q_of(g, id, x).id}, {&g, detail::structure::qr::r_of(g, id, x).id}};
    }
}

/// What `eigh` gives: the eigenvalues [...,n] and the eigenvectors, the columns of v [...,n,n].
template <class Row, class Matrix> struct eigh_result {
    Row w;
    Matrix v;
};

/// The eigenvalues of symmetric matrices, the smallest first, and their eigenvectors: NumPy's `eigh`. [...,n,n]; `auto [w, v] = eigh(a)`. Only the lower triangle is
/// read, and the gradient is symmetric; of eigenvalues that are equal it holds for a cost that does not ask which of their eigenvectors v has. The sign of an
/// eigenvector is LAPACK's choice, or that of the plain code where none is linked. NaN and infinity are a `value_error` at the call: it did not converge.
template <traced A> constexpr auto eigh(const A& a) {
    if constexpr (!detail::is_factored<A>) {
        (void)detail::check_factored(a);
        return eigh_result<decltype(detail::as_number(a)), decltype(detail::as_number(a))>{detail::as_number(a), detail::as_number(a)};
    } else {
        using T = detail::number_in<A>;
        constexpr int rank = detail::rank_of<A>;
        auto& g = *a.graph;
        const int x = detail::read_node(a);
        detail::must_be_square(g, "eigh", x);
        const int id = detail::structure::eigh::of(g, x);
        return eigh_result<expr<T, rank - 1>, expr<T, rank>>{detail::one_row<T, rank - 1>(detail::structure::eigh::values_of(g, id)),
                                                             {&g, detail::structure::eigh::vectors_of(g, id).id}};
    }
}

/// What `svd` gives: u [...,m,k], s [...,k] and vt [...,k,n], where k is the smaller of m and n.
template <class Row, class Matrix> struct svd_result {
    Matrix u;
    Row s;
    Matrix vt;
};

/// a = u diag(s) vt, where the columns of u and the rows of vt are orthonormal, and s, the largest first, is not negative: NumPy's `svd(a, full_matrices=False)`.
/// [...,m,n]; `auto [u, s, vt] = svd(a)`. Of the signs, of values that are equal, and of NaN holds what `eigh` says.
template <traced A> constexpr auto svd(const A& a) {
    if constexpr (!detail::is_factored<A>) {
        (void)detail::check_factored(a);
        return svd_result<decltype(detail::as_number(a)), decltype(detail::as_number(a))>{detail::as_number(a), detail::as_number(a), detail::as_number(a)};
    } else {
        using T = detail::number_in<A>;
        constexpr int rank = detail::rank_of<A>;
        auto& g = *a.graph;
        const int x = detail::read_node(a);
        const auto parts = detail::structure::svd::parts_of(g, detail::structure::svd::of(g, x), x);
        return svd_result<expr<T, rank - 1>, expr<T, rank>>{{&g, parts.u.id}, detail::one_row<T, rank - 1>(parts.s), {&g, detail::transposed(parts.v).id}};
    }
}

/// How many singular values of a matrix are more than a rounding error of the largest, which is so many times the larger of m and n as the element type has precision: NumPy's
/// `matrix_rank`. [...,m,n] -> [...], int64.
template <traced A> constexpr auto matrix_rank(const A& a) {
    if constexpr (!detail::is_factored<A>) {
        return svd(a).s;
    } else {
        auto& g = *a.graph;
        const int x = detail::read_node(a);
        return count_nonzero<-1>(expr<bool, detail::rank_of<A> - 1>{&g, detail::structure::lstsq::counted(g, x, {&g, svd(a).s.id}).id});
    }
}

/// The largest singular value by the smallest: NumPy's `cond`. [...,m,n] -> [...]; infinity of a matrix that has not its full rank to the last bit.
template <traced A> constexpr auto cond(const A& a) {
    if constexpr (!detail::is_factored<A>) {
        return svd(a).s;
    } else {
        using T = detail::number_in<A>;
        const auto s = svd(a).s;
        const auto least = min<-1>(s);
        return where(least == T(0), std::numeric_limits<T>::infinity(), max<-1>(s) / least);
    }
}

/// The pseudo-inverse of Moore and Penrose: NumPy's `pinv`. [...,m,n] -> [...,n,m]. Singular values count as in `lstsq`, whose rule is that of PyTorch: NumPy's own counts more
/// of them. The gradient is that where the rank stays what it is. `lstsq(a, b).x` is faster and more accurate than `dot(pinv(a), b)`.
template <traced A> constexpr auto pinv(const A& a) {
    if constexpr (!detail::is_factored<A>) {
        return svd(a).s;
    } else {
        auto& g = *a.graph;
        const int x = detail::read_node(a);
        return expr<detail::number_in<A>, detail::rank_of<A>>{&g, detail::structure::lstsq::of(g, x, detail::identity_like(g, x), 0)};
    }
}

/// What `lstsq` gives: x, the sums of the squares that are left, the rank of the matrix, its singular values.
template <class X, class Residuals, class Rank, class Row> struct lstsq_result {
    X x;
    Residuals residuals;
    Rank rank;
    Row s;
};

/// x, the smallest of those for which the squares of a x - b are least: NumPy's `lstsq(a, b)`. [m,n] x [m] -> [n], [m,n] x [m,p] -> [n,p], and batches of such, repeated as
/// in `matmul`; `auto [x, residuals, rank, s] = lstsq(a, b)`. The residuals, [] or [p], are also there where NumPy leaves them out. Singular values up to the largest times
/// the larger of m and n times the precision of the element type count as 0. The gradient is that where the rank stays what it is.
template <traced A, traced B> constexpr auto lstsq(const A& a, const B& b) {
    auto& g = *a.graph;
    const auto x = detail::solved<detail::tie::lstsq>(a, b, [&](int p, int q) { return detail::structure::lstsq::of(g, p, q, 0); });
    if constexpr (!detail::is_factored<A> || detail::rank_of<B> < 1 || !std::is_same_v<detail::number_in<A>, detail::number_in<B>>) {
        return lstsq_result<decltype(x), decltype(x), decltype(x), decltype(x)>{x, x, x, x};
    } else {
        constexpr int axis = detail::rank_of<B> == 1 ? -1 : -2;
        const auto s = svd(a).s;
        const auto reached = [&] {
            if constexpr (detail::rank_of<B> == 1) return squeeze<-1>(matmul(a, newaxis<-1>(x)));
            else return matmul(a, x);
        }();
        const auto residuals = sum<axis>(sqr(reached - b));
        const auto rank = matrix_rank(a);
        return lstsq_result<decltype(x), decltype(residuals), decltype(rank), decltype(s)>{x, residuals, rank, s};
    }
}

}  // namespace croton::inline v0_1

#endif
