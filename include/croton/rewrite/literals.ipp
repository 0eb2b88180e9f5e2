// SPDX-License-Identifier: MIT
// The arithmetic of literals, as the run would do it.

namespace croton::inline v0_1::detail {

/// where(a, b, c) whose condition is known.
constexpr int builder::chosen(int a, int b, int c) {
    const node whole = g.nodes.at[g.apply(code<op::where>, a, b, c)];
    const int taken = value(strip_broadcast(a)) != 0 ? b : c;
    ++fired.folded;
    return g.same_shape(g.nodes.at[taken].shape, whole.shape) ? taken : structure::broadcast::of(g, taken, whole.shape);
}

/// A literal as its element type holds it, where that has no more digits than a double.
constexpr double builder::held(int id) const {
    const double v = value(id);
    if (g.nodes.at[id].type != element::float32 || !is_normal(element::float32, v)) return v;
    return static_cast<float>(v);
}

/// Arithmetic and comparisons of literals, in their own type; what needs a mathematical library stays for the run, where it
/// is done once.
constexpr int builder::fold(int fn, int a, int b, int c) {
    if (!g.is_literal(a) || (b >= 0 && !g.is_literal(b)) || (c >= 0 && !g.is_literal(c))) return -1;
    const int made = fn == code<op::where> ? (g.nodes.at[a].bits != 0 ? b : c) : is_floating(g.nodes.at[a].type) ? fold_numbers(fn, a, b) : fold_integers(fn, a, b);
    fired.folded += made >= 0 ? 1 : 0;
    return made;
}

constexpr int builder::fold_numbers(int fn, int a, int b) {
    const double x = value(a), y = b >= 0 ? value(b) : 0;
    const element type = g.nodes.at[a].type;
    const auto in_range = [&](double v) { return v == 0 || is_normal(type, v); };
    if (!in_range(x) || !in_range(y)) return -1;
    double r = 0;
    switch (fn) {
    case code<op::copy>: return a;
    case code<op::add>: r = plus(x, y); break;
    case code<op::subtract>: r = plus(x, -y); break;
    case code<op::multiply>:
    case code<op::divide>:
        if (fn == code<op::divide> && y == 0) return -1;
        r = fn == code<op::multiply> ? times(x, y) : over(x, y);
        if (r == 0 && x != 0 && y != 0) return -1;
        break;
    case code<op::negative>: r = -x; break;
    case code<op::absolute>: r = magnitude(x); break;
    case code<op::square>:
        r = times(x, x);
        if (r == 0 && x != 0) return -1;
        break;
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
    default: return compare(fn, held(a), b >= 0 ? held(b) : 0);
    }
    return in_range(r) ? g.literal(type, r) : -1;
}

/// Integers wrap around, as those of the run do.
constexpr int builder::fold_integers(int fn, int a, int b) {
    const std::int64_t x = g.nodes.at[a].bits, y = b >= 0 ? g.nodes.at[b].bits : 0;
    const element type = g.nodes.at[a].type;
    if (type != element::boolean) {
        switch (fn) {
        case code<op::add>: return g.literal(type, kernel::plus(x, y));
        case code<op::subtract>: return g.literal(type, kernel::minus(x, y));
        case code<op::multiply>: return g.literal(type, kernel::times(x, y));
        case code<op::divide>: return g.literal(type, kernel::quotient(x, y));
        case code<op::negative>: return g.literal(type, kernel::minus(x));
        case code<op::absolute>: return g.literal(type, x < 0 ? kernel::minus(x) : x);
        case code<op::square>: return g.literal(type, kernel::times(x, x));
        case code<op::relu>: return g.literal(type, x < 0 ? std::int64_t{0} : x);
        case code<op::maximum>: return x > y ? a : b;
        case code<op::minimum>: return x < y ? a : b;
        default: break;
        }
    }
    return fn == code<op::copy> ? a : compare(fn, x, y);
}

template <class T> constexpr int builder::compare(int fn, T x, T y) {
    bool r = false;
    switch (fn) {
    case code<op::equal>: r = x == y; break;
    case code<op::not_equal>: r = x != y; break;
    case code<op::less>: r = x < y; break;
    case code<op::less_equal>: r = x <= y; break;
    case code<op::greater>: r = x > y; break;
    case code<op::greater_equal>: r = x >= y; break;
    default: return -1;
    }
    return g.literal(element::boolean, r ? 1 : 0);
}

}  // namespace croton::inline v0_1::detail
