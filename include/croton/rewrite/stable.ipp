// SPDX-License-Identifier: MIT
// The numerically stable forms of functions of one argument, and sums that pick one element.

namespace croton::inline v0_1::detail {

/// A rule that matches below a view matches through it: log(reshape(softmax(x))) is reshape(log_softmax(x)).
constexpr int builder::unary(int fn, int a) {
    if (const int folded = fold(fn, a, -1, -1); folded >= 0) return folded;
    const node n = g.nodes.at[a];
    if (n.what == tag<structure::view> || n.what == tag<structure::reshape> || n.what == tag<structure::broadcast>) {
        const int made = unary_rule(fn, n.in[0]);
        if (made >= 0) {
            if (n.what == tag<structure::view>) return view(made, n);
            return n.what == tag<structure::reshape> ? reshape(made, n.shape) : structure::broadcast::of(g, made, n.shape);
        }
        if (n.what == tag<structure::broadcast>) return structure::broadcast::of(g, apply(fn, n.in[0]), n.shape);
    }
    const int made = unary_rule(fn, a);
    return made >= 0 ? made : g.apply(fn, a);
}

/// Whether a function may be undone that loses numbers on the way: log(e^x) has none above 710.
constexpr bool builder::undoes(int a) const { return builds_freely() && is_free(a); }

/// The better form of fn(a), or -1 where there is none.
constexpr int builder::unary_rule(int fn, int a) {
    const int inner = g.nodes.at[a].what == tag<structure::apply> ? g.nodes.at[a].in[0] : -1;
    int made = -1;
    switch (fn) {
    case code<op::log>: made = log_rule(a); break;
    case code<op::log1p>: made = log1p_rule(a); break;
    case code<op::exp>:
        if (g.nodes.at[a].what == tag<structure::log_softmax>) made = structure::softmax::of(g, static_cast<unsigned>(g.nodes.at[a].bits), g.nodes.at[a].in[0]);
        break;
    case code<op::sigmoid>: {
        // log(p / (1 - p)) undone
        int p = -1, q = -1;
        if (!undoes(a)) break;
        if (g.is<op::log>(a) && g.is<op::divide>(inner)) {
            p = g.nodes.at[inner].in[0];
            q = g.nodes.at[inner].in[1];
            if (g.is<op::subtract>(q) && g.is_literal(g.nodes.at[q].in[0], 1) && g.nodes.at[q].in[1] == p) made = p;
        } else if (g.is<op::subtract>(a) && g.is<op::log>(inner) && g.is<op::log1p>(g.nodes.at[a].in[1])) {
            p = g.nodes.at[inner].in[0];
            q = g.nodes.at[g.nodes.at[a].in[1]].in[0];
            if (g.is<op::negative>(q) && g.nodes.at[q].in[0] == p) made = p;
        }
        break;
    }
    case code<op::sqrt>:
        if (g.is<op::square>(a) && undoes(a)) made = g.apply(code<op::absolute>, inner);
        break;
    case code<op::absolute>:
        if (g.is<op::negative>(a)) made = g.apply(code<op::absolute>, inner);
        if (g.is<op::absolute>(a) || g.is<op::square>(a) || g.is<op::exp>(a) || g.is<op::sigmoid>(a) || g.is<op::softplus>(a) ||
            (undoes(a) && (g.is<op::sqrt>(a) || g.is<op::relu>(a))))  // whose 0 may be -0
            made = a;
        break;
    case code<op::relu>:
        if (g.is<op::relu>(a) || g.is<op::exp>(a) || g.is<op::sigmoid>(a) || g.is<op::softplus>(a)) made = a;
        break;
    case code<op::logical_not>:
        if (g.is<op::logical_not>(a)) made = inner;
        break;
    case code<op::copy>: made = a; break;
    default: break;
    }
    if (made >= 0) fired.add(fn == code<op::log> ? rule::logarithm : fn == code<op::log1p> ? rule::logarithm_plus_one : rule::undone);
    return made;
}

constexpr int builder::log_rule(int a) {
    const node n = g.nodes.at[a];
    if (n.what == tag<structure::softmax>) return structure::log_softmax::of(g, static_cast<unsigned>(n.bits), n.in[0]);
    if (n.what == tag<structure::reduce> && n.fn == reduction_code<reduction::sum> && g.is<op::exp>(n.in[0]))
        return structure::logsumexp::of(g, static_cast<unsigned>(n.bits), g.nodes.at[n.in[0]].in[0]);
    if (n.what == tag<structure::reduce> && n.fn == reduction_code<reduction::prod>)  // of factors that are positive
        if (const int logs = log_of_factor(n.in[0]); logs >= 0) return reduce(reduction_code<reduction::sum>, static_cast<unsigned>(n.bits), logs);
    if (n.what != tag<structure::apply>) return -1;
    switch (n.fn) {
    case code<op::exp>: return undoes(a) ? n.in[0] : -1;
    case code<op::sigmoid>: return negate(unary(code<op::softplus>, negate(n.in[0])));
    case code<op::divide>: {
        const int split = log_of_product(a);
        return split >= 0 ? split : g.is_literal(n.in[0], 1) && (undoes(a) || g.nodes.at[n.in[1]].what == tag<structure::size>) ? negate(unary(code<op::log>, n.in[1])) : -1;
    }
    case code<op::multiply>: return log_of_product(a);
    case code<op::negative>: return g.is<op::expm1>(n.in[0]) ? unary(code<op::log1mexp>, g.nodes.at[n.in[0]].in[0]) : -1;
    case code<op::add>:
    case code<op::subtract>: return log_of_sum(a);
    default: return -1;
    }
}

/// a log(b), or a log(1 + b), as a product where the logarithm has a form that is finite where b is 0: b is a sigmoid. Else -1.
constexpr int builder::times_log(int fn, int a, int b) {
    const bool plus_one = fn == code<op::xlog1py>;
    const int logarithm = plus_one ? apply(code<op::log>, apply(code<op::add>, b, literal(b, 1))) : apply(code<op::log>, b);
    int form = logarithm;
    while (g.nodes.at[form].what == tag<structure::view> || g.nodes.at[form].what == tag<structure::reshape> || g.nodes.at[form].what == tag<structure::broadcast> || g.is<op::negative>(form)) form = g.nodes.at[form].in[0];
    return g.is<op::softplus>(form) ? apply(code<op::multiply>, a, logarithm) : -1;
}

/// log of what is positive by its nature, or -1: of e^x, a sigmoid, a softmax, a sum of e^x.
constexpr int builder::log_of_factor(int base) {
    const node n = g.nodes.at[base];
    if (n.what == tag<structure::view> || n.what == tag<structure::broadcast>) {
        const int made = log_of_factor(n.in[0]);
        return made < 0 ? -1 : n.what == tag<structure::view> ? view(made, n) : structure::broadcast::of(g, made, n.shape);
    }
    if (g.is<op::exp>(base)) return n.in[0];
    if (g.is<op::sigmoid>(base) || n.what == tag<structure::softmax> ||
        (n.what == tag<structure::reduce> && n.fn == reduction_code<reduction::sum> && g.is<op::exp>(n.in[0])))
        return log_rule(base);
    return -1;
}

/// log(f r) is log f + log r where f is positive by its nature, and then log f has a form without overflow.
constexpr int builder::log_of_product(int a) {
    const node n = g.nodes.at[a];
    if (!is_free(a)) {
        const int p = log_of_factor(n.in[0]), q = log_of_factor(n.in[1]);
        if (p < 0 && q < 0) return -1;
        const int right = q >= 0 ? q : apply(code<op::log>, n.in[1]);
        if (n.fn == code<op::divide> && g.is_literal(n.in[0], 1)) return negate(right);
        return apply(n.fn == code<op::multiply> ? code<op::add> : code<op::subtract>, p >= 0 ? p : apply(code<op::log>, n.in[0]), right);
    }
    product_list list;
    collect_product(list, a, 1, true);
    int made = -1;
    for (factor& f : list.factors) {
        const int exponent = f.exponent;
        const int log_f = exponent == 0 ? -1 : log_of_factor(f.base);
        if (log_f < 0) continue;
        const int part = apply(code<op::multiply>, log_f, literal(log_f, exponent));
        made = made < 0 ? part : apply(code<op::add>, made, part);
        f.exponent = 0;
    }
    if (made < 0) return -1;
    bool rest = list.coefficient != 1;
    for (const factor& f : list.factors) rest = rest || f.exponent != 0;
    return rest ? apply(code<op::add>, made, apply(code<op::log>, emit_product(list, a))) : made;
}

/// log(e^x + e^y + ...) in the order in which they are added, or -1.
constexpr int builder::log_of_exponentials(int a) {
    if (g.is<op::exp>(a)) return g.nodes.at[a].in[0];
    if (!g.is<op::add>(a)) return -1;
    const int x = log_of_exponentials(g.nodes.at[a].in[0]), y = x < 0 ? -1 : log_of_exponentials(g.nodes.at[a].in[1]);
    return y < 0 ? -1 : g.apply(code<op::logaddexp>, x, y);
}

/// log of a sum in normal form: log(1 + x), log(1 - sigmoid(x)), log(e^x + e^y), log(e^x - e^y).
constexpr int builder::log_of_sum(int a) {
    if (const int made = log_of_exponentials(a); made >= 0) return made;
    sum_list list;
    collect_sum(list, a, 1, true);
    const int count = list.terms.size();
    if (list.constant == 1 && count == 1 && list.terms.at[0].coefficient == -1 && g.is<op::sigmoid>(list.terms.at[0].body))
        return negate(unary(code<op::softplus>, g.nodes.at[list.terms.at[0].body].in[0]));
    if (list.constant == 1 && count == 1) {
        // Through a view of what others use too.
        const node n = g.nodes.at[list.terms.at[0].body];
        if (n.what == tag<structure::view> || n.what == tag<structure::reshape>) {
            const int inner = n.in[0];
            if (g.is<op::sigmoid>(inner) || g.is<op::exp>(inner)) {
                const int below = apply(code<op::add>, apply(code<op::multiply>, inner, literal(inner, list.terms.at[0].coefficient)), literal(inner, 1));
                const int made = unary(code<op::log>, below);
                return n.what == tag<structure::view> ? view(made, n) : reshape(made, n.shape);
            }
        }
    }
    if (list.constant == 1 && count >= 1) {
        list.constant = 0;
        return unary(code<op::log1p>, emit_sum(list, a));
    }
    if (list.constant != 0 || count != 2 || list.terms.at[0].coefficient + list.terms.at[1].coefficient != 0 || magnitude(list.terms.at[0].coefficient) != 1 ||
        !g.is<op::exp>(list.terms.at[0].body) || !g.is<op::exp>(list.terms.at[1].body))
        return -1;
    const bool turned = list.terms.at[0].coefficient < 0;
    const int big = g.nodes.at[list.terms.at[turned ? 1 : 0].body].in[0], small = g.nodes.at[list.terms.at[turned ? 0 : 1].body].in[0];
    const int made = apply(code<op::add>, big, unary(code<op::log1mexp>, apply(code<op::subtract>, small, big)));
    // Nothing is taken off: -inf - -inf would be NaN.
    const int nothing = g.apply(code<op::equal>, small, literal(small, -std::numeric_limits<double>::infinity()));
    return g.apply(code<op::where>, nothing, big, made);
}

constexpr int builder::log1p_rule(int a) {
    if (g.is<op::exp>(a)) return unary(code<op::softplus>, g.nodes.at[a].in[0]);
    if (!g.is<op::negative>(a)) return -1;
    const int inner = g.nodes.at[a].in[0];
    if (g.is<op::sigmoid>(inner)) return negate(unary(code<op::softplus>, g.nodes.at[inner].in[0]));
    return g.is<op::exp>(inner) ? unary(code<op::log1mexp>, g.nodes.at[inner].in[0]) : -1;
}

/// sum(where(label == arange, c, 0)) over the axis of the arange is c, where c does not vary along it: labels that come as
/// an argument were checked to name a class.
constexpr int builder::sum_of_one_hot(unsigned axes, int a) {
    if (!g.is<op::where>(a) || !g.is_literal(g.nodes.at[a].in[2], 0)) return -1;
    const int condition = g.nodes.at[a].in[0], c = g.nodes.at[a].in[1];
    if (!g.is<op::equal>(condition)) return -1;
    for (int side = 0; side < 2; ++side) {
        int classes = g.nodes.at[condition].in[static_cast<unsigned>(side)];
        int label = g.nodes.at[condition].in[static_cast<unsigned>(1 - side)];
        while (g.nodes.at[classes].what == tag<structure::view>) classes = g.nodes.at[classes].in[0];
        while (g.nodes.at[label].what == tag<structure::view>) label = g.nodes.at[label].in[0];
        if (g.nodes.at[classes].what != tag<structure::arange> || g.nodes.at[label].what != tag<structure::input>) continue;
        bool checked = false;
        for (const bound_check& b : g.bounds)
            checked = checked || (b.leaf == static_cast<int>(g.nodes.at[label].bits) && !counts_from_end(b.who) && g.same(b.limit, g.nodes.at[classes].bits));
        const int rank = g.nodes.at[a].shape.rank, axis = rank - 1;
        if (!checked || axes != 1u << axis) continue;
        const detail::shape& s = g.nodes.at[c].shape;
        if (s.rank > 0 && g.find(s[s.rank - 1]) != 1) continue;
        detail::shape to = g.nodes.at[a].shape;
        to[axis] = 1;
        fired.add(rule::sum_of_one_hot);
        return g.same_shape(s, to) ? c : structure::broadcast::of(g, c, to);
    }
    return -1;
}

/// Whether a sum of a repeated value is a multiple of it: no copies of NaN are 0, and 0 times NaN is not.
constexpr bool builder::counts_copies(unsigned axes, int a) const {
    const int inner = g.nodes.at[a].in[0];
    if (builds_freely() || (g.is_literal(inner) && finite(value(inner)))) return true;
    const int shift = g.nodes.at[a].shape.rank - g.nodes.at[inner].shape.rank;
    for (int i = 0; i < g.nodes.at[a].shape.rank; ++i)
        if (((axes >> i) & 1u) != 0 && (i < shift || g.find(g.nodes.at[inner].shape.extent[i - shift]) == 1) && g.find(g.nodes.at[a].shape.extent[i]) <= 0) return false;
    return true;
}

constexpr int builder::sum_of_broadcast(unsigned axes, int a) {
    const int inner = g.nodes.at[a].in[0];
    const int shift = g.nodes.at[a].shape.rank - g.nodes.at[inner].shape.rank;
    size_ref repeated = 1;
    unsigned inner_axes = 0;
    detail::shape to = g.nodes.at[a].shape;
    for (int i = 0; i < g.nodes.at[a].shape.rank; ++i)
        if ((axes >> i) & 1u) {
            if (i < shift || g.find(g.nodes.at[inner].shape.extent[i - shift]) == 1) repeated = g.product(repeated, g.nodes.at[a].shape.extent[i]);
            else inner_axes |= 1u << (i - shift);
            to[i] = 1;
        }
    fired.add(rule::sum_of_copies);
    const int total = reduce(reduction_code<reduction::sum>, inner_axes, inner);
    const int times = apply(code<op::multiply>, total, g.size(g.nodes.at[a].type, repeated));
    return g.same_shape(g.nodes.at[times].shape, to) ? times : structure::broadcast::of(g, times, to);
}

}  // namespace croton::inline v0_1::detail
