// SPDX-License-Identifier: MIT
// The normal form of products: a coefficient and factors with integer exponents, with one division at most.
#ifndef CROTON_REWRITE_PRODUCTS_HPP
#define CROTON_REWRITE_PRODUCTS_HPP

#include <croton/rewrite/builder.hpp>

namespace croton::inline v0_1::detail {

constexpr int builder::product_of(int fn, int a, int b) {
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
            ++fired.products;
            return;
        }
    list.factors.push({base, exponent});
}

/// A sqrt, an exp or any other function is a base of its own; only what is a product is taken apart.
constexpr void builder::collect_product(product_list& list, int id, int exponent) {
    const node& n = g[id];
    const int a = n.in[0], b = n.in[1];
    if (n.what == kind::literal) {
        const double v = value(id);
        if (finite(v) && (v != 0 || exponent > 0)) {
            for (int i = 0; i < (exponent < 0 ? -exponent : exponent); ++i)
                list.coefficient = exponent < 0 ? list.coefficient / v : list.coefficient * v;
            return;
        }
    }
    if (n.what == kind::apply && n.fn == code<op::negative>) {
        if (exponent % 2 != 0) list.coefficient = -list.coefficient;
        collect_product(list, a, exponent);
        return;
    }
    if (n.what == kind::apply && n.fn == code<op::multiply> && g.is_literal(b) && exponent == 1 && finite(value(b))) {
        list.coefficient *= value(b);
        collect_product(list, a, 1);
        return;
    }
    if (n.what == kind::apply && !is_shared(id)) {
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

constexpr void builder::stabilise_product(product_list& list) {
    vec<factor>& f = list.factors;
    for (int i = 0; i < f.size(); ++i) {
        const int base = f[i].base;
        // 1 / (1 + e^x) is sigmoid(-x)
        if (f[i].exponent < 0 && g.is<op::add>(base)) {
            const int e = g[base].in[0];
            if (g.is<op::exp>(e) && g.is_literal(g[base].in[1], 1)) {
                f[i] = {unary(code<op::sigmoid>, negate(g[e].in[0])), -f[i].exponent};
                ++fired.stable;
            }
        }
    }
    for (int i = 0; i < f.size(); ++i)
        for (int j = 0; j < f.size(); ++j) {
            if (i == j || f[i].exponent == 0 || f[j].exponent == 0) continue;
            const int x = f[i].base, y = f[j].base;
            if (g.is<op::sigmoid>(x) && g.is<op::exp>(y) && f[i].exponent == 1 && f[j].exponent == 1 &&
                g[y].in[0] == negate(g[x].in[0])) {  // sigmoid(x) e^-x is sigmoid(-x)
                f[i].base = unary(code<op::sigmoid>, g[y].in[0]);
                f[j].exponent = 0;
                ++fired.stable;
            } else if (g.is<op::sigmoid>(x) && g.is<op::sigmoid>(y) && f[i].exponent == 1 && f[j].exponent == -1 &&
                       g[y].in[0] == negate(g[x].in[0])) {  // sigmoid(x) / sigmoid(-x) is e^x
                f[i].base = unary(code<op::exp>, g[x].in[0]);
                f[j].exponent = 0;
                ++fired.stable;
            } else if (g.is<op::exp>(x) && f[i].exponent == 1 && f[j].exponent == -1 && g[y].what == kind::reduce &&
                       g[y].fn == reduction_code<reduction::sum> && g[y].in[0] == x) {  // e^x / sum(e^x) is softmax
                f[i].base = g.row_operation(kind::softmax, static_cast<unsigned>(g[y].bits), g[x].in[0]);
                f[j].exponent = 0;
                ++fired.stable;
            } else if (i < j && g.is<op::exp>(x) && g.is<op::exp>(y) && !is_shared(x) && !is_shared(y) &&
                       (f[i].exponent == 1 || f[i].exponent == -1) && (f[j].exponent == 1 || f[j].exponent == -1)) {
                const int a = f[i].exponent == 1 ? g[x].in[0] : negate(g[x].in[0]);  // e^a e^b is e^(a + b)
                f[i] = {unary(code<op::exp>, apply(f[j].exponent == 1 ? code<op::add> : code<op::subtract>, a, g[y].in[0])), 1};
                f[j].exponent = 0;
                ++fired.products;
            }
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
        if (f.exponent == 0 || (f.exponent > 0) != positive || (g[f.base].shape.rank == 0) != scalars) continue;
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
        made = g.apply(code<op::divide>, made < 0 ? literal(like, 1) : made, under);
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
    ++fired.products;
    if (e == 0) return literal(x, 1);
    if (e == 0.5) return unary(code<op::sqrt>, x);
    if (e == -0.5) return apply(code<op::divide>, literal(x, 1), unary(code<op::sqrt>, x));
    if (n != 0 && static_cast<double>(n) == e) {
        product_list list;
        list.factors.push({x, n});
        return emit_product(list, x);
    }
    --fired.products;
    return g.apply(code<op::power>, x, p);
}

/// Takes literals and rank-0 factors off a product: returns the rest, and leaves them in `scale_`.
constexpr int builder::split_scale(int id) {
    scale_ = scale();
    if (g[id].shape.rank == 0) return id;
    while (g[id].what == kind::apply) {
        const node n = g[id];
        if (n.fn == code<op::negative>) {
            scale_.coefficient = -scale_.coefficient;
            id = n.in[0];
        } else if (n.fn == code<op::multiply> && g[n.in[1]].shape.rank == 0) {
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

#endif
