// SPDX-License-Identifier: MIT
// The normal form of sums: coefficients collected, like terms merged, stable forms recognised.

namespace croton::inline v0_1::detail {

constexpr int builder::sum_of(int fn, int a, int b) {
    if (!is_floating(g.nodes.at[a].type)) return integer_sum(fn, a, b);
    if (!builds_freely()) return fn == code<op::negative> ? written_negative(a) : written_sum(fn, a, b);
    sum_list list;
    if (fn == code<op::negative>) {
        collect_sum(list, a, -1);
    } else {
        collect_sum(list, a, 1);
        collect_sum(list, b, fn == code<op::add> ? 1 : -1);
    }
    // A scaled sum that came before the terms it meets is multiplied out now.
    for (int i = 0; i < list.terms.size(); ++i) {
        const sum_term t = list.terms.at[i];
        if (!worth_distributing(list, t.body)) continue;
        remove(list, i--);
        fired.add(rule::multiplied_out);
        collect_sum(list, t.body, t.coefficient);
    }
    stabilise_sum(list);
    join_padded(list);
    return emit_sum(list, a);
}

constexpr void builder::add_term(sum_list& list, int body, double coefficient) {
    for (sum_term& t : list.terms)
        if (t.body == body) {
            t.coefficient = plus(t.coefficient, coefficient);
            fired.add(rule::like_terms);
            return;
        }
    list.terms.push({coefficient, body});
}

/// A node without the sign and the literal factor it has, and those times `coefficient`.
constexpr builder::sum_term builder::scaled_body(int id, double coefficient) const {
    if (g.is<op::negative>(id)) return {-coefficient, g.nodes.at[id].in[0]};
    if (g.is<op::multiply>(id) && is_factor(g.nodes.at[id].in[1]) && is_normal(g.nodes.at[id].type, times(coefficient, value(g.nodes.at[id].in[1]))))
        return {coefficient * value(g.nodes.at[id].in[1]), g.nodes.at[id].in[0]};
    return {coefficient, id};
}

/// Takes a sum apart where that is free, or where `open` says that the caller looks at this one.
constexpr void builder::collect_sum(sum_list& list, int id, double coefficient, bool open) {
    const node& n = g.nodes.at[id];
    if (n.what == tag<structure::literal> && finite(value(id))) {
        list.constant = plus(list.constant, times(coefficient, value(id)));
        return;
    }
    if (n.what == tag<structure::apply> && (open || (!is_shared(id) && is_free(id)))) {
        const int a = n.in[0], b = n.in[1];
        switch (n.fn) {
        case code<op::add>:
            collect_sum(list, a, coefficient);
            collect_sum(list, b, coefficient);
            return;
        case code<op::subtract>:
            collect_sum(list, a, coefficient);
            collect_sum(list, b, -coefficient);
            return;
        case code<op::negative>: collect_sum(list, a, -coefficient); return;
        default: break;
        }
    }
    const sum_term t = scaled_body(id, coefficient);
    if (t.body != id && worth_distributing(list, t.body)) {
        fired.add(rule::multiplied_out);
        collect_sum(list, t.body, t.coefficient);
    } else {
        add_term(list, t.body, t.coefficient);
    }
}

/// c (a + b) is multiplied out where a term then meets its like, or a product of matrices can take the scale.
constexpr bool builder::worth_distributing(const sum_list& list, int id) const {
    const node& n = g.nodes.at[id];
    if (n.what != tag<structure::apply> || !is_sum(n.fn) || is_shared(id) || !is_free(id)) return false;
    for (int i = 0; i < 2; ++i) {
        int a = n.in[static_cast<unsigned>(i)];
        if (a < 0) break;
        while (g.nodes.at[a].what == tag<structure::apply> && (g.nodes.at[a].fn == code<op::negative> || (g.nodes.at[a].fn == code<op::multiply> && g.is_literal(g.nodes.at[a].in[1])))) a = g.nodes.at[a].in[0];
        if (g.nodes.at[a].what == tag<structure::dot>) return true;
        for (const sum_term& t : list.terms)
            if (t.body == a) return true;
        if (worth_distributing(list, a)) return true;
    }
    return false;
}

constexpr void builder::remove(sum_list& list, int index) {
    for (int i = index; i + 1 < list.terms.size(); ++i) list.terms.at[i] = list.terms.at[i + 1];
    list.terms.pop();
}

constexpr void builder::stabilise_sum(sum_list& list) {
    for (int i = 0; i < list.terms.size(); ++i) {
        sum_term& t = list.terms.at[i];
        if (t.coefficient == 0) {
            remove(list, i--);
        } else if (g.is<op::exp>(t.body) && list.constant == -t.coefficient) {
            t.body = unary(code<op::expm1>, g.nodes.at[t.body].in[0]);  // e^x - 1
            list.constant = 0;
            fired.add(rule::expm1);
        } else if (g.is<op::expm1>(t.body) && list.constant == t.coefficient && list.constant != 0) {
            t.body = unary(code<op::exp>, g.nodes.at[t.body].in[0]);  // expm1(x) + 1
            list.constant = 0;
            fired.add(rule::exp_of_expm1);
        } else if (g.is<op::sigmoid>(t.body) && list.constant == -t.coefficient && list.constant != 0) {
            t.body = unary(code<op::sigmoid>, negate(g.nodes.at[t.body].in[0]));  // 1 - sigmoid(x)
            t.coefficient = list.constant;
            list.constant = 0;
            fired.add(rule::sigmoid_complement);
        } else if (g.is<op::softplus>(t.body) && !is_shared(t.body)) {
            const int u = g.nodes.at[t.body].in[0];
            for (int j = 0; j < list.terms.size(); ++j)
                if (list.terms.at[j].body == u && list.terms.at[j].coefficient == -t.coefficient) {  // softplus(u) - u
                    t.body = unary(code<op::softplus>, negate(u));
                    remove(list, j);
                    fired.add(rule::softplus_turned);
                    i = -1;
                    break;
                }
        } else if (g.nodes.at[t.body].what == tag<structure::logsumexp>) {
            const int x = g.nodes.at[t.body].in[0];
            for (int j = 0; j < list.terms.size(); ++j)
                if (list.terms.at[j].body == x && list.terms.at[j].coefficient == -t.coefficient) {  // x - logsumexp(x)
                    list.terms.at[j].body = structure::log_softmax::of(g, static_cast<unsigned>(g.nodes.at[t.body].bits), x);
                    remove(list, i--);
                    fired.add(rule::log_softmax);
                    break;
                }
        }
    }
    pair_softplus(list);
}

/// a softplus(-u) + b softplus(u) is k softplus(u) - a u where a + b is a number k: cross-entropy, for one.
constexpr void builder::pair_softplus(sum_list& list) {
    for (int i = 0; i < list.terms.size(); ++i) {
        const int u = softplus_argument(list.terms.at[i].body);
        if (u < 0) continue;
        for (int j = 0; j < list.terms.size(); ++j) {
            const int v = j == i ? -1 : softplus_argument(list.terms.at[j].body);
            if (v < 0 || leads_negative(u) || !are_opposite(u, v)) continue;
            const int a = without_softplus(list.terms.at[j]), b = without_softplus(list.terms.at[i]);
            const int total = freely(code<op::add>, a, b);
            if (!g.is_literal(strip_broadcast(total))) continue;
            const double k = value(strip_broadcast(total));
            remove(list, i > j ? i : j);
            remove(list, i > j ? j : i);
            if (k != 0) add_term(list, g.apply(code<op::softplus>, u), k);
            collect_sum(list, apply(code<op::multiply>, a, u), -1);
            fired.add(rule::softplus_paired);
            i = -1;
            break;
        }
    }
}

/// Whether the first term of a sum in normal form is subtracted: of u and -u one does.
constexpr bool builder::leads_negative(int id) const {
    while (g.is<op::add>(id) || g.is<op::subtract>(id)) id = g.nodes.at[id].in[0];
    if (g.is_literal(id)) return value(id) < 0;
    return g.is<op::negative>(id) || (g.is<op::multiply>(id) && g.is_literal(g.nodes.at[id].in[1]) && value(g.nodes.at[id].in[1]) < 0);
}

/// u where the body is softplus(u) or a product with it, else -1.
constexpr int builder::softplus_argument(int body) const {
    if (g.is<op::softplus>(body)) return g.nodes.at[body].in[0];
    if (!g.is<op::multiply>(body)) return -1;
    for (int i = 0; i < 2; ++i)
        if (g.is<op::softplus>(g.nodes.at[body].in[static_cast<unsigned>(i)])) return g.nodes.at[g.nodes.at[body].in[static_cast<unsigned>(i)]].in[0];
    return -1;
}

constexpr int builder::without_softplus(const sum_term& t) {
    if (g.is<op::softplus>(t.body)) return literal(t.body, t.coefficient);
    const int first = g.nodes.at[t.body].in[0];
    const int rest = g.is<op::softplus>(first) ? g.nodes.at[t.body].in[1] : first;
    return apply(code<op::multiply>, rest, literal(rest, t.coefficient));
}

constexpr int builder::scaled_term(const sum_term& t) {
    const double c = magnitude(t.coefficient);
    return c == 1 ? t.body : g.apply(code<op::multiply>, t.body, literal(t.body, c));
}

/// The rank-0 factor that every term of the sum has, or -1: f a - f b is f (a - b), and what comes next may take up f.
constexpr int builder::common_scalar(const sum_list& list) const {
    if (!builds_freely() || list.constant != 0 || list.terms.size() < 2) return -1;
    int common = -1;
    for (const sum_term& t : list.terms) {
        if (!g.is<op::multiply>(t.body)) return -1;
        const int f = g.nodes.at[t.body].in[1];
        if (g.nodes.at[f].shape.rank != 0 || g.nodes.at[g.nodes.at[t.body].in[0]].shape.rank == 0 || (common >= 0 && f != common)) return -1;
        common = f;
    }
    return common;
}

constexpr int builder::emit_sum(sum_list& list, int like) {
    if (const int f = common_scalar(list); f >= 0) {
        for (sum_term& t : list.terms) t.body = g.nodes.at[t.body].in[0];
        fired.add(rule::common_factor);
        return g.apply(code<op::multiply>, emit_sum(list, like), f);
    }
    double constant = list.constant;
    int made = -1;
    for (const sum_term& t : list.terms)
        if (t.coefficient > 0) made = made < 0 ? scaled_term(t) : g.apply(code<op::add>, made, scaled_term(t));
    for (const sum_term& t : list.terms)
        if (t.coefficient < 0) {
            if (made < 0 && constant != 0) {
                made = literal(like, constant);
                constant = 0;
            }
            if (made >= 0) made = g.apply(code<op::subtract>, made, scaled_term(t));
            else if (t.coefficient == -1) made = g.apply(code<op::negative>, t.body);
            else made = g.apply(code<op::multiply>, t.body, literal(t.body, t.coefficient));
        }
    if (made < 0) return literal(like, constant);
    if (constant > 0) made = g.apply(code<op::add>, made, literal(like, constant));
    if (constant < 0) made = g.apply(code<op::subtract>, made, literal(like, -constant));
    return made;
}

}  // namespace croton::inline v0_1::detail
