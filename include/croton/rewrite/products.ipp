// SPDX-License-Identifier: MIT
// The normal form of products: a coefficient and factors with integer exponents, with one division at most.

namespace croton::inline v0_1::detail {

constexpr int builder::product_of(int fn, int a, int b) {
    if (!builds_freely()) {
        if (fn == code<op::multiply>) return written_product(a, b);
        if (fn == code<op::divide>) return written_quotient(a, b);
        return g.apply(code<op::square>, g.is<op::negative>(a) ? g.nodes.at[a].in[0] : a);
    }
    product_list list;
    if (fn == code<op::square>) {
        collect_product(list, a, 2);
    } else {
        collect_product(list, a, 1);
        collect_product(list, b, fn == code<op::multiply> ? 1 : -1);
    }
    if (list.coefficient == 0) return literal(a, 0);
    stabilise_product(list);
    return emit_product(list, a);
}

constexpr void builder::add_factor(product_list& list, int base, int exponent) {
    for (factor& f : list.factors)
        if (f.base == base) {
            f.exponent += exponent;
            fired.add(rule::like_factors);
            return;
        }
    list.factors.push({base, exponent});
}

/// Takes a literal into the coefficient, unless that would then leave the range of the elements.
constexpr bool builder::add_coefficient(product_list& list, int id, int exponent) const {
    const double v = value(id);
    double c = list.coefficient;
    for (int i = 0; i < (exponent < 0 ? -exponent : exponent); ++i) {
        if (exponent < 0 && v == 0) return false;
        if (magnitude(c) > std::numeric_limits<double>::max()) return false;
        c = exponent < 0 ? over(c, v) : times(c, v);
    }
    if (c != 0 ? !is_normal(g.nodes.at[id].type, c) : v != 0 && list.coefficient != 0) return false;
    list.coefficient = c;
    return true;
}

/// A sqrt, an exp or any other function is a base of its own; only what is a product is taken apart.
constexpr void builder::collect_product(product_list& list, int id, int exponent, bool open) {
    const node& n = g.nodes.at[id];
    const int a = n.in[0], b = n.in[1];
    if (n.what == tag<structure::literal> && finite(value(id)) && add_coefficient(list, id, exponent)) return;
    if (n.what == tag<structure::apply> && n.fn == code<op::negative>) {
        if (exponent % 2 != 0) list.coefficient = -list.coefficient;
        collect_product(list, a, exponent);
        return;
    }
    if (n.what == tag<structure::apply> && n.fn == code<op::multiply> && g.is_literal(b) && exponent == 1 && finite(value(b)) && (value(b) != 0 || is_free(id)) &&
        add_coefficient(list, b, 1)) {
        collect_product(list, a, 1);
        return;
    }
    if (n.what == tag<structure::apply> && (open || (!is_shared(id) && is_free(id)))) {
        if (n.fn == code<op::multiply>) {
            collect_product(list, a, exponent);
            collect_product(list, b, exponent);
            return;
        }
        if (n.fn == code<op::divide>) {
            collect_product(list, a, exponent);
            collect_product(list, b, -exponent);
            return;
        }
        if (n.fn == code<op::square>) {
            collect_product(list, a, 2 * exponent);
            return;
        }
        if (n.fn == code<op::sqrt> && exponent % 2 == 0) {
            add_factor(list, a, exponent / 2);
            return;
        }
    }
    add_factor(list, id, exponent);
}

/// u where the base is c (1 + e^u), in any spelling, else -1.
constexpr int builder::one_plus_exp(int base, double& outer) {
    if (!g.is<op::add>(base) && !g.is<op::subtract>(base)) return -1;
    sum_list sum;
    collect_sum(sum, base, 1, true);
    if (sum.terms.size() != 1 || sum.constant == 0 || sum.terms.at[0].coefficient != sum.constant || !g.is<op::exp>(sum.terms.at[0].body)) return -1;
    outer = sum.constant;
    return g.nodes.at[sum.terms.at[0].body].in[0];
}

/// u where the base is sigmoid(u), also as 1 - sigmoid(-u); else -1.
constexpr int builder::sigmoid_argument(int base) {
    if (g.is<op::sigmoid>(base)) return g.nodes.at[base].in[0];
    if (g.is<op::subtract>(base) && g.is_literal(g.nodes.at[base].in[0], 1) && g.is<op::sigmoid>(g.nodes.at[base].in[1])) return negate(g.nodes.at[g.nodes.at[base].in[1]].in[0]);
    return -1;
}

/// The axes along which `y` is a reduction of `x` that lies against `x` as if they had been kept; 0 where it is none.
constexpr unsigned builder::is_row_reduction(int fn, int y, int x) const {
    int reduced = y;
    if (g.nodes.at[y].what == tag<structure::view>) {
        reduced = g.nodes.at[y].in[0];
        for (int i = 0; i < g.nodes.at[y].shape.rank; ++i)
            if (view_axis(g.nodes.at[y].bits, i) != i + g.nodes.at[reduced].shape.rank - g.nodes.at[y].shape.rank) return 0;
    }
    return g.nodes.at[reduced].what == tag<structure::reduce> && g.nodes.at[reduced].fn == fn && g.nodes.at[reduced].in[0] == x ? static_cast<unsigned>(g.nodes.at[reduced].bits) : 0;
}

constexpr void builder::stabilise_product(product_list& list) {
    vec<factor>& f = list.factors;
    for (int i = 0; i < f.size(); ++i) {
        if (f.at[i].exponent % 2 == 0 && g.is<op::sqrt>(f.at[i].base) && is_free(f.at[i].base)) {  // sqrt(x) sqrt(x)
            const factor root = f.at[i];
            f.at[i].exponent = 0;
            add_factor(list, g.nodes.at[root.base].in[0], root.exponent / 2);
        }
        double outer = 1;
        const int u = f.at[i].exponent < 0 ? one_plus_exp(f.at[i].base, outer) : -1;
        if (u >= 0) {  // 1 / (1 + e^x) is sigmoid(-x)
            for (int k = f.at[i].exponent; k < 0; ++k) list.coefficient /= outer;
            f.at[i] = {unary(code<op::sigmoid>, negate(u)), -f.at[i].exponent};
            fired.add(rule::logistic);
        }
    }
    for (int i = 0; i < f.size(); ++i)
        for (int j = 0; j < f.size(); ++j) {
            if (i == j || f.at[i].exponent == 0 || f.at[j].exponent == 0) continue;
            const int x = f.at[i].base, y = f.at[j].base;
            const int s = f.at[i].exponent == 1 && (f.at[j].exponent == -1 || g.is<op::exp>(y)) ? sigmoid_argument(x) : -1;
            const int t = s >= 0 && f.at[j].exponent == -1 ? sigmoid_argument(y) : -1;
            if (s >= 0 && g.is<op::exp>(y) && f.at[j].exponent == 1 && are_opposite(g.nodes.at[y].in[0], s)) {  // sigmoid(x) e^-x is sigmoid(-x)
                f.at[i].base = unary(code<op::sigmoid>, g.nodes.at[y].in[0]);
                f.at[j].exponent = 0;
                fired.add(rule::sigmoid_by_exp);
            } else if (t >= 0 && are_opposite(t, s)) {  // sigmoid(x) / sigmoid(-x) is e^x
                f.at[i].base = unary(code<op::exp>, s);
                f.at[j].exponent = 0;
                fired.add(rule::sigmoid_quotient);
            } else if (g.is<op::exp>(x) && f.at[i].exponent == 1 && f.at[j].exponent == -1 &&
                       is_row_reduction(reduction_code<reduction::sum>, y, x) != 0) {  // e^x / sum(e^x) is softmax
                f.at[i].base = row(tag<structure::softmax>, is_row_reduction(reduction_code<reduction::sum>, y, x), g.nodes.at[x].in[0]);
                f.at[j].exponent = 0;
                fired.add(rule::softmax);
            } else if (g.is<op::exp>(x) && f.at[i].exponent == 1 && f.at[j].exponent == -1 && g.is<op::add>(y) &&
                       (g.nodes.at[y].in[0] == x || g.nodes.at[y].in[1] == x) && g.is<op::exp>(g.nodes.at[y].in[g.nodes.at[y].in[0] == x ? 1 : 0])) {
                const int other = g.nodes.at[y].in[g.nodes.at[y].in[0] == x ? 1 : 0];  // e^x / (e^x + e^y) is sigmoid(x - y)
                f.at[i].base = unary(code<op::sigmoid>, apply(code<op::subtract>, g.nodes.at[x].in[0], g.nodes.at[other].in[0]));
                f.at[j].exponent = 0;
                fired.add(rule::sigmoid_of_two);
            } else if (i < j && g.is<op::exp>(x) && g.is<op::exp>(y) && !is_shared(x) && !is_shared(y) && is_free(x) && is_free(y) &&
                       (f.at[i].exponent == 1 || f.at[i].exponent == -1) && (f.at[j].exponent == 1 || f.at[j].exponent == -1)) {
                const int a = f.at[i].exponent == 1 ? g.nodes.at[x].in[0] : negate(g.nodes.at[x].in[0]);  // e^a e^b is e^(a + b)
                f.at[i] = {unary(code<op::exp>, apply(f.at[j].exponent == 1 ? code<op::add> : code<op::subtract>, a, g.nodes.at[y].in[0])), 1};
                f.at[j].exponent = 0;
                fired.add(rule::exponents_added);
            }
        }
    // sigmoid(x) sigmoid(-x), the derivative, needs one of them only: s (1 - s).
    for (int i = 0; i < f.size(); ++i)
        for (int j = 0; j < f.size(); ++j) {
            if (i == j || f.at[i].exponent != 1 || f.at[j].exponent != 1) continue;
            const int other = f.at[j].base, s = opposite_sigmoid(f.at[i].base, other);
            if (s < 0 || (is_shared(other) && !is_shared(s))) continue;
            f.at[j].base = g.apply(code<op::subtract>, literal(s, 1), s);
        }
    for (factor& e : f)
        if (e.exponent == -1 && g.is<op::exp>(e.base) && !is_shared(e.base) && is_free(e.base)) {  // a / e^x is a e^-x
            e = {unary(code<op::exp>, negate(g.nodes.at[e.base].in[0])), 1};
            fired.add(rule::exponent_turned);
        }
}

constexpr int builder::raise(int base, int exponent) {
    int made = -1;
    for (int square = base;; square = g.apply(code<op::square>, square)) {
        if (exponent & 1) made = made < 0 ? square : g.apply(code<op::multiply>, made, square);
        exponent >>= 1;
        if (exponent == 0) return made;
    }
}

/// The product of the factors with positive (or negative) exponents that are (or are not) of rank 0; -1 where there is none.
constexpr int builder::chain(const product_list& list, bool positive, bool scalars) {
    int made = -1;
    for (const factor& f : list.factors) {
        if (f.exponent == 0 || (f.exponent > 0) != positive || (g.nodes.at[f.base].shape.rank == 0) != scalars) continue;
        const int p = raise(f.base, f.exponent < 0 ? -f.exponent : f.exponent);
        made = made < 0 ? p : g.apply(code<op::multiply>, made, p);
    }
    return made;
}

/// Rank-0 factors are multiplied among themselves first, once for the whole array; the coefficient comes last, where sums
/// and products of matrices find it.
constexpr int builder::emit_product(const product_list& list, int like) {
    const int over = chain(list, true, false), under = chain(list, false, false);
    int scalar_over = chain(list, true, true);
    const int scalar_under = chain(list, false, true);
    double c = list.coefficient;
    int made = over;
    if (under >= 0) {
        if (made < 0 && scalar_over < 0 && scalar_under < 0) {
            made = g.apply(code<op::divide>, literal(like, c), under);
            return made;
        }
        made = made < 0 ? g.apply(code<op::divide>, literal(like, 1), under) : quotient(made, under);
    }
    if (scalar_under >= 0) {
        if (scalar_over < 0) {
            scalar_over = literal(like, c);
            c = 1;
        }
        scalar_over = g.apply(code<op::divide>, scalar_over, scalar_under);
    }
    if (scalar_over >= 0) made = made < 0 ? scalar_over : g.apply(code<op::multiply>, made, scalar_over);
    if (made < 0) return literal(like, c);
    if (c == -1) return g.apply(code<op::negative>, made);
    return c == 1 ? made : g.apply(code<op::multiply>, made, literal(like, c));
}

constexpr int builder::power(int x, int p) {
    if (!g.is_literal(p)) return g.apply(code<op::power>, x, p);
    const double e = value(p);
    const int n = magnitude(e) <= 64 ? static_cast<int>(e) : 0;
    const bool is_whole = n != 0 && static_cast<double>(n) == e;
    if (!is_whole && e != 0 && e != 0.5 && e != -0.5) return g.apply(code<op::power>, x, p);
    fired.add(rule::power);
    if (e == 0) return literal(x, 1);
    if (e == 0.5) return square_root(x);
    if (e == -0.5) return apply(code<op::divide>, literal(x, 1), square_root(x));
    if (!builds_freely()) {
        // One over x first: the powers of its reciprocal leave the range where the result does.
        if (n < 0) return raise(apply(code<op::divide>, literal(x, 1), x), -n);
        const factor f = power_of(g.is<op::negative>(x) ? g.nodes.at[x].in[0] : x);
        const int made = raise(f.base, f.exponent * n);
        return g.is<op::negative>(x) && n % 2 != 0 ? written_negative(made) : made;
    }
    product_list list;
    collect_product(list, x, n);
    if (list.coefficient == 0) return literal(x, 0);
    stabilise_product(list);
    return emit_product(list, x);
}

/// x^0.5. Minus infinity and minus 0 have positive powers, but sqrt has NaN and -0 there.
constexpr int builder::square_root(int x) {
    if (g.free_algebra || is_nonnegative(x)) return unary(code<op::sqrt>, x);
    const int infinity = literal(x, std::numeric_limits<double>::infinity());
    const int root = unary(code<op::sqrt>, g.apply(code<op::add>, x, literal(x, 0)));
    return g.apply(code<op::where>, g.apply(code<op::equal>, x, literal(x, -std::numeric_limits<double>::infinity())), infinity, root);
}

/// Whether a value is at least 0, and no -0, by how it is made.
constexpr bool builder::is_nonnegative(int a) const {
    const node& n = g.nodes.at[a];
    if (n.what == tag<structure::literal>) return value(a) >= 0;
    if (n.what == tag<structure::view> || n.what == tag<structure::reshape> || n.what == tag<structure::broadcast>) return is_nonnegative(n.in[0]);
    if (n.what == tag<structure::reduce> && n.fn == reduction_code<reduction::sum>) return is_nonnegative(n.in[0]);
    if (n.what == tag<structure::size> || n.what == tag<structure::softmax>) return true;
    if (g.is<op::add>(a) || g.is<op::multiply>(a) || g.is<op::divide>(a)) return is_nonnegative(n.in[1]) && is_nonnegative(n.in[0]);
    return g.is<op::square>(a) || g.is<op::absolute>(a) || g.is<op::exp>(a) || g.is<op::sigmoid>(a) || g.is<op::softplus>(a);
}

/// Takes literals and rank-0 factors off a product: returns the rest, and leaves them in `scale_`.
constexpr int builder::split_scale(int id) {
    scale_ = scale();
    if (g.nodes.at[id].shape.rank == 0) return id;
    while (g.nodes.at[id].what == tag<structure::apply>) {
        const node n = g.nodes.at[id];
        if (n.fn != code<op::negative> && !is_free(id)) break;
        if (n.fn == code<op::negative>) {
            scale_.coefficient = -scale_.coefficient;
            id = n.in[0];
        } else if (n.fn == code<op::multiply> && g.nodes.at[n.in[1]].shape.rank == 0) {
            if (g.is_literal(n.in[1])) scale_.coefficient *= value(n.in[1]);
            else scale_.factor = scale_.factor < 0 ? n.in[1] : g.apply(code<op::multiply>, scale_.factor, n.in[1]);
            id = n.in[0];
        } else {
            break;
        }
    }
    return id;
}

/// Puts on what `split_scale` took off.
constexpr int builder::scaled(int body) {
    product_list list;
    list.coefficient = scale_.coefficient;
    list.factors.push({body, 1});
    if (scale_.factor >= 0) collect_product(list, scale_.factor, 1);
    return emit_product(list, body);
}

}  // namespace croton::inline v0_1::detail
