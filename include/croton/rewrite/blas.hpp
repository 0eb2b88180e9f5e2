// SPDX-License-Identifier: MIT
// Products of matrices take up the scales and the addend around them: alpha a b + beta c is one call.
#ifndef CROTON_REWRITE_BLAS_HPP
#define CROTON_REWRITE_BLAS_HPP

#include <croton/rewrite/sweep.hpp>

namespace croton::inline v0_1::detail {

/// Turns every dot into a gemm, and with it the sum of scaled terms it stands in where that sum is stored anyway.
/// A sum that an elementwise consumer reads at once is left to the fused loop.
class blas_pass {
public:
    constexpr blas_pass(arena& graph, rewrite_counts& counts) : g(graph), fired(counts), b(graph, counts) {}

    constexpr void run(vec<int>& roots) {
        const int count = g.nodes.size();
        const liveness live(g, roots);
        map_.assign(count, -1);
        uses_.assign(count, 0);
        streamed_.assign(count, 0);
        for (int id = 0; id < count; ++id) {
            uses_[id] = live.uses[id];
            if (live.uses[id] == 0) continue;
            const kind what = g[id].what;
            if (what == kind::apply || what == kind::cast || what == kind::reduce || what == kind::view || what == kind::softmax ||
                what == kind::log_softmax || what == kind::logsumexp)
                for (int i = 0; i < 3; ++i)
                    if (const int a = g[id].in[static_cast<unsigned>(i)]; a >= 0) streamed_[a] = 1;
        }
        for (int i = 0; i < roots.size(); ++i) streamed_[roots[i]] = 0;
        for (int id = 0; id < count; ++id) {
            if (uses_[id] == 0) continue;
            int made = -1;
            if (g[id].what == kind::dot) made = gemm(g[id].in[0], g[id].in[1], -1, -1, -1, id);
            else if (g[id].what == kind::apply && streamed_[id] == 0 && is_floating(g[id].type) && g[id].shape.rank >= 1) made = match(id);
            if (made < 0) made = rebuild(g, with_arguments(g, id, map_));
            map_[id] = made;
            if (g[id].name >= 0 && g[made].name < 0) g.nodes[made].name = g[id].name;
        }
        for (int i = 0; i < roots.size(); ++i) roots[i] = map_[roots[i]];
    }

private:
    struct scaled_body {
        double coefficient = 1;
        int scalar = -1;  // rank-0 factor, or -1
        int body = -1;
    };

    constexpr int multiply(int scalar, int by) { return scalar < 0 ? by : b.apply(code<op::multiply>, scalar, by); }

    constexpr void collect(vec<scaled_body>& terms, int id, double coefficient, int scalar, bool root) {
        const node n = g[id];
        const bool open = n.what == kind::apply && (root || uses_[id] == 1);
        if (open && n.fn == code<op::add>) {
            collect(terms, n.in[0], coefficient, scalar, false);
            collect(terms, n.in[1], coefficient, scalar, false);
        } else if (open && n.fn == code<op::subtract>) {
            collect(terms, n.in[0], coefficient, scalar, false);
            collect(terms, n.in[1], -coefficient, scalar, false);
        } else if (open && n.fn == code<op::negative>) {
            collect(terms, n.in[0], -coefficient, scalar, false);
        } else if (open && n.fn == code<op::multiply> && g.is_literal(n.in[1])) {
            collect(terms, n.in[0], coefficient * g.literal_value(n.in[1]), scalar, false);
        } else if (open && n.fn == code<op::multiply> && g[n.in[1]].shape.rank == 0) {
            collect(terms, n.in[0], coefficient, multiply(scalar, map_[n.in[1]]), false);
        } else if (open && n.fn == code<op::multiply> && g[n.in[0]].shape.rank == 0) {
            collect(terms, n.in[1], coefficient, multiply(scalar, map_[n.in[0]]), false);
        } else {
            add(terms, {coefficient, scalar, id});
        }
    }

    /// Terms with the same body become one: w - lr (g + c w) has (1 - lr c) w.
    constexpr void add(vec<scaled_body>& terms, const scaled_body& t) {
        for (scaled_body& old : terms) {
            if (old.body != t.body) continue;
            if (old.scalar == t.scalar) {
                old.coefficient += t.coefficient;
            } else {
                old.scalar = b.apply(code<op::add>, factor(old), factor(t));
                old.coefficient = 1;
            }
            return;
        }
        terms.push(t);
    }

    /// The scale of a term as one rank-0 node.
    constexpr int factor(const scaled_body& t) {
        const int c = g.literal(g[t.body].type, t.coefficient);
        return t.scalar < 0 ? c : b.apply(code<op::multiply>, t.scalar, c);
    }

    constexpr int match(int root) {
        const int fn = g[root].fn;
        if (!builder::is_sum(fn) && fn != code<op::multiply>) return -1;
        vec<scaled_body> terms;
        collect(terms, root, 1, -1, true);
        int products = 0, others = 0, other = -1;
        for (int i = 0; i < terms.size(); ++i) {
            if (is_product(terms[i], root)) {
                ++products;
            } else {
                ++others;
                other = i;
            }
        }
        if (products == 0) return -1;
        int c = -1, beta = -1;
        if (others == 1 && g.same_shape(g[terms[other].body].shape, g[root].shape)) {
            c = map_[terms[other].body];
            beta = factor(terms[other]);
        } else if (others > 0) {
            for (const scaled_body& t : terms) {
                if (is_product(t, root)) continue;
                const int body = map_[t.body], f = factor(t);
                const int scaled = g.is_literal(f, 1) ? body : g.apply(code<op::multiply>, body, f);
                c = c < 0 ? scaled : g.apply(code<op::add>, c, scaled);
            }
            if (!g.same_shape(g[c].shape, g[root].shape)) return -1;
        }
        for (const scaled_body& t : terms)
            if (is_product(t, root)) {
                c = gemm(g[t.body].in[0], g[t.body].in[1], c, factor(t), beta, root);
                beta = -1;
            }
        ++fired.blas;
        return c;
    }

    /// A product that is repeated along an axis of the sum is a term like any other.
    constexpr bool is_product(const scaled_body& t, int root) const {
        return g[t.body].what == kind::dot && uses_[t.body] == 1 && g.same_shape(g[t.body].shape, g[root].shape);
    }

    constexpr int gemm(int x, int y, int c, int alpha, int beta, int like) {
        node n;
        n.what = kind::gemm;
        n.type = g[like].type;
        set_arguments(n, map_[x], map_[y], c);
        n.in[3] = alpha >= 0 && g.is_literal(alpha, 1) ? -1 : alpha;
        n.in[4] = beta >= 0 && g.is_literal(beta, 1) ? -1 : beta;
        n.shape = g[like].shape;
        return g.intern(n);
    }

    arena& g;
    rewrite_counts& fired;
    builder b;
    vec<int> map_, uses_;
    vec<char> streamed_;  // read by an elementwise operator or a reduction, which can take the sum into its loop
};

}  // namespace croton::inline v0_1::detail

#endif
