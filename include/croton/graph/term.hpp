// SPDX-License-Identifier: MIT
// A handle on a node without its C++ element type: what derivatives and rewrites compute with.
#ifndef CROTON_GRAPH_TERM_HPP
#define CROTON_GRAPH_TERM_HPP

#include <croton/graph/arena.hpp>
#include <croton/graph/structure/stand_in.hpp>

namespace croton::inline v0_1::detail {

/// Arithmetic on terms drops what changes nothing (x * 1, x + 0, 0 * x, a condition that is known), so that a derivative is born without ballast.
/// A product with 0 is the number 0: gradients take 0 * inf as 0.
struct term {
    arena* g = nullptr;
    int id = -1;

    constexpr explicit operator bool() const { return id >= 0; }
    constexpr const node& operator*() const { return (*g)[id]; }
    constexpr bool is(double value) const { return g->is_literal(id, value); }
    constexpr term literal(double value) const { return {g, g->literal((*g)[id].type, value)}; }

    template <class Op> static constexpr term make(term a) { return {a.g, a.g->apply(code<Op>, a.id)}; }
    template <class Op> static constexpr term make(term a, term b) { return {a.g, a.g->apply(code<Op>, a.id, b.id)}; }

    friend constexpr term operator+(term a, term b) {
        if (a.is(0)) return b;
        if (b.is(0)) return a;
        return make<op::add>(a, b);
    }
    friend constexpr term operator-(term a) {
        if (a.g->is<op::negative>(a.id)) return {a.g, (*a).in[0]};
        if (a.g->is_literal(a.id)) return a.literal(-a.g->literal_value(a.id));
        return make<op::negative>(a);
    }
    friend constexpr term operator-(term a, term b) {
        if (b.is(0)) return a;
        if (a.is(0)) return -b;
        return make<op::subtract>(a, b);
    }
    friend constexpr term operator*(term a, term b) {
        if (a.is(1) || b.is(0)) return b;
        if (b.is(1) || a.is(0)) return a;
        return make<op::multiply>(a, b);
    }
    friend constexpr term operator/(term a, term b) {
        if (b.is(1) || a.is(0)) return a;
        return make<op::divide>(a, b);
    }
    friend constexpr term operator+(term a, double b) { return a + a.literal(b); }
    friend constexpr term operator-(term a, double b) { return a - a.literal(b); }
    friend constexpr term operator+(double a, term b) { return b.literal(a) + b; }
    friend constexpr term operator-(double a, term b) { return b.literal(a) - b; }
    friend constexpr term operator*(term a, double b) { return a * a.literal(b); }
    friend constexpr term operator*(double a, term b) { return b * a; }
    friend constexpr term operator/(term a, double b) { return a / a.literal(b); }
    friend constexpr term operator/(double a, term b) { return b.literal(a) / b; }
    friend constexpr term operator>(term a, term b) { return make<op::greater>(a, b); }
    friend constexpr term operator<(term a, term b) { return make<op::less>(a, b); }
    friend constexpr term operator>=(term a, term b) { return make<op::greater_equal>(a, b); }
    friend constexpr term operator<=(term a, term b) { return make<op::less_equal>(a, b); }
    friend constexpr term operator==(term a, term b) { return make<op::equal>(a, b); }
    friend constexpr term operator>(term a, double b) { return a > a.literal(b); }
    friend constexpr term operator<(term a, double b) { return a < a.literal(b); }
    friend constexpr term operator>=(term a, double b) { return a >= a.literal(b); }
    friend constexpr term operator<=(term a, double b) { return a <= a.literal(b); }
    friend constexpr term operator==(term a, double b) {
        if (a.g->is_literal(a.id)) return {a.g, a.g->literal(element::boolean, a.g->literal_value(a.id) == b ? 1 : 0)};
        return a == a.literal(b);
    }
    friend constexpr term operator&(term a, term b) { return make<op::logical_and>(a, b); }

    // The names that expressions have, for derivatives outside of the table; in it they are those of the operators.
    friend constexpr term exp(term x) { return make<op::exp>(x); }
    friend constexpr term expm1(term x) { return make<op::expm1>(x); }
    friend constexpr term log(term x) { return make<op::log>(x); }
    friend constexpr term log1p(term x) { return make<op::log1p>(x); }
    friend constexpr term sqrt(term x) { return make<op::sqrt>(x); }
    friend constexpr term sqr(term x) { return make<op::square>(x); }
    friend constexpr term abs(term x) { return make<op::absolute>(x); }
    friend constexpr term sign(term x) { return make<op::sign_>(x); }
    friend constexpr term tanh(term x) { return make<op::tanh>(x); }
    friend constexpr term sigmoid(term x) { return make<op::sigmoid>(x); }
    friend constexpr term sin(term x) { return make<op::sin>(x); }
    friend constexpr term cos(term x) { return make<op::cos>(x); }
    friend constexpr term sinh(term x) { return make<op::sinh>(x); }
    friend constexpr term cosh(term x) { return make<op::cosh>(x); }
    friend constexpr term erf(term x) { return make<op::erf>(x); }
    friend constexpr term pow(term x, term p) { return make<op::power>(x, p); }
    friend constexpr term where(term condition, term a, term b) {
        if (condition.g->is_literal(condition.id)) return condition.is(0) ? b : a;
        return {a.g, a.g->apply(code<op::where>, condition.id, a.id, b.id)};
    }
};

constexpr term exp_of(term x) { return term::make<op::exp>(x); }
constexpr term log_of(term x) { return term::make<op::log>(x); }
constexpr term log1p_of(term x) { return term::make<op::log1p>(x); }
constexpr term ndtr_of(term x) { return term::make<op::ndtr>(x); }
constexpr term sqr_of(term x) { return term::make<op::square>(x); }
constexpr term sign_of(term x) { return term::make<op::sign_>(x); }
constexpr term sigmoid_of(term x) { return term::make<op::sigmoid>(x); }
constexpr term pow_of(term x, term p) { return term::make<op::power>(x, p); }
constexpr term where_of(term condition, term a, term b) { return where(condition, a, b); }
/// The value of `a`, whose derivative for `x` is `slope`: where the product of the derivatives of its parts is 0 times infinity, and the limit is a number.
constexpr term sloped(term a, term x, term slope) { return {a.g, structure::stand_in::sloped(*a.g, a.id, x.id, slope.id)}; }
/// The same with derivatives for two.
constexpr term sloped(term a, term x, term slope, term y, term slope_y) { return {a.g, structure::stand_in::sloped(*a.g, a.id, x.id, slope.id, y.id, slope_y.id)}; }
/// A power times what is infinite at infinities, and 0 where the power is: there its limit is. Powers of a number that the program wrote have none of these.
constexpr term product_at_infinity(term exponent, term power, term factor) {
    return exponent.g->is_literal(exponent.id) ? factor * power : where_of(power == 0, power, factor * power);
}
/// x, and 0 from where `of` is the bound: what is multiplied with 0 there.
constexpr term where_below(term of, double bound, term x) { return where_of(of >= bound, x.literal(0), x); }

}  // namespace croton::inline v0_1::detail

#endif
