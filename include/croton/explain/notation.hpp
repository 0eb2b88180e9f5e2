// SPDX-License-Identifier: MIT
// How explanations write things down: numbers, extents, arguments, operators.
#ifndef CROTON_EXPLAIN_NOTATION_HPP
#define CROTON_EXPLAIN_NOTATION_HPP

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <croton/plan/view.hpp>

namespace croton::inline v0_1::detail {

/// A formula and how tightly its outermost operator binds.
struct formula {
    enum binding { logical_or = 1, logical_and, comparison, sum, product, prefix, atom };

    std::string text;
    int binds = atom;
    bool number = false;

    bool negative() const { return !text.empty() && text[0] == '-'; }
};

// Templates, so that a program that explains nothing does not pay for them.

template <class Formula> Formula in_parentheses(const Formula& f) { return {"(" + f.text + ")"}; }

/// A number with the fewest digits that give it back in its element type.
inline formula number_formula(element type, std::int64_t bits) {
    formula f{"", formula::atom, true};
    if (type == element::boolean) {
        f.text = bits != 0 ? "true" : "false";
    } else if (!is_floating(type)) {
        f.text = type == element::uint64 ? std::to_string(static_cast<std::uint64_t>(bits)) : std::to_string(bits);
    } else {
        const double v = std::bit_cast<double>(bits);
        char digits[40] = "nan";
        for (int precision = 1; v == v && precision <= 17; ++precision) {
            std::snprintf(digits, sizeof digits, "%.*g", precision, v);
            const double back = std::strtod(digits, nullptr);
            if (back == v || (type == element::float32 && static_cast<float>(back) == static_cast<float>(v)) ||
                (is_stored_only(type) && arena::stored_as(type, back) == v))
                break;
        }
        f.text = digits;
    }
    if (f.negative()) f.binds = formula::prefix;
    return f;
}

/// `name(a, b, c)`.
template <class Formula> Formula call_formula(std::string_view name, const Formula* in, int count) {
    Formula f{std::string(name) + "("};
    for (int i = 0; i < count; ++i) f.text += (i == 0 ? "" : ", ") + in[i].text;
    f.text += ")";
    return f;
}

template <class Formula> Formula infix_formula(std::string_view sign, Formula left, Formula right) {
    const int level = sign == "|" || sign == "^"                    ? formula::logical_or
                      : sign == "&"                                 ? formula::logical_and
                      : sign == "+" || sign == "-"                  ? formula::sum
                      : sign == "*" || sign == "/" || sign == "%"   ? formula::product
                                                                    : formula::comparison;
    // 0.1 * x, however the graph orders it.
    if (sign == "*" && right.number && !left.number) std::swap(left, right);
    // x + -y is x - y.
    if (level == formula::sum && right.negative() && right.binds == formula::prefix) {
        right.text.erase(0, 1);
        right.binds = formula::atom;
        sign = sign == "+" ? "-" : "+";
    }
    const bool truth = level <= formula::comparison;
    if (truth ? left.binds <= formula::comparison && (left.binds != level || sign == "^") : left.binds < level)
        left = in_parentheses(left);
    if (truth ? right.binds <= formula::comparison : right.binds <= level || right.negative())
        right = in_parentheses(right);
    return {left.text + " " + std::string(sign) + " " + right.text, level};
}

/// An operator on its arguments.
template <class Formula> Formula operator_formula(int fn, const Formula* in, const operator_facts* const* own) {
    const operator_facts& op = facts_of(fn, own);
    if (fn == code<op::copy>) return in[0];
    if (op.sign.empty()) return call_formula(op.name, in, op.arity);
    if (op.arity == 2) return infix_formula(op.sign, in[0], in[1]);
    const bool close = in[0].binds == formula::atom || (in[0].binds == formula::product && op.sign == "-");
    if (!close || in[0].negative()) return {std::string(op.sign) + in_parentheses(in[0]).text, formula::prefix};
    return {std::string(op.sign) + in[0].text, in[0].binds == formula::atom ? formula::prefix : formula::sum};
}

/// `cumsum<0>`, `cumsum<0, reversed>`: a routine, the axis it works along and its attributes.
inline std::string routine_text(const kernel::routine_facts& facts, std::int64_t bits) {
    std::string text = kernel::axis_of(bits) == kernel::no_axis || facts.of_matrices || facts.of_elements ? "" : std::to_string(kernel::axis_of(bits));
    for (int i = 0; i < 3; ++i)
        if (((kernel::attributes_of(bits) >> i) & 1) != 0 && !facts.attribute[i].empty()) text += (text.empty() ? "" : ", ") + std::string(facts.attribute[i]);
    return std::string(facts.name) + (text.empty() ? "" : "<" + text + ">");
}

/// What a function's arguments and extents are called.
template <class Formula> struct basic_notation : program_view {
    // Of a region: what its leaves and what it leaves are called, and the arguments of the function, which name its extents.
    std::vector<std::string> leaf_names{}, output_names{};
    const leaf_input* sized = nullptr;
    int sized_count = 0;
    int depth = 0;  // of loops around it

    std::string name(int index) const {
        return index < 0 ? std::string()
                         : std::string(letters + name_ranges[index].from, static_cast<std::size_t>(name_ranges[index].length));
    }

    /// The name of an argument: its own, or `arg2`; for an array of a model `arg3.hidden.weight`.
    std::string leaf(int index) const {
        if (!leaf_names.empty()) return leaf_names[static_cast<std::size_t>(index)];
        const leaf_input& l = leaves[index];
        if (nodes[l.node].name >= 0) return name(nodes[l.node].name);
        return "arg" + std::to_string(l.argument + 1) + (l.path < 0 ? "" : "." + name(l.path));
    }

    std::string output(int index) const {
        return output_names.empty() ? "output " + std::to_string(index + 1) : output_names[static_cast<std::size_t>(index)];
    }

    static std::string state(const loop_entry& l, int k) { return "state" + std::to_string(l.carried_before + k + 1); }
    static std::string stacked(const loop_entry& l, int i) { return "out" + std::to_string(l.stacks_before + i + 1); }
    static std::string turn(const loop_entry& l) { return "t" + std::string(static_cast<std::size_t>(l.depth - 1), '\''); }
    static std::string loop(const loop_entry& l) { return "loop " + std::to_string(l.region + 1); }
    /// `loop 2: n1 turns, backwards`, `loop 1: at most 100 turns, as many as a value says`.
    std::string turns(const loop_entry& l) const {
        std::string text = loop(l) + ": ";
        if (!l.unbounded) text += (l.limited ? "at most " : "") + size(l.turns).text + (l.turns == 1 ? " turn" : " turns") + (l.limited ? ", " : "");
        if (l.limited) text += l.unbounded ? "as many turns as a value says" : "as many as a value says";
        if (l.at_most > 0) text += ", at most " + std::to_string(l.at_most) + " of them";
        if (l.stops) text += ", until a condition holds";
        return text + (l.reverse ? ", backwards" : "") + (l.again ? ", run again" : "");
    }
    /// `last(state1)`, `states(state1)`, `stack(out1)`, `turns(loop 1)`: result `i` of a loop.
    std::string result(const loop_entry& l, int i) const {
        const std::int64_t bits = nodes[part(l, i)].bits;
        if (part_role(bits) == loop_result::turns) return "turns(" + loop(l) + ")";
        if (part_role(bits) != loop_result::stack) return (part_role(bits) == loop_result::last ? "last(" : "states(") + state(l, part_index(bits)) + ")";
        int before = 0;
        for (int k = 0; k < i; ++k) before += part_role(nodes[part(l, k)].bits) == loop_result::stack ? 1 : 0;
        return "stack(" + stacked(l, before) + ")" + kept_turns(l, nodes[part(l, i)].shape[0]);
    }
    /// `[-3:]` where of the values of each turn only those of the last three are kept.
    std::string kept_turns(const loop_entry& l, size_ref rows) const {
        rows = representative(rows);
        if (rows == representative(l.turns)) return "";
        const size_ref most = rows >= 0 ? rows : representative(sizes[arena::index_of(rows)].b);
        return l.reverse ? "[:" + size(most).text + "]" : "[-" + size(most).text + ":]";
    }

    std::string structure(const node& n) const {
        if (n.place == placement::call) return routine_text(*routines[n.fn], n.bits);
        return std::string(n.what < structures::size ? structure_names[n.what] : own_structures[n.what - structures::size]);
    }

    size_ref representative(size_ref s) const { return s >= 0 ? s : sizes[arena::index_of(s)].same_as; }

    /// Whether only the call knows the extent and nothing names it; such an extent is called n1, n2, ...
    bool anonymous(size_ref s) const {
        return s < 0 && sizes[arena::index_of(s)].what == size_entry::origin::argument &&
               !is_named(sizes[arena::index_of(s)].declared);
    }

    /// The number of anonymous extents met before extent `until` of the arguments, each counted once.
    int anonymous_before(size_ref until) const {
        vec<size_ref> seen;
        const leaf_input* const all = sized == nullptr ? leaves : sized;
        for (int l = 0; l < (sized == nullptr ? leaf_count : sized_count); ++l)
            for (int a = 0; a < all[l].shape.rank; ++a) {
                const size_ref s = representative(all[l].shape[a]);
                bool known = !anonymous(s);
                for (const size_ref other : seen) known = known || other == s;
                if (known) continue;
                if (s == until) return seen.size();
                seen.push(s);
            }
        return seen.size();
    }

    Formula size(size_ref s) const {
        s = representative(s);
        if (s >= 0) return {std::to_string(s), formula::atom, true};
        const size_entry& e = sizes[arena::index_of(s)];
        if (e.what == size_entry::origin::product) return infix_formula("*", size(e.a), size(e.b));
        if (e.what == size_entry::origin::quotient) return infix_formula("/", size(e.a), size(e.b));
        if (e.what == size_entry::origin::sum) return infix_formula("+", size(e.a), size(e.b));
        if (e.what == size_entry::origin::difference) return infix_formula("-", size(e.a), size(e.b));
        if (e.what == size_entry::origin::minimum || e.what == size_entry::origin::rounded_up || e.what == size_entry::origin::remainder) {
            const Formula in[2] = {size(e.a), size(e.b)};
            return call_formula(e.what == size_entry::origin::minimum ? "min" : e.what == size_entry::origin::remainder ? "mod" : "ceil_div", in, 2);
        }
        if (e.what == size_entry::origin::root) {
            const Formula in = size(e.a);
            return call_formula("ceil_sqrt", &in, 1);
        }
        if (anonymous(s)) return {"n" + std::to_string(anonymous_before(s) + 1)};
        char text[name_length_limit];
        return {std::string(text, static_cast<std::size_t>(unpack_name(e.declared, text)))};
    }

    /// How Python writes a slice of an axis of extent `whole`: `1:-1`, `::2`, `-3:`; `2:+n` where the stop cannot be said.
    std::string slice(size_ref whole, size_ref start, size_ref extent, std::int64_t step) const {
        using origin = size_entry::origin;
        whole = representative(whole);
        start = representative(start);
        extent = representative(extent);
        const auto entry = [&](size_ref s) { return s < 0 ? sizes[arena::index_of(s)] : size_entry(); };
        // The number k where a size is whole - k, or -1.
        const auto before_end = [&](size_ref s) {
            if (s == whole) return size_ref{0};
            const size_entry e = entry(s);
            if (s >= 0 && whole >= 0) return whole - s;
            return s < 0 && e.what == origin::difference && e.a == whole && e.b >= 0 ? e.b : size_ref{-1};
        };
        if (step < 0 && before_end(start) == 1 && extent == whole) return "::" + std::to_string(step);
        const bool late = start < 0 && before_end(start) > 0;
        std::string text = start == 0 ? "" : late ? "-" + std::to_string(before_end(start)) : size(start).text;
        const size_entry e = entry(extent);
        std::string stop = "+" + size(extent).text;
        if (step == 1 && start >= 0) {
            const size_ref k = before_end(extent);
            if (k == start) stop = "";
            else if (k > start && whole < 0) stop = "-" + std::to_string(k - start);
            else if (extent >= 0) stop = std::to_string(start + extent);
            else if (e.what == origin::minimum && start == 0 && (e.a == whole || e.b == whole)) stop = size(e.a == whole ? e.b : e.a).text;
        } else if (step == 1 && late && (extent == before_end(start) || (e.what == origin::minimum && e.a == whole && e.b == before_end(start)))) {
            stop = "";
        } else if (step > 1 && start >= 0 && e.what == origin::rounded_up && before_end(e.a) == start) {
            stop = "";
        }
        text += ":" + stop;
        return step == 1 ? text : text + ":" + std::to_string(step);
    }

    template <class Extents> std::string extents(const Extents& e, int from, int to) const {
        std::string text = "[";
        for (int i = from; i < to; ++i) text += (i == from ? "" : ", ") + size(e[static_cast<unsigned>(i)]).text;
        return text + "]";
    }

    /// `float [sample, feature]`; `float` for one number.
    std::string type(element e, const shape& s) const {
        return std::string(name_of(e)) + (s.rank == 0 ? "" : " " + extents(s.extent, 0, s.rank));
    }
};
using notation = basic_notation<formula>;

}  // namespace croton::inline v0_1::detail

#endif
