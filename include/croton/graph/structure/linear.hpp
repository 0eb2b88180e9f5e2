// SPDX-License-Identifier: MIT
// Systems of equations: factors of matrices, what is solved with them, determinants.
#ifndef CROTON_GRAPH_STRUCTURE_LINEAR_HPP
#define CROTON_GRAPH_STRUCTURE_LINEAR_HPP

#include <croton/core/later.hpp>
#include <croton/core/literals.hpp>
#include <croton/graph/structures.hpp>
#include <croton/kernel/routine/matrices.hpp>

namespace croton::inline v0_1::detail {

// Parts of matrices, for derivatives.

constexpr int row_numbers(arena& g, int like) {
    const shape& s = g[like].shape;
    return structure::view::of(g, structure::arange::of(g, element::int64, s[s.rank - 2]), 2, {0, new_axis});
}
constexpr int column_numbers(arena& g, int like) {
    const shape& s = g[like].shape;
    return structure::view::of(g, structure::arange::of(g, element::int64, s[s.rank - 1]), 2, {new_axis, 0});
}

/// The triangle of each matrix, zeros elsewhere; the diagonal times `diagonal`.
constexpr term triangle_of(term x, bool lower, double diagonal) {
    arena& g = *x.g;
    const term row{&g, row_numbers(g, x.id)}, column{&g, column_numbers(g, x.id)};
    if (diagonal == 1) return where_of(lower ? column <= row : column >= row, x, x.literal(0));
    const term inside = where_of(lower ? column < row : column > row, x, x.literal(0));
    return diagonal == 0 ? inside : inside + where_of(column == row, x * diagonal, x.literal(0));
}

constexpr term product_of(term a, term b) { return {a.g, structure::dot::of(*a.g, a.id, b.id)}; }
constexpr term transposed(term a) { return {a.g, structure::transposed(*a.g, a.id)}; }

/// Ones on the diagonal of square matrices that have as many rows as the matrices of `like`.
constexpr int identity_like(arena& g, int like) {
    shape s = g[like].shape;
    s[s.rank - 1] = s[s.rank - 2];
    const int hit = g.apply(code<op::equal>, row_numbers(g, like), structure::view::of(g, structure::arange::of(g, element::int64, s[s.rank - 2]), 2, {new_axis, 0}));
    return structure::broadcast::of(g, structure::cast::of(g, g[like].type, hit), s);
}

/// Of each matrix one number: with two axes of extent 1 behind. One number for all stays.
constexpr term as_matrices(term x, int rank) {
    if ((*x).shape.rank == 0) return x;
    std::array<int, max_rank> source{};
    for (int i = 0; i < rank; ++i) source[static_cast<unsigned>(i)] = i < rank - 2 ? i : new_axis;
    return {x.g, structure::view::of(*x.g, x.id, rank, source)};
}

/// Calls make(matrices, right sides) for each of a batch. Many right sides of one matrix are the columns of one.
template <class B, class Make> constexpr int batch_of_equations(B& b, const node& n, const Make& make) {
    arena& g = b.g;
    if (b.varies(n.in[0]) || n.shape.rank != 2) return make(b.whole(n.in[0]), b.whole(n.in[1]));
    const shape all = b.with_axis(n.shape);
    shape apart = all, wide = n.shape;
    apart[0] = all[1];
    apart[1] = all[0];
    wide[1] = g.product(all[0], all[2]);
    const int sides = structure::reshape::of(g, structure::view::of(g, b.whole(n.in[1]), 3, {1, 0, 2}), wide);
    return structure::view::of(g, structure::reshape::of(g, make(b.at(n.in[0]), sides), apart), 3, {1, 0, 2});
}

namespace structure {

// Functions of any graph G, which is the arena: what no program asks for is not compiled, and clang has read the whole struct before.

/// A structure that a routine of matrices computes.
template <class S, class Routine> struct matrix_structure {
    static constexpr std::string_view name = Routine::name;
    static constexpr placement place = placement::call;
    static constexpr bool is_lasting = true;
    static constexpr const kernel::routine_facts* routine(const node&) { return &kernel::routine_of<Routine>::facts; }
    template <class B> static constexpr int batch(B& b, const node& n) { return b.along(n); }

    template <class G> static constexpr node like(G& g, int a, std::int64_t attributes) {
        node n = g.like(g.own_structure(structure_facts_of<S>), a);
        n.bits = kernel::along_axis(n.shape.rank - 1, attributes);
        return n;
    }
};

/// Equations of which the matrix is a triangle.
struct solve_triangular : matrix_structure<solve_triangular, kernel::triangular> {  // bits: what triangle it is
    template <class C> static constexpr void pull(C& c, int id) {
        const node n = c.g[id];
        const std::int64_t of_triangle = kernel::attributes_of(n.bits);
        const term x = c.make(id), slope = c.make(of(c.g, n.in[0], c.full(c.of[id], id), of_triangle ^ kernel::triangular::transposed));
        c.add(n.in[1], slope);
        if (!c.wanted(n.in[0])) return;
        const bool turned = (of_triangle & kernel::triangular::transposed) != 0, unit = (of_triangle & kernel::triangular::unit) != 0;
        c.add(n.in[0], -triangle_of(turned ? product_of(x, transposed(slope)) : product_of(slope, transposed(x)), (of_triangle & kernel::triangular::lower) != 0, unit ? 0 : 1));
    }
    template <class B> static constexpr int batch(B& b, const node& n) {
        return batch_of_equations(b, n, [&](int x, int y) { return of(b.g, x, y, kernel::attributes_of(n.bits)); });
    }
    template <class G> static constexpr int of(G& g, int a, int b, std::int64_t of_triangle) {
        node n = like(g, b, of_triangle);
        set_arguments(n, a, b);
        return g.intern(n);
    }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, n.in[0], n.in[1], kernel::attributes_of(n.bits)); }
};

/// Of L = `cholesky(a)` and a slope G of it the slope of a: with S = L^-T tril(L^T G, its diagonal halved) L^-1 the symmetric (S + S^T) / 2.
struct cholesky_gradient : matrix_structure<cholesky_gradient, kernel::cholesky_gradient> {
    template <class C> static constexpr void pull(C& c, int id) {
        const node n = c.g[id];
        const auto divided = [&](term x) { return c.make(solve_triangular::of(c.g, n.in[0], x.id, kernel::triangular::lower)); };
        const term l = c.make(n.in[0]), slope = c.make(n.in[1]), of_a = c.make(id), whole = c.make(c.full(c.of[id], id));
        const term right = transposed(divided((whole + transposed(whole)) * 0.5)), inner = triangle_of(divided(right), true, 0.5);
        c.add(n.in[1], triangle_of(product_of(l, inner), true, 1));
        if (c.wanted(n.in[0])) c.add(n.in[0], triangle_of(product_of(slope, transposed(inner)) - product_of(of_a, right) * 2, true, 1));
    }
    template <class B> static constexpr int batch(B& b, const node& n) { return of(b.g, b.whole(n.in[0]), b.whole(n.in[1])); }
    template <class G> static constexpr int of(G& g, int l, int slope) {
        node n = like(g, slope, 0);
        set_arguments(n, l, slope);
        return g.intern(n);
    }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, n.in[0], n.in[1]); }
};

struct cholesky : matrix_structure<cholesky, kernel::cholesky> {
    template <class C> static constexpr void pull(C& c, int id) {
        c.add(c.g[id].in[0], c.make(cholesky_gradient::of(c.g, id, c.full(c.of[id], id))));
    }
    template <class G> static constexpr int of(G& g, int a) { return g.intern(like(g, a, 0)); }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, n.in[0]); }
};

struct lu : matrix_structure<lu, kernel::lu> {
    static constexpr std::string_view no_derivative = "it is made when nothing is differentiated any more"sv;
    template <class G> static constexpr int of(G& g, int a) {
        node n = like(g, a, 0);
        n.shape[n.shape.rank - 2] = g.sum(n.shape[n.shape.rank - 1], 1);
        return g.intern(n);
    }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, n.in[0]); }
};

struct lu_solve : matrix_structure<lu_solve, kernel::lu_solve> {  // bits: the attributes of the routine
    static constexpr std::string_view no_derivative = lu::no_derivative;
    /// Equations that several callers ask for are solved once; the sentence of their failure names the first of them.
    template <class G> static constexpr int of(G& g, int factors, int b, std::int64_t attributes) {
        node n = like(g, b, attributes);
        set_arguments(n, factors, b);
        for (std::int64_t who = 0; who <= kernel::lu_solve::callers; who += kernel::lu_solve::caller_step) {
            node same = n;
            same.bits = kernel::along_axis(n.shape.rank - 1, (attributes & ~kernel::lu_solve::callers) | who);
            if (g.knows(same)) return g.intern(same);
        }
        return g.intern(n);
    }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, n.in[0], n.in[1], kernel::attributes_of(n.bits)); }
};

/// What stands for nodes on the factors of a matrix, which all that is asked of it share.
template <class S> struct by_factors {
    static constexpr placement place = placement::expands;
    static constexpr bool is_lasting = true;
};

struct solve : by_factors<solve> {  // bits: the attributes of `lu_solve`
    static constexpr std::string_view name = "solve"sv;

    template <class C> static constexpr void pull(C& c, int id) {
        const node n = c.g[id];
        const term x = c.make(id), slope = c.make(of(c.g, n.in[0], c.full(c.of[id], id), n.bits ^ kernel::lu_solve::transposed));
        c.add(n.in[1], slope);
        if (c.wanted(n.in[0])) c.add(n.in[0], -((n.bits & kernel::lu_solve::transposed) != 0 ? product_of(x, transposed(slope)) : product_of(slope, transposed(x))));
    }
    template <class B> static constexpr int batch(B& b, const node& n) {
        return batch_of_equations(b, n, [&](int x, int y) { return of(b.g, x, y, n.bits); });
    }
    template <class G> static constexpr int of(G& g, int a, int b, std::int64_t attributes) {
        node n = g.like(g.own_structure(structure_facts_of<later<G, solve>>), b);
        n.bits = attributes;
        set_arguments(n, a, b);
        return g.intern(n);
    }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, n.in[0], n.in[1], n.bits); }
    template <class G> static constexpr int expand(G& g, const node& n) { return lu_solve::of(g, lu::of(g, n.in[0]), n.in[1], n.bits); }
};

/// The diagonal of the factors, and 1 or -1 where columns were exchanged: [...,n] each.
struct factor_diagonal {
    term numbers, signs;

    template <class G> static constexpr factor_diagonal of(G& g, int a) {
        const int factors = lu::of(g, a), rank = g[a].shape.rank;
        const size_ref n = g[a].shape[rank - 1];
        std::array<int, max_rank> without_rows{}, without_columns{}, column{};
        for (int i = 0; i < rank; ++i) {
            without_rows[static_cast<unsigned>(i)] = i < rank - 2 ? i : rank - 1;
            without_columns[static_cast<unsigned>(i)] = i;
            column[static_cast<unsigned>(i)] = i == rank - 2 ? 0 : new_axis;
        }
        const int numbers = arange::of(g, element::int64, n);
        const int picked = gather::of(g, slice::of(g, factors, rank - 2, 0, n, 1), view::of(g, numbers, rank, column), rank - 1, true);
        const term exchanged{&g, view::of(g, slice::of(g, factors, rank - 2, n, 1, 1), rank - 1, without_rows)};
        const term own{&g, cast::of(g, g[a].type, numbers)};
        return {{&g, view::of(g, picked, rank - 1, without_columns)}, where_of(exchanged == own, own.literal(1), own.literal(-1))};
    }
};

/// A number for each matrix.
template <class S> struct determinant_of : by_factors<S> {
    template <class B> static constexpr int batch(B& b, const node& n) { return of(b.g, b.whole(n.in[0])); }
    template <class G> static constexpr int of(G& g, int a) {
        node n = g.like(g.own_structure(structure_facts_of<S>), a);
        n.shape.rank -= 2;
        return g.intern(n);
    }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, n.in[0]); }
    template <class G> static constexpr int expand(G& g, const node& n) {
        const factor_diagonal d = factor_diagonal::of(g, n.in[0]);
        const auto along = [&](int fn, term x) {
            std::array<int, max_rank> source{};
            for (int i = 0; i < n.shape.rank; ++i) source[static_cast<unsigned>(i)] = i;
            return term{&g, view::of(g, reduce::of(g, static_cast<std::uint8_t>(fn), 1u << n.shape.rank, x.id), n.shape.rank, source)};
        };
        const term y = along(S::fn, S::made_of(d));
        // Of a singular matrix there is no sign: 0 as NumPy has it, and not the -0 that a product may be.
        if constexpr (S::has_sign) return where_of(along(reduction_code<reduction::any>, d.numbers == 0), y.literal(0), y).id;
        else return y.id;
    }
    /// The inverse of the matrix transposed, times a number for each. It is made of the inverse, which the program may ask for as well.
    static constexpr void add_inverse(auto& c, int a, term by) {
        if (by.is(0)) return c.add(a, by);
        c.add(a, as_matrices(by, c.g[a].shape.rank) * transposed(c.make(solve::of(c.g, a, identity_like(c.g, a), kernel::lu_solve::of_determinant))));
    }
};

struct determinant : determinant_of<determinant> {
    static constexpr std::string_view name = "det"sv;
    static constexpr std::uint8_t fn = reduction_code<reduction::prod>;
    static constexpr bool has_sign = true;
    static constexpr term made_of(const factor_diagonal& d) { return d.numbers * d.signs; }
    template <class C> static constexpr void pull(C& c, int id) { add_inverse(c, c.g[id].in[0], c.make(c.of[id]) * c.make(id)); }
};

struct log_determinant : determinant_of<log_determinant> {  // of its absolute value
    static constexpr std::string_view name = "logabsdet"sv;
    static constexpr std::uint8_t fn = reduction_code<reduction::sum>;
    static constexpr bool has_sign = false;
    static constexpr term made_of(const factor_diagonal& d) { return log(abs(d.numbers)); }
    template <class C> static constexpr void pull(C& c, int id) {
        const bool one = c.g[c.of[id]].shape.rank == 0;
        add_inverse(c, c.g[id].in[0], c.make(one ? c.of[id] : c.full(c.of[id], id)));
    }
};

struct determinant_sign : determinant_of<determinant_sign> {
    static constexpr std::string_view name = "sign of det"sv;
    static constexpr std::uint8_t fn = reduction_code<reduction::prod>;
    static constexpr bool has_sign = true;
    static constexpr term made_of(const factor_diagonal& d) { return sign(d.numbers) * d.signs; }
    template <class C> static constexpr void pull(C& c, int id) {
        const int a = c.g[id].in[0];
        c.add(a, c.g.literal(c.g[a].type, 0));
    }
};

}  // namespace structure

}  // namespace croton::inline v0_1::detail

#endif
