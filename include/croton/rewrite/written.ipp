// SPDX-License-Identifier: MIT
// Sums and products that the program wrote: the order of their operations stays, and with it what they lose.

namespace croton::inline v0_1::detail {

/// The operator as if all of its arguments were made of real numbers.
constexpr int builder::freely(int fn, int a, int b) {
    const bool was_free = g.free_algebra, was_deriving = g.deriving;
    g.free_algebra = g.deriving = true;
    const int made = apply(fn, a, b);
    g.free_algebra = was_free;
    g.deriving = was_deriving;
    return made;
}

/// -a with every digit and the sign of every zero.
constexpr int builder::written_negative(int a) {
    const node n = g.nodes.at[a];
    if (g.is<op::negative>(a)) return n.in[0];
    if (g.is<op::multiply>(a) && is_factor(n.in[1])) return scaled_by(n.in[0], -value(n.in[1]));
    // Beside a softplus a zero is no exact one. A difference that others use stays, and `negate` would come back here.
    if (g.is<op::subtract>(a) && !is_shared(a) && (g.is<op::softplus>(scaled_body(n.in[0], 1).body) || g.is<op::softplus>(scaled_body(n.in[1], 1).body))) return negate(a);
    return g.apply(code<op::negative>, a);
}

/// -a for an argument of a function that is continuous at 0, where a difference can be turned around.
constexpr int builder::negate(int a) {
    const node n = g.nodes.at[a];
    if (builds_freely() || !g.is<op::subtract>(a) || is_shared(a)) return apply(code<op::negative>, a);
    return g.is<op::negative>(n.in[0]) ? g.apply(code<op::add>, g.nodes.at[n.in[0]].in[0], n.in[1]) : g.apply(code<op::subtract>, n.in[1], n.in[0]);
}

/// `a` times a literal, which joins the one that `a` has where the order makes no difference.
constexpr int builder::scaled_by(int a, double by) {
    const element type = g.nodes.at[a].type;
    if (g.is<op::negative>(a)) return scaled_by(g.nodes.at[a].in[0], -by);
    if (g.is<op::multiply>(a) && is_factor(g.nodes.at[a].in[1])) {
        const double own = value(g.nodes.at[a].in[1]);
        if (factors_merge(type, own, by) || (is_free(a) && is_normal(type, times(own, by)))) {
            fired.add(rule::factors_joined);
            return scaled_by(g.nodes.at[a].in[0], own * by);
        }
    }
    // So does c / n, which a size n makes no larger.
    if (g.is<op::divide>(a) && is_factor(g.nodes.at[a].in[0]) && g.nodes.at[g.nodes.at[a].in[1]].what == tag<structure::size> && is_normal(type, times(value(g.nodes.at[a].in[0]), by)))
        return g.apply(code<op::divide>, literal(a, value(g.nodes.at[a].in[0]) * by), g.nodes.at[a].in[1]);
    if (by == 1) return a;
    return by == -1 ? written_negative(a) : g.apply(code<op::multiply>, a, literal(a, by));
}

/// a + b or a - b. Two multiples of one body are one where they have the same sign, so that no infinity meets another.
constexpr int builder::written_sum(int fn, int a, int b) {
    sum_list list;
    const auto take = [&](int x, double sign) {
        if (is_factor(x)) list.constant = sign * value(x);
        else list.terms.push(scaled_body(x, sign));
    };
    take(a, 1);
    take(b, fn == code<op::add> ? 1 : -1);
    const int count = list.terms.size();
    if (count == 0) return g.apply(fn, a, b);
    const sum_term p = list.terms.at[0];
    if (count == 2 && p.body == list.terms.at[1].body) {
        const double q = list.terms.at[1].coefficient;
        if ((p.coefficient > 0) == (q > 0) && is_normal(g.nodes.at[a].type, plus(p.coefficient, q))) {
            fired.add(rule::like_terms);
            return scaled_by(p.body, p.coefficient + q);
        }
    }
    const int before = fired.stable;
    stabilise_sum(list);
    if (fired.stable != before) return emit_sum(list, a);
    if (fn == code<op::subtract> && g.is_literal(b) && g.nodes.at[b].bits == 0) return a;

    // As it was written, with the signs of the operands in the operator.
    const sum_term constant{list.constant, -1};
    const sum_term first = is_factor(a) ? constant : p, second = is_factor(b) ? constant : list.terms.at[count - 1];
    const auto positive = [&](const sum_term& t) { return t.body < 0 ? literal(a, magnitude(t.coefficient)) : scaled_term(t); };
    const bool minus = second.coefficient < 0;
    if (first.coefficient > 0 && minus) return g.apply(code<op::subtract>, positive(first), positive(second));
    if (first.coefficient < 0 && minus) {
        const int left = first.body < 0 ? a : first.coefficient == -1 ? g.apply(code<op::negative>, first.body) : g.apply(code<op::multiply>, first.body, literal(a, first.coefficient));
        return g.apply(code<op::subtract>, left, positive(second));
    }
    if (first.coefficient < 0) return g.apply(code<op::subtract>, positive(second), positive(first));
    const bool literal_first = g.is_literal(a) || (g.nodes.at[a].shape.rank == 0 && g.nodes.at[b].shape.rank > 0 && !g.is_literal(b));
    return g.apply(code<op::add>, positive(literal_first ? second : first), positive(literal_first ? first : second));
}

/// A number or an array of which `a` is an integer power, and the exponent.
constexpr builder::factor builder::power_of(int a) const {
    int exponent = 1, base = a;
    while (g.is<op::square>(base)) {
        base = g.nodes.at[base].in[0];
        exponent *= 2;
    }
    if (!g.is<op::multiply>(base)) return {base, exponent};
    // What `raise` makes: the lower powers times a square.
    for (unsigned i = 0; i < 2; ++i) {
        const int square = g.nodes.at[base].in[i];
        if (!g.is<op::square>(square)) continue;
        const factor high = power_of(square), low = power_of(g.nodes.at[base].in[1 - i]);
        if (high.base == low.base) return {low.base, exponent * (high.exponent + low.exponent)};
        break;
    }
    return {base, exponent};
}

constexpr int builder::written_product(int a, int b) {
    if (g.is_literal(a) || (g.nodes.at[a].shape.rank == 0 && g.nodes.at[b].shape.rank > 0 && !g.is_literal(b))) {
        const int swap = a;
        a = b;
        b = swap;
    }
    if (is_factor(b)) return scaled_by(a, value(b));
    if (g.is<op::negative>(a) || g.is<op::negative>(b)) {
        const bool minus = g.is<op::negative>(a) != g.is<op::negative>(b);
        const int made = written_product(g.is<op::negative>(a) ? g.nodes.at[a].in[0] : a, g.is<op::negative>(b) ? g.nodes.at[b].in[0] : b);
        return minus ? written_negative(made) : made;
    }
    if (const int made = stable_pair(a, b); made >= 0) return made;
    if (const factor p = power_of(a), q = power_of(b); p.base == q.base && p.exponent + q.exponent <= 64) {
        fired.add(rule::like_factors);
        return raise(p.base, p.exponent + q.exponent);
    }
    return g.apply(code<op::multiply>, a, b);
}

constexpr int builder::written_quotient(int a, int b) {
    if (g.is<op::negative>(a) || g.is<op::negative>(b)) {
        const bool minus = g.is<op::negative>(a) != g.is<op::negative>(b);
        const int made = written_quotient(g.is<op::negative>(a) ? g.nodes.at[a].in[0] : a, g.is<op::negative>(b) ? g.nodes.at[b].in[0] : b);
        return minus ? written_negative(made) : made;
    }
    if (const int made = stable_quotient(a, b); made >= 0) return made;
    if (is_factor(b) && is_normal(g.nodes.at[b].type, 1 / value(b))) return scaled_by(a, 1 / value(b));
    // The reciprocal of a size is as good as the quotient, and is taken once.
    if (g.nodes.at[b].what == tag<structure::size> && !is_same_along(a, ~0u, g.nodes.at[a].shape.rank)) return written_product(a, g.apply(code<op::divide>, literal(b, 1), b));
    return quotient(a, b);
}

/// Whether a node is a root, or one that is guarded for its derivative's sake, which is 0 besides; or shows one with other axes.
constexpr bool builder::is_root(int id) const {
    while (g.nodes.at[id].what == tag<structure::view> || g.nodes.at[id].what == tag<structure::reshape>) id = g.nodes.at[id].in[0];
    if (g.is<op::where>(id) && g.is_literal(strip_broadcast(g.nodes.at[id].in[1]), 0)) id = g.nodes.at[id].in[2];
    return g.is<op::sqrt>(id);
}

/// a / b, as a times the reciprocal of b where that is taken once for a row. It is that of a root, which of no number is beyond the normal ones.
constexpr int builder::quotient(int a, int b) {
    const int rank = g.nodes.at[a].shape.rank;
    const unsigned row = rank > 0 ? 1u << (rank - 1) : 0u;
    if (is_root(b) && !is_same_along(a, row, rank) && is_same_along(b, row, rank)) return written_product(a, g.apply(code<op::divide>, literal(b, 1), b));
    return g.apply(code<op::divide>, a, b);
}

/// The first factor of a product, as it was written, that passes the test; -1 where none does.
template <class Test> constexpr int builder::find_factor(int tree, const Test& test) const {
    if (test(tree)) return tree;
    if (!g.is<op::multiply>(tree) || is_shared(tree)) return -1;
    const int left = find_factor(g.nodes.at[tree].in[0], test);
    return left >= 0 ? left : find_factor(g.nodes.at[tree].in[1], test);
}

/// sigmoid(x) among the factors of a product, as it was written, where `last` is sigmoid(-x); else -1.
constexpr int builder::opposite_sigmoid(int tree, int last) {
    if (!g.is<op::sigmoid>(last)) return -1;
    const int x = g.nodes.at[last].in[0];
    return find_factor(tree, [&](int id) { return g.is<op::sigmoid>(id) && are_opposite(g.nodes.at[id].in[0], x); });
}

constexpr int builder::replace_factor(int tree, int from, int to) {
    if (tree == from) return to;
    if (!g.is<op::multiply>(tree) || is_shared(tree)) return tree;
    const node n = g.nodes.at[tree];
    return g.apply(code<op::multiply>, replace_factor(n.in[0], from, to), replace_factor(n.in[1], from, to));
}

/// sigmoid(x) e^-x is sigmoid(-x), wherever in the product the two stand.
constexpr int builder::stable_pair(int a, int b) {
    for (int side = 0; side < 2; ++side) {
        const int tree = side == 0 ? a : b, last = side == 0 ? b : a;
        const int s = sigmoid_argument(last);
        if (s >= 0) {
            const int e = find_factor(tree, [&](int id) { return g.is<op::exp>(id) && are_opposite(g.nodes.at[id].in[0], s); });
            if (e >= 0) {
                fired.add(rule::sigmoid_by_exp);
                return replace_factor(tree, e, unary(code<op::sigmoid>, g.nodes.at[e].in[0]));
            }
        } else if (g.is<op::exp>(last)) {
            const int x = g.nodes.at[last].in[0];
            const int t = find_factor(tree, [&](int id) { return g.is<op::sigmoid>(id) && are_opposite(g.nodes.at[id].in[0], x); });
            if (t >= 0) {
                fired.add(rule::sigmoid_by_exp);
                return replace_factor(tree, t, unary(code<op::sigmoid>, x));
            }
        }
    }
    // g s (1 - s), which was found to be g sigmoid(x) sigmoid(-x), takes one exponential as it was written.
    for (int side = 0; side < 2; ++side) {
        const int last = side == 0 ? b : a, s = opposite_sigmoid(side == 0 ? a : b, last);
        const int rest = s >= 0 ? g.find_apply(code<op::subtract>, literal(s, 1), s) : -1;
        if (rest >= 0) return side == 0 ? g.apply(code<op::multiply>, a, rest) : g.apply(code<op::multiply>, rest, b);
    }
    return -1;
}

/// Quotients of exponentials: sigmoid and softmax, which keep the other factors in their places.
constexpr int builder::stable_quotient(int a, int b) {
    const factor p = power_of(b);
    double outer = 1;
    if (const int u = one_plus_exp(p.base, outer); u >= 0 && (outer == 1 || (p.exponent == 1 && is_normal(g.nodes.at[b].type, over(1, outer))))) {
        const int e = p.exponent == 1 ? find_factor(a, [&](int id) { return g.is<op::exp>(id) && g.nodes.at[id].in[0] == u; }) : -1;
        fired.add(rule::logistic);
        if (e >= 0) return scaled_by(replace_factor(a, e, unary(code<op::sigmoid>, u)), 1 / outer);
        const int s = raise(unary(code<op::sigmoid>, negate(u)), p.exponent);
        return scaled_by(is_factor(a) ? scaled_by(s, value(a)) : written_product(a, s), 1 / outer);
    }
    if (const int e = find_factor(a, [&](int id) { return g.is<op::exp>(id) && is_row_reduction(reduction_code<reduction::sum>, b, id) != 0; }); e >= 0) {
        fired.add(rule::softmax);
        return replace_factor(a, e, row(tag<structure::softmax>, is_row_reduction(reduction_code<reduction::sum>, b, e), g.nodes.at[e].in[0]));
    }
    const int s = sigmoid_argument(a), t = s >= 0 ? sigmoid_argument(b) : -1;
    if (t >= 0 && are_opposite(s, t)) {  // sigmoid(x) / sigmoid(-x) is e^x
        fired.add(rule::sigmoid_quotient);
        return unary(code<op::exp>, s);
    }
    if (g.is<op::exp>(a) && g.is<op::add>(b) && (g.nodes.at[b].in[0] == a || g.nodes.at[b].in[1] == a)) {
        const int other = g.nodes.at[b].in[g.nodes.at[b].in[0] == a ? 1 : 0];  // e^x / (e^x + e^y) is sigmoid(x - y)
        if (!g.is<op::exp>(other)) return -1;
        fired.add(rule::sigmoid_of_two);
        return unary(code<op::sigmoid>, apply(code<op::subtract>, g.nodes.at[a].in[0], g.nodes.at[other].in[0]));
    }
    return -1;
}

}  // namespace croton::inline v0_1::detail
