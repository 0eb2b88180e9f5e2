// SPDX-License-Identifier: MIT
// Matrices as products of orthogonal ones with triangles and diagonals. Each is one node that holds all of its parts, which are slices of it.
#ifndef CROTON_GRAPH_STRUCTURE_ORTHOGONAL_HPP
#define CROTON_GRAPH_STRUCTURE_ORTHOGONAL_HPP

#include <limits>

#include <croton/core/literals.hpp>
#include <croton/graph/structure/linear.hpp>
#include <croton/kernel/routine/orthogonal.hpp>

namespace croton::inline v0_1::detail {

/// `count` rows of matrices from `first` on.
template <class G> constexpr term rows_of(G& g, int x, size_ref first, size_ref count) { return {&g, structure::slice::of(g, x, g[x].shape.rank - 2, first, count, 1)}; }
template <class G> constexpr term columns_of(G& g, int x, size_ref first, size_ref count) { return {&g, structure::slice::of(g, x, g[x].shape.rank - 1, first, count, 1)}; }

/// 1 / x, and 0 where x is 0.
constexpr term reciprocal_or_zero(term x) {
    const term zero = x == x.literal(0);
    return where_of(zero, x.literal(0), x.literal(1) / where_of(zero, x.literal(1), x));
}

/// Numbers of a row [...,1,k] on the diagonal of [...,k,k].
constexpr term on_diagonal(term row) {
    arena& g = *row.g;
    const int columns = column_numbers(g, row.id), rows = structure::view::of(g, columns, 2, {1, 0});
    return where_of({&g, g.apply(code<op::equal>, rows, columns)}, row, row.literal(0));
}

/// 1 / (x_j - x_i) of a row x, and 0 where they are equal: what eigenvectors turn by.
constexpr term reciprocal_differences(term row) { return reciprocal_or_zero(row - transposed(row)); }

namespace structure {

/// The reflections and the triangle of a QR factorisation.
struct qr_reflections : matrix_structure<qr_reflections, kernel::qr> {
    static constexpr std::string_view no_derivative = lu::no_derivative;
    template <class G> static constexpr int of(G& g, int a) {
        node n = matrix_structure::like(g, a, 0);
        n.shape[n.shape.rank - 2] = g.sum(n.shape[n.shape.rank - 2], 1);
        return g.intern(n);
    }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, n.in[0]); }
};

struct qr_columns : matrix_structure<qr_columns, kernel::qr_columns> {
    static constexpr std::string_view no_derivative = lu::no_derivative;
    template <class G> static constexpr int of(G& g, int reflections, size_ref rows) {
        node n = matrix_structure::like(g, reflections, 0);
        const int rank = n.shape.rank;
        n.shape[rank - 1] = g.minimum(rows, n.shape[rank - 1]);
        n.shape[rank - 2] = rows;
        return g.intern(n);
    }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, n.in[0], n.shape[n.shape.rank - 2]); }
};

/// [m,n] -> [m+n,k]: Q, and below it R transposed.
struct qr : by_factors<qr> {
    static constexpr std::string_view name = "qr"sv;

    template <class G> static constexpr term q_of(G& g, int id, int a) { return detail::rows_of(g, id, 0, g[a].shape[g[a].shape.rank - 2]); }
    template <class G> static constexpr term r_of(G& g, int id, int a) {
        const shape& s = g[a].shape;
        return detail::transposed(detail::rows_of(g, id, s[s.rank - 2], s[s.rank - 1]));
    }
    /// Of the first k columns of A, those that Q is made of: (Q' + Q copy(M)) R^-T with M = R R'^T - Q'^T Q, where copy takes the lower triangle
    /// for both. The columns behind are Q R, so that their part of R' turns Q as well.
    template <class C> static constexpr void pull(C& c, int id) {
        auto& g = c.g;
        const int a = g[id].in[0], full = c.full(c.of[id], id), rank = g[a].shape.rank;
        const term q = q_of(g, id, a), r = r_of(g, id, a), slope_r = r_of(g, full, a);
        const size_ref k = g.minimum(g[a].shape[rank - 2], g[a].shape[rank - 1]), rest = g.difference(g[a].shape[rank - 1], k);
        const auto first = [&](term x) { return columns_of(g, x.id, 0, k); };
        const auto last = [&](term x) { return columns_of(g, x.id, k, rest); };
        term slope_q = q_of(g, full, a);
        const bool all = g.find(rest) == 0;
        if (!all) slope_q = slope_q + product_of(last(c.make(a)), detail::transposed(last(slope_r)));
        const term m = product_of(first(r), detail::transposed(first(slope_r))) - product_of(detail::transposed(slope_q), q);
        const term both = triangle_of(m, true, 1) + detail::transposed(triangle_of(m, true, 0));
        const term turned = slope_q + product_of(q, both);
        const term slope = detail::transposed(c.make(solve_triangular::of(g, first(r).id, detail::transposed(turned).id, 0)));
        c.add(a, all ? slope : c.make(concatenate::of(g, rank - 1, slope.id, product_of(q, last(slope_r)).id)));
    }
    template <class B> static constexpr int batch(B& b, const node& n) { return of(b.g, b.whole(n.in[0])); }
    template <class G> static constexpr int of(G& g, int a) {
        node n = g.like(g.own_structure(structure_facts_of<later<G, qr>>), a);
        const size_ref rows = n.shape[n.shape.rank - 2], columns = n.shape[n.shape.rank - 1];
        n.shape[n.shape.rank - 2] = g.sum(rows, columns);
        n.shape[n.shape.rank - 1] = g.minimum(rows, columns);
        return g.intern(n);
    }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, n.in[0]); }
    template <class G> static constexpr int expand(G& g, const node& n) {
        const shape s = g[n.in[0]].shape;
        const int reflections = qr_reflections::of(g, n.in[0]), q = qr_columns::of(g, reflections, s[s.rank - 2]);
        const term r = triangle_of(detail::rows_of(g, reflections, 0, n.shape[s.rank - 1]), false, 1);
        return concatenate::of(g, s.rank - 2, q, detail::transposed(r).id);
    }
};

/// [n,n] -> [n+1,n]: the eigenvalues in order, then the eigenvectors, a row each.
struct eigh : matrix_structure<eigh, kernel::eigh> {
    template <class G> static constexpr term values_of(G& g, int id) { return detail::rows_of(g, id, 0, 1); }
    template <class G> static constexpr term vectors_of(G& g, int id) { return detail::transposed(detail::rows_of(g, id, 1, g[id].shape[g[id].shape.rank - 1])); }

    /// V (diag(w') + F o (V^T V')) V^T, symmetric.
    template <class C> static constexpr void pull(C& c, int id) {
        auto& g = c.g;
        const int full = c.full(c.of[id], id);
        const term w = values_of(g, id), v = vectors_of(g, id), slope_v = vectors_of(g, full);
        const term inner = on_diagonal(values_of(g, full)) + reciprocal_differences(w) * product_of(detail::transposed(v), slope_v);
        const term slope = product_of(v, product_of(inner, detail::transposed(v)));
        c.add(g[id].in[0], (slope + detail::transposed(slope)) * 0.5);
    }
    template <class G> static constexpr int of(G& g, int a) {
        node n = matrix_structure::like(g, a, 0);
        n.shape[n.shape.rank - 2] = g.sum(n.shape[n.shape.rank - 1], 1);
        return g.intern(n);
    }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, n.in[0]); }
};

/// [m,n] -> [m+n+1,k]: U, the singular values, V.
struct svd : matrix_structure<svd, kernel::svd> {
    struct parts {
        term u, s, v;
    };
    template <class G> static constexpr parts parts_of(G& g, int id, int a) {
        const shape& of_a = g[a].shape;
        const size_ref m = of_a[of_a.rank - 2], n = of_a[of_a.rank - 1];
        return {detail::rows_of(g, id, 0, m), detail::rows_of(g, id, m, 1), detail::rows_of(g, id, g.sum(m, 1), n)};
    }
    /// U ((J + J^T) S + S (K + K^T) + diag(s')) V^T with J = F o (U^T U') and K = F o (V^T V'), and what U' and V' have beside the columns
    /// of U and V.
    template <class C> static constexpr void pull(C& c, int id) {
        auto& g = c.g;
        const int a = g[id].in[0], rank = g[a].shape.rank;
        const parts y = parts_of(g, id, a), slope = parts_of(g, c.full(c.of[id], id), a);
        const term u_t = detail::transposed(y.u), v_t = detail::transposed(y.v), by_s = reciprocal_or_zero(y.s), turns = reciprocal_differences(sqr_of(y.s));
        const term of_u = product_of(u_t, slope.u), of_v = product_of(v_t, slope.v), j = turns * of_u, k = turns * of_v;
        const term inner = (j + detail::transposed(j)) * y.s + detail::transposed(y.s) * (k + detail::transposed(k)) + on_diagonal(slope.s);
        term all = product_of(y.u, product_of(inner, v_t));
        // The columns of a square matrix are all there are.
        const size_ref m = g.find(g[a].shape[rank - 2]), n = g.find(g[a].shape[rank - 1]);
        if (m != n && !(m >= 0 && n >= 0 && m < n)) all = all + product_of((slope.u - product_of(y.u, of_u)) * by_s, v_t);
        if (m != n && !(m >= 0 && n >= 0 && n < m)) all = all + product_of(y.u, detail::transposed((slope.v - product_of(y.v, of_v)) * by_s));
        c.add(a, all);
    }
    template <class G> static constexpr int of(G& g, int a) {
        node n = matrix_structure::like(g, a, 0);
        const size_ref rows = n.shape[n.shape.rank - 2], columns = n.shape[n.shape.rank - 1];
        n.shape[n.shape.rank - 2] = g.sum(g.sum(rows, columns), 1);
        n.shape[n.shape.rank - 1] = g.minimum(rows, columns);
        return g.intern(n);
    }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, n.in[0]); }
};

/// Least squares, by the singular values that count: the pseudo-inverse P of A times B, or P^T B.
struct lstsq : by_factors<lstsq> {  // bits: 1: P^T
    static constexpr std::string_view name = "lstsq"sv;

    /// The singular values that are no rounding error of the largest.
    template <class G> static constexpr term counted(G& g, int a, term s) {
        const shape& of_a = g[a].shape;
        const size_ref m = of_a[of_a.rank - 2], n = of_a[of_a.rank - 1], larger = g.difference(g.sum(m, n), g.minimum(m, n));
        const double epsilon = g[a].type == element::float64 ? std::numeric_limits<double>::epsilon() : static_cast<double>(std::numeric_limits<float>::epsilon());
        // The first one, of none 0.
        const term is_first = term{&g, arange::of(g, element::int64, g.minimum(m, n))} == 0;
        const int largest = reduce::of(g, reduction_code<reduction::sum>, 1u << ((*s).shape.rank - 1), where_of(is_first, s, s.literal(0)).id);
        return s > term{&g, largest} * (term{&g, g.size(g[a].type, larger)} * epsilon);
    }
    /// Golub and Pereyra, 1973: where the rank stays, P' = -P A' P + P P^T A'^T (1 - A P) + (1 - P A) A'^T P^T P.
    template <class C> static constexpr void pull(C& c, int id) {
        auto& g = c.g;
        const node n = g[id];
        const bool turned = n.bits != 0;
        const auto seen = [&](term x) { return turned ? detail::transposed(x) : x; };
        const auto solved = [&](term b, bool other) { return c.make(of(g, n.in[0], b.id, n.bits ^ (other ? 1 : 0))); };
        const term x = c.make(id), slope_x = c.make(c.full(c.of[id], id)), slope_b = solved(slope_x, true);
        c.add(n.in[1], slope_b);
        if (!c.wanted(n.in[0])) return;
        const term a = seen(c.make(n.in[0])), b = c.make(n.in[1]);
        const term slope = product_of(b - product_of(a, x), detail::transposed(solved(slope_b, false))) +
                           product_of(solved(x, true), detail::transposed(slope_x - product_of(detail::transposed(a), slope_b))) - product_of(slope_b, detail::transposed(x));
        c.add(n.in[0], seen(slope));
    }
    template <class B> static constexpr int batch(B& b, const node& n) { return of(b.g, b.whole(n.in[0]), b.whole(n.in[1]), n.bits); }
    template <class G> static constexpr int of(G& g, int a, int b, std::int64_t turned) {
        node n = g.like(g.own_structure(structure_facts_of<later<G, lstsq>>), b);
        set_arguments(n, a, b);
        n.bits = turned;
        const int rank = n.shape.rank;
        n.shape[rank - 2] = g[a].shape[turned != 0 ? rank - 2 : rank - 1];
        return g.intern(n);
    }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, n.in[0], n.in[1], n.bits); }
    template <class G> static constexpr int expand(G& g, const node& n) {
        const svd::parts y = svd::parts_of(g, svd::of(g, n.in[0]), n.in[0]);
        const term by_s = detail::transposed(where_of(counted(g, n.in[0], y.s), reciprocal_or_zero(y.s), y.s.literal(0)));
        const term left = n.bits != 0 ? y.u : y.v, right = n.bits != 0 ? y.v : y.u;
        const term rows = detail::transposed(right);
        return product_of(left, by_s * (n.in[1] == identity_like(g, n.in[0]) ? rows : product_of(rows, {&g, n.in[1]}))).id;
    }
};

}  // namespace structure

}  // namespace croton::inline v0_1::detail

#endif
