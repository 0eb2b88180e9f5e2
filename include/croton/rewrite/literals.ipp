// SPDX-License-Identifier: MIT
// The arithmetic of literals, as the run would do it.

namespace croton::inline v0_1::detail {

/// where(a, b, c) whose condition is known.
constexpr int builder::chosen(int a, int b, int c) {
    const node whole = g.nodes.at[g.apply(code<op::where>, a, b, c)];
    const int taken = value(strip_broadcast(a)) != 0 ? b : c;
    fired.add(rule::known_choice);
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
    if (fn >= operators::size || !g.is_literal(a) || (b >= 0 && !g.is_literal(b)) || (c >= 0 && !g.is_literal(c))) return -1;
    const int made = fn == code<op::where> ? (g.nodes.at[a].bits != 0 ? b : c) : is_floating(g.nodes.at[a].type) ? fold_numbers(fn, a, b) : fold_integers(fn, a, b);
    if (made >= 0) fired.add(rule::literals);
    return made;
}

constexpr int builder::fold_numbers(int fn, int a, int b) {
    if (!operator_table.folds[fn].folds_numbers) return -1;
    const auto known = operator_table.folds[fn].numbers;
    const double x = value(a), y = b >= 0 ? value(b) : 0;
    const element type = g.nodes.at[a].type;
    const auto in_range = [&](double v) { return v == 0 || is_normal(type, v); };
    if (!in_range(x) || !in_range(y)) return -1;
    if (facts_of(fn).kind == op::typing::comparison) return g.literal(element::boolean, known(held(a), held(b)) != 0 ? 1 : 0);
    const double r = known(x, y);
    return in_range(r) ? g.literal(type, r) : -1;
}

/// Integers wrap around, as those of the run do.
constexpr int builder::fold_integers(int fn, int a, int b) {
    const op::typing kind = facts_of(fn).kind;
    const element type = g.nodes.at[a].type;
    if (!operator_table.folds[fn].folds_integers || (type == element::boolean && kind == op::typing::numeric)) return -1;
    // Where the bits of a number are those of a negative one, it stays for the run.
    if (type == element::uint64 && (g.nodes.at[a].bits < 0 || (b >= 0 && g.nodes.at[b].bits < 0))) return -1;
    return g.literal(kind == op::typing::comparison ? element::boolean : type, operator_table.folds[fn].integers(g.nodes.at[a].bits, b >= 0 ? g.nodes.at[b].bits : 0));
}

}  // namespace croton::inline v0_1::detail
