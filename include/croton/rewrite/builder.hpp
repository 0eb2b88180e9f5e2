// SPDX-License-Identifier: MIT
// Builds nodes by the rules of the normal form; the rules, which call each other, are in sums.ipp, products.ipp and
// stable.ipp.
#ifndef CROTON_REWRITE_BUILDER_HPP
#define CROTON_REWRITE_BUILDER_HPP

#include <croton/rewrite/pass.hpp>

namespace croton::inline v0_1::detail {

/// Builds nodes by the rules of the normal form. One instance serves one sweep over the graph.
///
/// A sum is a list of (coefficient, term), a product a list of (base, integer exponent) and a coefficient. Both are
/// collected only at their root, through nodes that nobody else uses, so that a sweep is linear.
class builder {
public:
    constexpr builder(arena& graph, rewrite_counts& counts) : g(graph), fired(counts) {}

    /// Nodes that others use too: a sum or product does not reach through them.
    vec<char> shared;

    /// With a node that is a multiple of another one, both: the rules take a coefficient off whoever else uses the node.
    constexpr void mark_shared(int id) {
        if (shared.size() <= id) shared.resize(g.nodes.size() + 16, 0);
        shared[id] = 1;
        while (g.is<op::negative>(id) || (g.is<op::multiply>(id) && g.is_literal(g[id].in[1]))) {
            id = g[id].in[0];
            shared[id] = 1;
        }
    }
    constexpr bool is_shared(int id) const { return id < shared.size() && shared[id] != 0; }

    static constexpr bool is_sum(int fn) { return fn == code<op::add> || fn == code<op::subtract> || fn == code<op::negative>; }
    static constexpr bool is_product(int fn) { return fn == code<op::multiply> || fn == code<op::divide> || fn == code<op::square>; }

    // One node

    constexpr int apply(int fn, int a, int b = -1, int c = -1) {
        a = strip(a, fn, b, c, a);
        if (b >= 0) b = strip(b, fn, a, c, b);
        if (c >= 0) c = strip(c, fn, a, b, c);
        if (const int folded = fold(fn, a, b, c); folded >= 0) return folded;
        if (is_sum(fn)) return sum_of(fn, a, b);
        if (is_product(fn) && is_floating(g[a].type)) return product_of(fn, a, b);
        if (fn == code<op::power>) return power(a, b);
        if (fn == code<op::where> && b == c) return b;
        if (fn == code<op::where> && g.is_literal(strip_broadcast(a))) return chosen(a, b, c);
        if ((fn == code<op::maximum> || fn == code<op::minimum>) && a == b) return a;
        if (g.facts(fn).arity == 1) return unary(fn, a);
        return g.apply(fn, a, b, c);
    }

    constexpr int negate(int a) { return apply(code<op::negative>, a); }

    constexpr int cast(element type, int a) {
        if (g[a].what == kind::cast) {
            const element from = g[g[a].in[0]].type, between = g[a].type;
            // Only a cast that loses nothing disappears.
            if (from == element::boolean || between == element::float64 || (between == element::float32 && is_stored_only(from)) ||
                (between == element::int64 && !is_floating(from)))
                return g.cast(type, g[a].in[0]);
        }
        return g.cast(type, a);
    }

    constexpr int reduce(int fn, unsigned axes, int a) {
        if (fn == reduction_code<reduction::sum> && g[a].what == kind::broadcast) return sum_of_broadcast(axes, a);
        if (g[a].what == kind::reduce && g[a].fn == fn) {
            ++fired.moved;
            return g.reduce(fn, axes | static_cast<unsigned>(g[a].bits), g[a].in[0]);
        }
        if (g[a].what == kind::view && g[g[a].in[0]].what == kind::reduce && g[g[a].in[0]].fn == fn && !is_shared(g[a].in[0])) {
            // The axes that the view shows are reduced with those that the inner reduction took.
            const node shown = g[a], inner = g[shown.in[0]];
            unsigned all = static_cast<unsigned>(inner.bits);
            for (int i = 0; i < shown.shape.rank; ++i)
                if (((axes >> i) & 1u) != 0 && view_axis(shown.bits, i) != new_axis) all |= 1u << view_axis(shown.bits, i);
            ++fired.moved;
            return view(g.reduce(fn, all, inner.in[0]), shown);
        }
        if (fn == reduction_code<reduction::sum>) {
            if (const int picked = sum_of_one_hot(axes, a); picked >= 0) return picked;
            if (is_floating(g[a].type) && g[a].what == kind::apply && (is_product(g[a].fn) || g.is<op::negative>(a))) {
                const int body = split_scale(a);
                if (body != a) {
                    ++fired.moved;
                    const scale taken = scale_;
                    const int total = reduce(fn, axes, body);
                    scale_ = taken;
                    return scaled(total);
                }
            }
        }
        return g.reduce(fn, axes, a);
    }

    /// Scales move out of a product of matrices; a transposed product becomes the product of the transposed.
    constexpr int dot(int a, int b) {
        if (g.is_literal(strip_broadcast(a), 0) || g.is_literal(strip_broadcast(b), 0)) {
            return g.broadcast(g.literal(g[a].type, 0), g.dot_shape(a, b));
        }
        if (!is_floating(g[a].type)) return g.dot(a, b);
        const int body_a = split_scale(a);
        const double ca = scale_.coefficient;
        const int sa = scale_.factor;
        const int body_b = split_scale(b);
        if (body_a == a && body_b == b) return g.dot(a, b);
        ++fired.moved;
        scale_.coefficient *= ca;
        if (sa >= 0) scale_.factor = scale_.factor >= 0 ? g.apply(code<op::multiply>, sa, scale_.factor) : sa;
        return scaled(g.dot(body_a, body_b));
    }

    constexpr int view(int a, const node& pattern) {
        std::array<int, max_rank> source{};
        for (int i = 0; i < pattern.shape.rank; ++i) source[static_cast<unsigned>(i)] = view_axis(pattern.bits, i);
        if (g[a].what == kind::dot && exchanges_last(pattern, g[a].shape.rank) && !is_shared(a)) {
            ++fired.moved;
            const int left = g[a].in[0], right = g[a].in[1];
            return g.dot(g.transposed(right), g.transposed(left));
        }
        // f(x) seen through a view is f of the view of x, where the other rules find it.
        if (is_own_unary(a)) return apply(g[a].fn, view(g[a].in[0], pattern));
        if (g.is<op::multiply>(a) && !is_shared(a) && g[g[a].in[1]].shape.rank == 0 && g.same_shape(g[g[a].in[0]].shape, g[a].shape)) {
            const int scale_factor = g[a].in[1];
            return apply(code<op::multiply>, view(g[a].in[0], pattern), scale_factor);
        }
        return g.view(a, pattern.shape.rank, source);
    }

    constexpr int reshape(int a, const detail::shape& to) {
        if (g.same_shape(g[a].shape, to)) return a;
        if (is_own_unary(a)) return apply(g[a].fn, reshape(g[a].in[0], to));
        return g.reshape(a, to);
    }

    /// softmax and log_softmax do not change where something that is the same along the axes is added.
    constexpr int row(kind what, unsigned axes, int a) {
        while ((what == kind::softmax || what == kind::log_softmax) && (g.is<op::add>(a) || g.is<op::subtract>(a))) {
            const int x = g[a].in[0], y = g[a].in[1];
            if (is_same_along(y, axes, g[a].shape.rank) && g.same_shape(g[x].shape, g[a].shape)) a = x;
            else if (g.is<op::add>(a) && is_same_along(x, axes, g[a].shape.rank) && g.same_shape(g[y].shape, g[a].shape)) a = y;
            else break;
            ++fired.stable;
        }
        return g.row_operation(what, axes, a);
    }

private:
    struct sum_term {
        double coefficient = 1;
        int body = -1;
    };
    struct sum_list {
        vec<sum_term> terms;
        double constant = 0;
    };
    struct factor {
        int base = -1;
        int exponent = 1;
    };
    struct product_list {
        vec<factor> factors;
        double coefficient = 1;
    };
    struct scale {
        double coefficient = 1;
        int factor = -1;  // rank 0
    };

    arena& g;
    rewrite_counts& fired;
    scale scale_;  // what split_scale took off

    constexpr double value(int id) const { return g.literal_value(id); }
    constexpr int literal(int like, double v) { return g.literal(g[like].type, v); }
    static constexpr double magnitude(double v) { return v < 0 ? -v : v; }
    static constexpr bool finite(double v) { return v - v == 0; }

    constexpr int sum_of(int fn, int a, int b);
    constexpr void add_term(sum_list& list, int body, double coefficient);
    constexpr void collect_sum(sum_list& list, int id, double coefficient);
    constexpr bool worth_distributing(const sum_list& list, int id) const;
    static constexpr void remove(sum_list& list, int index);
    constexpr void stabilise_sum(sum_list& list);
    constexpr void pair_softplus(sum_list& list);
    constexpr bool leads_negative(int id) const;
    constexpr int softplus_argument(int body) const;
    constexpr int without_softplus(const sum_term& t);
    constexpr int scaled_term(const sum_term& t);
    constexpr int common_scalar(const sum_list& list) const;
    constexpr int emit_sum(sum_list& list, int like);

    constexpr int product_of(int fn, int a, int b);
    constexpr void add_factor(product_list& list, int base, int exponent);
    constexpr void collect_product(product_list& list, int id, int exponent);
    constexpr void stabilise_product(product_list& list);
    constexpr int emit_product(const product_list& list, int like);
    constexpr int chain(const product_list& list, bool positive, bool scalars);
    constexpr int raise(int base, int exponent);
    constexpr int power(int x, int p);
    constexpr int split_scale(int id);
    constexpr int scaled(int body);

    constexpr int unary(int fn, int a);
    constexpr int unary_rule(int fn, int a);
    constexpr int log_rule(int a);
    constexpr int log1p_rule(int a);
    constexpr int log_of_sum(int a);
    constexpr int log_of_product(int a);
    constexpr int log_of_factor(int base);
    constexpr bool is_row_sum(int y, int x) const;
    constexpr int one_plus_exp(int base, double& outer);
    constexpr int sigmoid_argument(int base);
    constexpr int sum_of_one_hot(unsigned axes, int a);
    constexpr int sum_of_broadcast(unsigned axes, int a);

    constexpr bool is_own_unary(int a) const {
        return g[a].what == kind::apply && g.facts(g[a].fn).arity == 1 && !is_shared(a);
    }
    /// Whether `a`, an argument of an operator of this rank, has extent 1 along the axes.
    constexpr bool is_same_along(int a, unsigned axes, int rank) const {
        for (int i = 0; i < rank; ++i) {
            const int own = i - (rank - g[a].shape.rank);
            if (((axes >> i) & 1u) != 0 && own >= 0 && g.find(g[a].shape[own]) != 1) return false;
        }
        return true;
    }

    /// Whether a view of this rank shows its argument's last two axes exchanged and the others as they are.
    static constexpr bool exchanges_last(const node& view, int rank) {
        if (rank < 2 || view.shape.rank != rank) return false;
        for (int i = 0; i < rank; ++i)
            if (view_axis(view.bits, i) != (i < rank - 2 ? i : 2 * rank - 3 - i)) return false;
        return true;
    }

    constexpr int strip_broadcast(int a) const { return g[a].what == kind::broadcast ? g[a].in[0] : a; }

    /// where(a, b, c) whose condition is known.
    constexpr int chosen(int a, int b, int c) {
        const node whole = g[g.apply(code<op::where>, a, b, c)];
        const int taken = value(strip_broadcast(a)) != 0 ? b : c;
        ++fired.folded;
        return g.same_shape(g[taken].shape, whole.shape) ? taken : g.broadcast(taken, whole.shape);
    }

    /// A repeated argument needs no repeating where another argument has the full shape.
    constexpr int strip(int a, int fn, int b, int c, int original) {
        (void)fn;
        if (g[a].what != kind::broadcast) return a;
        const int other = b >= 0 && b != original && g.same_shape(g[b].shape, g[a].shape)   ? b
                          : c >= 0 && c != original && g.same_shape(g[c].shape, g[a].shape) ? c
                                                                                            : -1;
        return other >= 0 && g[other].what != kind::broadcast ? g[a].in[0] : a;
    }

    /// Arithmetic and comparisons of literals; what needs a mathematical library stays for the run, where it is done once.
    constexpr int fold(int fn, int a, int b, int c) {
        if (!g.is_literal(a) || (b >= 0 && !g.is_literal(b)) || (c >= 0 && !g.is_literal(c))) return -1;
        const double x = value(a), y = b >= 0 ? value(b) : 0;
        if (!finite(x) || !finite(y)) return -1;
        double r = 0;
        element type = g[a].type;
        switch (fn) {
        case code<op::copy>: r = x; break;
        case code<op::add>: r = x + y; break;
        case code<op::subtract>: r = x - y; break;
        case code<op::multiply>: r = x * y; break;
        case code<op::divide>:
            if (y == 0) return -1;
            r = x / y;
            break;
        case code<op::negative>: r = -x; break;
        case code<op::absolute>: r = magnitude(x); break;
        case code<op::square>: r = x * x; break;
        case code<op::relu>: r = x < 0 ? 0 : x; break;
        case code<op::exp>:
            if (x != 0) return -1;
            r = 1;
            break;
        case code<op::log>:
            if (x != 1) return -1;
            break;
        case code<op::tanh>:
        case code<op::expm1>:
        case code<op::log1p>:
            if (x != 0) return -1;
            break;
        case code<op::sqrt>:
            if (x != 0 && x != 1) return -1;
            r = x;
            break;
        case code<op::maximum>: r = x > y ? x : y; break;
        case code<op::minimum>: r = x < y ? x : y; break;
        case code<op::equal>: r = x == y; type = element::boolean; break;
        case code<op::not_equal>: r = x != y; type = element::boolean; break;
        case code<op::less>: r = x < y; type = element::boolean; break;
        case code<op::less_equal>: r = x <= y; type = element::boolean; break;
        case code<op::greater>: r = x > y; type = element::boolean; break;
        case code<op::greater_equal>: r = x >= y; type = element::boolean; break;
        case code<op::where>: r = x != 0 ? y : value(c); type = g[b].type; break;
        default: return -1;
        }
        if (!finite(r)) return -1;
        ++fired.folded;
        return g.literal(type, r);
    }
};

}  // namespace croton::inline v0_1::detail

#include <croton/rewrite/products.ipp>
#include <croton/rewrite/stable.ipp>
#include <croton/rewrite/sums.ipp>

#endif
