// SPDX-License-Identifier: MIT
// Builds nodes by the rules of the normal form; the rules, which call each other, are in the parts that
// it includes last.
#ifndef CROTON_REWRITE_BUILDER_HPP
#define CROTON_REWRITE_BUILDER_HPP

#include <limits>

#include <croton/kernel/kernel.hpp>
#include <croton/rewrite/pass.hpp>

namespace croton::inline v0_1::detail {

/// Builds nodes by the rules of the normal form. One instance serves one sweep over the graph.
///
/// What the program wrote is computed in the order in which it was written: of sums and products only those forms are taken
/// that have the same NaN and infinity, overflow and underflow nowhere else, and cancel nothing. What a derivative made was
/// written by nobody, and in a function with `algebra::free` nothing counts as written: there a sum is a list of
/// (coefficient, term), a product a list of (base, integer exponent) and a coefficient. Both are collected only at their
/// root, through nodes that nobody else uses, so that a sweep is linear.
class builder : public finite {
public:
    constexpr builder(arena& graph, fired_rules& counts) : g(graph), fired(counts) {}

    /// Nodes that others use too: a sum or product does not reach through them.
    vec<char> shared;

    /// With a node that is a multiple of another one, both: the rules take a coefficient off whoever else uses the node.
    constexpr void mark_shared(int id) {
        if (shared.size() <= id) shared.resize(g.nodes.size() + 16, 0);
        shared.at[id] = 1;
        while (g.is<op::negative>(id) || (g.is<op::multiply>(id) && g.is_literal(g.nodes.at[id].in[1]))) {
            id = g.nodes.at[id].in[0];
            shared.at[id] = 1;
        }
    }
    constexpr bool is_shared(int id) const { return id < shared.size() && shared.at[id] != 0; }

    /// Whether a node may be taken apart as if it were made of real numbers.
    constexpr bool is_free(int id) const { return g.free_algebra || g.nodes.at[id].derived; }
    /// Whether what is built now may be.
    constexpr bool builds_freely() const { return g.free_algebra || g.deriving; }

    /// Whether an element of the type holds the number with all of its digits: it is neither 0 nor subnormal nor infinite.
    static constexpr bool is_normal(element type, double v) {
        const bool single = type != element::float64;
        const double m = magnitude(v);
        return m >= (single ? static_cast<double>(std::numeric_limits<float>::min()) : std::numeric_limits<double>::min()) &&
               m <= (single ? static_cast<double>(std::numeric_limits<float>::max()) : std::numeric_limits<double>::max());
    }
    /// Whether (x a) b is x (a b) for every x, up to rounding: no product on the way is larger or smaller than the last one.
    static constexpr bool factors_merge(element type, double a, double b) {
        return (magnitude(a) >= 1) == (magnitude(b) >= 1) ? is_normal(type, times(a, b)) : magnitude(a) == 1 || magnitude(b) == 1;
    }

    static constexpr bool is_sum(int fn) { return fn == code<op::add> || fn == code<op::subtract> || fn == code<op::negative>; }
    static constexpr bool is_product(int fn) { return fn == code<op::multiply> || fn == code<op::divide> || fn == code<op::square>; }

    // One node

    constexpr int apply(int fn, int a, int b = -1, int c = -1) {
        a = strip(a, fn, b, c, a);
        if (b >= 0) b = strip(b, fn, a, c, b);
        if (c >= 0) c = strip(c, fn, a, b, c);
        if (const int folded = fold(fn, a, b, c); folded >= 0) return folded;
        if (is_sum(fn)) return sum_of(fn, a, b);
        if (is_product(fn) && is_floating(g.nodes.at[a].type)) return product_of(fn, a, b);
        if (fn == code<op::power>) return power(a, b);
        if (fn == code<op::xlogy> || fn == code<op::xlog1py>)
            if (const int made = times_log(fn, a, b); made >= 0) return made;
        if (fn == code<op::where> && b == c) return b;
        if (fn == code<op::where> && g.is_literal(strip_broadcast(a))) return chosen(a, b, c);
        if ((fn == code<op::maximum> || fn == code<op::minimum>) && a == b) return a;
        if (g.facts(fn).arity == 1) return unary(fn, a);
        return g.apply(fn, a, b, c);
    }

    /// Whether every number of one type is one of the other, and what is made of it is the same.
    static constexpr bool keeps_all(element from, element to) {
        if (from == element::boolean) return true;
        if (to == element::float32) return is_stored_only(from) || (!is_floating(from) && size_of(from) <= 2);
        if (to == element::float64) return from != element::int64 && from != element::uint64 && from != element::uint32;
        if (is_floating(to) || is_floating(from)) return false;
        // An unsigned number that becomes a signed one of its size, or a negative one that becomes unsigned, is another one only where more is made of it.
        return size_of(to) > size_of(from) ? !is_unsigned(to) || is_unsigned(from) : to == from;
    }

    constexpr int cast(element type, int a) {
        if (g.nodes.at[a].what == tag<structure::cast>) {
            const element from = g.nodes.at[g.nodes.at[a].in[0]].type, between = g.nodes.at[a].type;
            // Only a cast that loses nothing disappears.
            if (keeps_all(from, between))
                return structure::cast::of(g, type, g.nodes.at[a].in[0]);
        }
        return structure::cast::of(g, type, a);
    }

    constexpr int reduce(int fn, unsigned axes, int a) {
        if (fn == reduction_code<reduction::sum> && g.nodes.at[a].what == tag<structure::broadcast> && counts_copies(axes, a)) return sum_of_broadcast(axes, a);
        if (g.nodes.at[a].what == tag<structure::reduce> && g.nodes.at[a].fn == fn) {
            fired.add(rule::reductions_joined);
            return structure::reduce::of(g, fn, axes | static_cast<unsigned>(g.nodes.at[a].bits), g.nodes.at[a].in[0]);
        }
        if (g.nodes.at[a].what == tag<structure::view> && g.nodes.at[g.nodes.at[a].in[0]].what == tag<structure::reduce> && g.nodes.at[g.nodes.at[a].in[0]].fn == fn && !is_shared(g.nodes.at[a].in[0])) {
            // The axes that the view shows are reduced with those that the inner reduction took.
            const node shown = g.nodes.at[a], inner = g.nodes.at[shown.in[0]];
            unsigned all = static_cast<unsigned>(inner.bits);
            for (int i = 0; i < shown.shape.rank; ++i)
                if (((axes >> i) & 1u) != 0 && view_axis(shown.bits, i) != new_axis) all |= 1u << view_axis(shown.bits, i);
            fired.add(rule::reductions_joined);
            return view(structure::reduce::of(g, fn, all, inner.in[0]), shown);
        }
        if (fn == reduction_code<reduction::sum>) {
            if (const int picked = sum_of_one_hot(axes, a); picked >= 0) return picked;
            if (is_floating(g.nodes.at[a].type) && g.nodes.at[a].what == tag<structure::apply> && ((is_product(g.nodes.at[a].fn) && is_free(a)) || g.is<op::negative>(a))) {
                const int body = split_scale(a);
                if (body != a) {
                    fired.add(rule::scale_out_of_sum);
                    const scale taken = scale_;
                    const int total = reduce(fn, axes, body);
                    scale_ = taken;
                    return scaled(total);
                }
            }
        }
        return structure::reduce::of(g, fn, axes, a);
    }

    /// Signs and the scales of derivatives move out of a product of matrices.
    constexpr int dot(int a, int b) {
        if (builds_freely() && (g.is_literal(strip_broadcast(a), 0) || g.is_literal(strip_broadcast(b), 0))) {
            return structure::broadcast::of(g, g.literal(g.nodes.at[a].type, 0), structure::dot::result(g, a, b));
        }
        if (!is_floating(g.nodes.at[a].type)) return structure::dot::of(g, a, b);
        const int body_a = split_scale(a);
        const double ca = scale_.coefficient;
        const int sa = scale_.factor;
        const int body_b = split_scale(b);
        if (body_a == a && body_b == b) return structure::dot::of(g, a, b);
        fired.add(rule::scale_out_of_product);
        scale_.coefficient *= ca;
        if (sa >= 0) scale_.factor = scale_.factor >= 0 ? g.apply(code<op::multiply>, sa, scale_.factor) : sa;
        return scaled(structure::dot::of(g, body_a, body_b));
    }

    constexpr int view(int a, const node& pattern) {
        std::array<int, max_rank> source{};
        for (int i = 0; i < pattern.shape.rank; ++i) source[static_cast<unsigned>(i)] = view_axis(pattern.bits, i);
        if (g.nodes.at[a].what == tag<structure::dot> && exchanges_last(pattern, g.nodes.at[a].shape.rank) && !is_shared(a)) {
            fired.add(rule::product_transposed);
            const int left = g.nodes.at[a].in[0], right = g.nodes.at[a].in[1];
            return structure::dot::of(g, structure::transposed(g, right), structure::transposed(g, left));
        }
        // f(x) seen through a view is f of the view of x, where the other rules find it.
        if (is_own_unary(a)) return apply(g.nodes.at[a].fn, view(g.nodes.at[a].in[0], pattern));
        if (g.is<op::multiply>(a) && !is_shared(a) && g.nodes.at[g.nodes.at[a].in[1]].shape.rank == 0 && g.same_shape(g.nodes.at[g.nodes.at[a].in[0]].shape, g.nodes.at[a].shape)) {
            const int scale_factor = g.nodes.at[a].in[1];
            return apply(code<op::multiply>, view(g.nodes.at[a].in[0], pattern), scale_factor);
        }
        return structure::view::of(g, a, pattern.shape.rank, source);
    }

    constexpr bool is_nonnegative(int a) const;
    constexpr int strip_broadcast(int a) const { return g.nodes.at[a].what == tag<structure::broadcast> ? g.nodes.at[a].in[0] : a; }

    /// A slice of what only it reads is computed of slices: what it leaves out is not computed at all.
    constexpr int slice(int a, int axis, size_ref start, size_ref extent, std::int64_t step);

    constexpr int reshape(int a, const detail::shape& to) {
        if (g.same_shape(g.nodes.at[a].shape, to)) return a;
        if (is_own_unary(a)) return apply(g.nodes.at[a].fn, reshape(g.nodes.at[a].in[0], to));
        return structure::reshape::of(g, a, to);
    }

    /// softmax and log_softmax take the maximum off themselves, and do not change where something that is the same along the
    /// axes is added, unless it is NaN.
    constexpr int row(std::uint8_t what, unsigned axes, int a) {
        while ((what == tag<structure::softmax> || what == tag<structure::log_softmax>) && (g.is<op::add>(a) || g.is<op::subtract>(a))) {
            const int x = g.nodes.at[a].in[0], y = g.nodes.at[a].in[1];
            if (!builds_freely() && !(g.is<op::subtract>(a) && is_row_reduction(reduction_code<reduction::max>, y, x) == axes)) break;
            if (is_same_along(y, axes, g.nodes.at[a].shape.rank) && g.same_shape(g.nodes.at[x].shape, g.nodes.at[a].shape)) a = x;
            else if (g.is<op::add>(a) && is_same_along(x, axes, g.nodes.at[a].shape.rank) && g.same_shape(g.nodes.at[y].shape, g.nodes.at[a].shape)) a = y;
            else break;
            fired.add(rule::softmax_shifted);
        }
        node made;
        made.what = what;
        made.in[0] = a;
        made.bits = axes;
        return rebuild(g, made);
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
    struct integer_term {
        std::uint64_t coefficient = 1;
        int body = -1;
    };
    struct integer_list {
        vec<integer_term> terms;
        std::uint64_t constant = 0;
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
    fired_rules& fired;
    scale scale_;  // what split_scale took off

    constexpr double value(int id) const { return g.literal_value(id); }
    constexpr int literal(int like, double v) { return g.literal(g.nodes.at[like].type, v); }
    static constexpr bool finite(double v) { return magnitude(v) <= std::numeric_limits<double>::max(); }

    constexpr bool is_factor(int id) const { return g.is_literal(id) && is_normal(g.nodes.at[id].type, value(id)); }

    constexpr int chosen(int a, int b, int c);
    constexpr double held(int id) const;
    constexpr int fold(int fn, int a, int b, int c);
    constexpr int fold_numbers(int fn, int a, int b);
    constexpr int fold_integers(int fn, int a, int b);

    constexpr int negate(int a);
    constexpr int written_negative(int a);
    constexpr bool are_opposite(int u, int v) { return u == negate(v) || v == negate(u); }
    constexpr int freely(int fn, int a, int b);

    constexpr int sum_of(int fn, int a, int b);
    constexpr int written_sum(int fn, int a, int b);
    constexpr int integer_sum(int fn, int a, int b);
    constexpr void collect_integers(integer_list& list, int id, std::uint64_t coefficient, bool scaled);
    constexpr int emit_integers(const integer_list& list, element type);
    constexpr sum_term scaled_body(int id, double coefficient) const;
    constexpr void add_term(sum_list& list, int body, double coefficient);
    constexpr void collect_sum(sum_list& list, int id, double coefficient, bool open = false);
    constexpr bool worth_distributing(const sum_list& list, int id) const;
    static constexpr void remove(sum_list& list, int index);
    constexpr void stabilise_sum(sum_list& list);
    constexpr void list_pieces(vec<int>& pieces, int id, int axis) const;
    constexpr int sum_of_padded(int a, int b);
    constexpr void join_padded(sum_list& list);
    constexpr void pair_softplus(sum_list& list);
    constexpr bool leads_negative(int id) const;
    constexpr int softplus_argument(int body) const;
    constexpr int without_softplus(const sum_term& t);
    constexpr int scaled_term(const sum_term& t);
    constexpr int common_scalar(const sum_list& list) const;
    constexpr int emit_sum(sum_list& list, int like);

    constexpr int product_of(int fn, int a, int b);
    constexpr int written_product(int a, int b);
    constexpr int written_quotient(int a, int b);
    constexpr bool is_root(int id) const;
    constexpr int quotient(int a, int b);
    constexpr int scaled_by(int a, double by);
    constexpr factor power_of(int a) const;
    constexpr int opposite_sigmoid(int tree, int last);
    constexpr int replace_factor(int tree, int from, int to);
    template <class Test> constexpr int find_factor(int tree, const Test& test) const;
    constexpr int stable_pair(int a, int b);
    constexpr int stable_quotient(int a, int b);
    constexpr void add_factor(product_list& list, int base, int exponent);
    constexpr bool add_coefficient(product_list& list, int literal, int exponent) const;
    constexpr void collect_product(product_list& list, int id, int exponent, bool open = false);
    constexpr void stabilise_product(product_list& list);
    constexpr int emit_product(const product_list& list, int like);
    constexpr int chain(const product_list& list, bool positive, bool scalars);
    constexpr int raise(int base, int exponent);
    constexpr int power(int x, int p);
    constexpr int square_root(int x);
    constexpr int split_scale(int id);
    constexpr int scaled(int body);

    constexpr int times_log(int fn, int a, int b);
    constexpr int unary(int fn, int a);
    constexpr int unary_rule(int fn, int a);
    constexpr bool undoes(int a) const;
    constexpr int log_rule(int a);
    constexpr int log1p_rule(int a);
    constexpr int log_of_sum(int a);
    constexpr int log_of_product(int a);
    constexpr int log_of_factor(int base);
    constexpr int log_of_exponentials(int a);
    constexpr unsigned is_row_reduction(int fn, int y, int x) const;
    constexpr bool counts_copies(unsigned axes, int a) const;
    constexpr int one_plus_exp(int base, double& outer);
    constexpr int sigmoid_argument(int base);
    constexpr int sum_of_one_hot(unsigned axes, int a);
    constexpr int sum_of_broadcast(unsigned axes, int a);

    constexpr bool is_own_unary(int a) const {
        return g.nodes.at[a].what == tag<structure::apply> && g.facts(g.nodes.at[a].fn).arity == 1 && !is_shared(a);
    }
    /// Whether `a`, an argument of an operator of this rank, has extent 1 along the axes.
    constexpr bool is_same_along(int a, unsigned axes, int rank) const {
        for (int i = 0; i < rank; ++i) {
            const int own = i - (rank - g.nodes.at[a].shape.rank);
            if (((axes >> i) & 1u) != 0 && own >= 0 && g.find(g.nodes.at[a].shape.extent[own]) != 1) return false;
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

    /// A repeated argument needs no repeating where another argument has the full shape.
    constexpr int strip(int a, int fn, int b, int c, int original) {
        (void)fn;
        if (g.nodes.at[a].what != tag<structure::broadcast>) return a;
        const int other = b >= 0 && b != original && g.same_shape(g.nodes.at[b].shape, g.nodes.at[a].shape)   ? b
                          : c >= 0 && c != original && g.same_shape(g.nodes.at[c].shape, g.nodes.at[a].shape) ? c
                                                                                            : -1;
        return other >= 0 && g.nodes.at[other].what != tag<structure::broadcast> ? g.nodes.at[a].in[0] : a;
    }
};

}  // namespace croton::inline v0_1::detail

#include <croton/rewrite/integers.ipp>
#include <croton/rewrite/literals.ipp>
#include <croton/rewrite/products.ipp>
#include <croton/rewrite/slices.ipp>
#include <croton/rewrite/stable.ipp>
#include <croton/rewrite/sums.ipp>
#include <croton/rewrite/written.ipp>

#endif
