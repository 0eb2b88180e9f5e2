// SPDX-License-Identifier: MIT
// The normal form of sums of integers: whatever the order, they wrap around to the same number.

namespace croton::inline v0_1::detail {

constexpr int builder::integer_sum(int fn, int a, int b) {
    integer_list list;
    const std::uint64_t minus_one = ~std::uint64_t{0};
    collect_integers(list, a, fn == code<op::negative> ? minus_one : 1, false);
    if (b >= 0) collect_integers(list, b, fn == code<op::add> ? 1 : minus_one, false);
    return emit_integers(list, g.nodes.at[a].type);
}

constexpr void builder::collect_integers(integer_list& list, int id, std::uint64_t coefficient, bool scaled) {
    const node& n = g.nodes.at[id];
    if (n.what == tag<structure::literal>) {
        list.constant += coefficient * static_cast<std::uint64_t>(n.bits);
        return;
    }
    if (n.what == tag<structure::apply>) {
        if (n.fn == code<op::negative>) return collect_integers(list, n.in[0], 0 - coefficient, scaled);
        if (n.fn == code<op::multiply> && g.is_literal(n.in[1]))
            return collect_integers(list, n.in[0], coefficient * static_cast<std::uint64_t>(g.nodes.at[n.in[1]].bits), true);
        // A scaled sum stays one: multiplying it out saves nothing.
        if ((n.fn == code<op::add> || n.fn == code<op::subtract>) && !scaled && !is_shared(id)) {
            collect_integers(list, n.in[0], coefficient, false);
            collect_integers(list, n.in[1], n.fn == code<op::add> ? coefficient : 0 - coefficient, false);
            return;
        }
    }
    for (integer_term& t : list.terms)
        if (t.body == id) {
            t.coefficient += coefficient;
            fired.add(rule::like_terms);
            return;
        }
    list.terms.push({coefficient, id});
}

/// Positive terms, then negative ones, then the constant. A coefficient is its own sign where it has the top bit alone.
constexpr int builder::emit_integers(const integer_list& list, element type) {
    // What is above half of an unsigned number's range is taken off instead.
    const int unused = 64 - 8 * static_cast<int>(size_of(type));
    const auto wrapped = [&](std::uint64_t c) { return static_cast<std::int64_t>(c << unused) >> unused; };
    const auto scaled = [&](int body, std::int64_t c) { return c == 1 ? body : g.apply(code<op::multiply>, body, g.literal(type, c)); };
    int made = -1;
    for (const integer_term& t : list.terms)
        if (const std::int64_t c = wrapped(t.coefficient); c > 0) made = made < 0 ? scaled(t.body, c) : g.apply(code<op::add>, made, scaled(t.body, c));
    std::int64_t constant = wrapped(list.constant);
    for (const integer_term& t : list.terms) {
        const std::int64_t c = wrapped(t.coefficient);
        if (c >= 0) continue;
        if (made < 0 && constant != 0) {
            made = g.literal(type, constant);
            constant = 0;
        }
        if (made >= 0) made = g.apply(code<op::subtract>, made, scaled(t.body, kernel::minus(c)));
        else made = c == -1 ? g.apply(code<op::negative>, t.body) : g.apply(code<op::multiply>, t.body, g.literal(type, c));
    }
    if (made < 0) return g.literal(type, constant);
    if (constant > 0) made = g.apply(code<op::add>, made, g.literal(type, constant));
    if (constant < 0) made = g.apply(code<op::subtract>, made, g.literal(type, kernel::minus(constant)));
    return made;
}

}  // namespace croton::inline v0_1::detail
