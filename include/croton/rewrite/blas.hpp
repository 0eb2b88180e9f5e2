// SPDX-License-Identifier: MIT
// Products of matrices take up the scales and the addend around them: alpha a b + beta c is one call.
#ifndef CROTON_REWRITE_BLAS_HPP
#define CROTON_REWRITE_BLAS_HPP

#include <croton/rewrite/sweep.hpp>

namespace croton::inline v0_1::detail {

/// Turns every dot into a gemm, and with it the sum of scaled terms it stands in where that sum is stored anyway.
/// A sum that an elementwise consumer reads at once is left to the fused loop. The terms are added in the order in which the
/// program wrote them and have one scale each, but for w - lr (a b + c w) of a parameter w, which is (1 - lr c) w - lr a b.
class blas_pass {
public:
    constexpr blas_pass(arena& graph, fired_rules& counts) : g(graph), fired(counts), b(graph, counts) {}

    constexpr void run(vec<int>& roots) {
        const int count = g.nodes.size();
        const liveness live(g, roots);
        uses_ = live.uses.at;
        vec<char> streamed(count, 0);  // by node: read by an elementwise operator or a reduction, which can take the sum into its loop
        for (int id = 0; id < count; ++id) {
            if (uses_[id] == 0) continue;
            const node& n = g.nodes.at[id];
            if (n.place == placement::loop || n.place == placement::expands || n.what == tag<structure::view>)
                for (int i = 0; i < 3; ++i) {
                    if (n.in[i] < 0) break;
                    streamed.at[n.in[i]] = 1;
                }
        }
        for (int i = 0; i < roots.size(); ++i) streamed.at[roots.at[i]] = 0;
        rebuild_live(g, roots, live, map_, [&](int id) {
            const node& n = g.nodes.at[id];
            if (n.what == tag<structure::dot>) return gemm(n.in[0], n.in[1], -1, -1, -1, id);
            return n.what == tag<structure::apply> && streamed.at[id] == 0 && is_floating(n.type) && n.shape.rank >= 1 ? match(id) : -1;
        });
    }

private:
    struct scaled_body {
        double coefficient = 1;
        int scalar = -1;  // rank-0 factor, or -1
        int body = -1;
        bool derived = false;  // added by a derivative
        bool spread = false;   // with a scale of a sum, or with two scales, that only the call knows
    };

    /// How the program wrote the sum that is looked at.
    struct spelling {
        int sums = 0;         // its additions
        int free_sums = 0;    // those that may be done in any order
        bool nested = false;  // one is the second operand of another
        bool cancels = false;
        bool decays = false;  // a term met itself without a scale: it is w in the form above
    };

    /// The scale that a term has so far.
    struct scale {
        double coefficient = 1;
        int scalar = -1;
        bool derived = false, spread = false;
        constexpr bool is_one() const { return (coefficient == 1 || coefficient == -1) && scalar < 0; }
    };

    constexpr int multiply(int scalar, int by) { return scalar < 0 ? by : b.apply(code<op::multiply>, scalar, by); }

    constexpr bool is_open(int id, bool root) const { return g.nodes.at[id].what == tag<structure::apply> && (root || uses_[id] == 1); }
    constexpr bool is_add(int id) const { return g.is<op::add>(id) || g.is<op::subtract>(id); }

    /// Whether a sum stands below signs and scales.
    constexpr bool leads_to_sum(int id) const {
        while (is_open(id, false) && (g.is<op::negative>(id) || g.is<op::multiply>(id)))
            id = g.nodes.at[id].in[g.is<op::multiply>(id) && g.nodes.at[g.nodes.at[id].in[1]].shape.rank != 0 ? 1 : 0];
        return is_open(id, false) && is_add(id) && !b.is_free(id);
    }

    constexpr void collect(vec<scaled_body>& terms, int id, scale by, bool root) {
        const node n = g.nodes.at[id];
        const bool open = is_open(id, root), is_free = b.is_free(id);
        if (open && is_add(id)) {
            ++spelling_.sums;
            spelling_.free_sums += is_free ? 1 : 0;
            spelling_.nested = spelling_.nested || (!is_free && leads_to_sum(n.in[1]));
            by.derived = by.derived || is_free;
            by.spread = by.spread || (!is_free && by.scalar >= 0);
            collect(terms, n.in[0], by, false);
            if (n.fn == code<op::subtract>) by.coefficient = -by.coefficient;
            collect(terms, n.in[1], by, false);
        } else if (open && n.fn == code<op::negative>) {
            by.coefficient = -by.coefficient;
            collect(terms, n.in[0], by, false);
        } else if (open && n.fn == code<op::multiply> && g.is_literal(n.in[1])) {
            const double c = g.literal_value(n.in[1]);
            // A factor above 1 lets parts of a sum overflow that cancel.
            const bool grows = !is_free && magnitude(c) > 1 && leads_to_sum(n.in[0]);
            const bool merges = magnitude(by.coefficient) == 1 || is_free || builder::factors_merge(n.type, by.coefficient, c);
            if (builder::is_normal(n.type, c) && builder::is_normal(n.type, builder::times(by.coefficient, c)) && merges && !grows) {
                by.spread = by.spread || (!is_free && by.scalar >= 0 && magnitude(c) != 1);
                by.coefficient *= c;
                collect(terms, n.in[0], by, false);
            } else {
                add(terms, {by.coefficient, by.scalar, id, by.derived, by.spread});
            }
        } else if (open && n.fn == code<op::multiply> && (g.nodes.at[n.in[0]].shape.rank == 0 || g.nodes.at[n.in[1]].shape.rank == 0)) {
            const unsigned factor = g.nodes.at[n.in[1]].shape.rank == 0 ? 1 : 0;
            by.spread = by.spread || (!is_free && !by.is_one());
            by.scalar = multiply(by.scalar, map_.at[n.in[factor]]);
            collect(terms, n.in[1 - factor], by, false);
        } else {
            add(terms, {by.coefficient, by.scalar, id, by.derived, by.spread});
        }
    }

    constexpr bool is_parameter(int id) const { return g.nodes.at[id].what == tag<structure::input> && g.leaves.at[static_cast<int>(g.nodes.at[id].bits)].shared; }

    /// Terms with the same body become one where a derivative added one of them, and in the update of a parameter:
    /// w - lr (g + c w) has (1 - lr c) w. What nearly cancels stays.
    constexpr void add(vec<scaled_body>& terms, const scaled_body& t) {
        for (scaled_body& old : terms) {
            if (old.body != t.body) continue;
            const bool is_free = g.free_algebra || old.derived || t.derived;
            if (const scaled_body& whole = t.spread ? old : t; is_parameter(t.body) && !whole.spread && whole.scalar < 0 && magnitude(whole.coefficient) == 1) {
                spelling_.decays = true;
                old.spread = false;
            }
            spelling_.cancels = spelling_.cancels || (!is_free && !is_parameter(t.body));
            if (old.scalar == t.scalar) {
                const double sum = builder::plus(old.coefficient, t.coefficient);
                const double larger = magnitude(old.coefficient) > magnitude(t.coefficient) ? magnitude(old.coefficient) : magnitude(t.coefficient);
                spelling_.cancels = spelling_.cancels || (!is_free && magnitude(sum) < larger / 2) || !builder::is_normal(g.nodes.at[t.body].type, sum);
                old.coefficient = sum;
            } else {
                old.scalar = b.apply(code<op::add>, factor(old), factor(t));
                old.coefficient = 1;
            }
            return;
        }
        terms.push(t);
    }
    static constexpr double magnitude(double v) { return v < 0 ? -v : v; }

    /// Whether a product can take up the terms in the order in which they were written.
    constexpr bool keeps_order(const vec<scaled_body>& terms, int products, int others, int root) const {
        if (spelling_.cancels) return false;
        for (const scaled_body& t : terms)
            if (t.spread && !(spelling_.decays && is_product(t, root) && products == 1 && others == 1)) return false;
        if (spelling_.free_sums > 0 || spelling_.sums <= 1) return true;
        if (spelling_.nested) return products == 1 && others == 1;
        int before = 0;  // products in front of the last addend
        for (int i = 0, seen = 0; i < terms.size(); ++i) {
            if (is_product(terms.at[i], root)) ++seen;
            else before = seen;
        }
        return before == 0 || (before == 1 && others == 1);
    }

    /// The scale of a term as one rank-0 node.
    constexpr int factor(const scaled_body& t) {
        const int c = g.literal(g.nodes.at[t.body].type, t.coefficient);
        return t.scalar < 0 ? c : b.apply(code<op::multiply>, t.scalar, c);
    }

    constexpr int match(int root) {
        const int fn = g.nodes.at[root].fn;
        if (!builder::is_sum(fn) && fn != code<op::multiply>) return -1;
        vec<scaled_body> terms;
        spelling_ = spelling();
        g.deriving = false;
        collect(terms, root, scale(), true);
        int products = 0, others = 0, other = -1;
        for (int i = 0; i < terms.size(); ++i) {
            if (is_product(terms.at[i], root)) {
                ++products;
            } else {
                ++others;
                other = i;
            }
        }
        if (products == 0 || !keeps_order(terms, products, others, root)) return -1;
        int c = -1, beta = -1;
        if (others == 1 && g.same_shape(g.nodes.at[terms.at[other].body].shape, g.nodes.at[root].shape)) {
            c = map_.at[terms.at[other].body];
            beta = factor(terms.at[other]);
        } else if (others > 0) {
            for (const scaled_body& t : terms) {
                if (is_product(t, root)) continue;
                const int body = map_.at[t.body], f = factor(t);
                const int scaled = g.is_literal(f, 1) ? body : g.apply(code<op::multiply>, body, f);
                c = c < 0 ? scaled : g.apply(code<op::add>, c, scaled);
            }
            if (!g.same_shape(g.nodes.at[c].shape, g.nodes.at[root].shape)) return -1;
        }
        for (const scaled_body& t : terms)
            if (is_product(t, root)) {
                c = gemm(g.nodes.at[t.body].in[0], g.nodes.at[t.body].in[1], c, factor(t), beta, root);
                beta = -1;
            }
        fired.add(rule::gemm);
        return c;
    }

    /// A product that is repeated along an axis of the sum is a term like any other.
    constexpr bool is_product(const scaled_body& t, int root) const {
        return g.nodes.at[t.body].what == tag<structure::dot> && uses_[t.body] == 1 && g.same_shape(g.nodes.at[t.body].shape, g.nodes.at[root].shape);
    }

    constexpr int gemm(int x, int y, int c, int alpha, int beta, int like) {
        g.deriving = g.nodes.at[like].derived;
        return structure::gemm::of(g, map_.at[x], map_.at[y], c, alpha, beta, like);
    }

    arena& g;
    fired_rules& fired;
    builder b;
    spelling spelling_;
    vec<int> map_;
    const int* uses_ = nullptr;  // by node: see `liveness`
};

}  // namespace croton::inline v0_1::detail

#endif
