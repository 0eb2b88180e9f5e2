// SPDX-License-Identifier: MIT
// OPERATORS.md is what the tables in the code say. CROTON_WRITE_PAGE=1 writes it anew.
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <croton/croton.hpp>

#include "oracle.hpp"

using namespace croton;

namespace {

using detail::arena;
using detail::node;
using detail::tag;
using detail::term;

/// The node as a formula: `x` and its kind for inputs, signs where operators have them.
std::string formula_of(const arena& g, int id, bool inner = false) {
    const node& n = g[id];
    if (n.what == tag<detail::structure::input>) return std::string(1, static_cast<char>('x' + n.bits));
    if (n.what == tag<detail::structure::literal>) {
        std::ostringstream text;
        text.precision(4);
        text << g.literal_value(id);
        return text.str();
    }
    REQUIRE(n.what == tag<detail::structure::apply>);
    const detail::operator_facts& f = g.facts(n.fn);
    std::string text;
    if (f.sign.empty()) {
        text = std::string(f.name) + "(";
        for (int i = 0; i < f.arity; ++i) text += (i == 0 ? "" : ", ") + formula_of(g, n.in[i]);
        return text + ")";
    }
    text = f.arity == 1 ? std::string(f.sign) + formula_of(g, n.in[0], true) : formula_of(g, n.in[0], true) + " " + std::string(f.sign) + " " + formula_of(g, n.in[1], true);
    return inner ? "(" + text + ")" : text;
}

std::string_view elements_of(op::typing kind) {
    switch (kind) {
    case op::typing::numeric: return "integers, float, double";
    case op::typing::floating: return "float, double";
    case op::typing::comparison: return "all, gives bool";
    case op::typing::logical: return "bool";
    case op::typing::integral: return "integers";
    case op::typing::selection: return "bool, then all";
    case op::typing::any: return "all";
    case op::typing::drawn: return "what it draws";
    }
    return "";
}

/// The derivative for each argument, or a dash.
template <class Op> std::string derivatives_of() {
    if constexpr (!op::has_derivative(Op::kind)) {
        return "none";
    } else {
        arena g;
        int in[3] = {-1, -1, -1};
        for (int i = 0; i < Op::arity; ++i) {
            detail::leaf_input leaf{};
            leaf.type = Op::kind == op::typing::selection && i == 0 ? element::boolean : element::float64;
            in[i] = g.input(leaf);
        }
        const int y = g.apply(detail::code<Op>, in[0], in[1], in[2]);
        const auto parts = detail::pull_table[detail::code<Op>](term{&g, g.literal(element::float64, 1)}, term{&g, y}, term{&g, in[0]}, term{&g, in[1]}, term{&g, in[2]});
        std::string text;
        bool any = false;
        for (int i = 0; i < Op::arity; ++i) {
            const term part = parts[static_cast<unsigned>(i)];
            any = any || part;
            text += (i == 0 ? "`" : ", `") + (part ? formula_of(g, part.id) : std::string("0")) + "`";
        }
        return any ? text : "0";
    }
}

/// Whether a text has `name(...)`, or speaks of `a name`.
bool names(const std::string& text, const std::string& name) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        const auto part_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
        const std::size_t end = at + name.size();
        if (at > 0 && part_of_word(text[at - 1])) continue;
        if ((end < text.size() && text[end] == '(') || (at >= 2 && text.compare(at - 2, 2, "a ") == 0 && (end == text.size() || !part_of_word(text[end])))) return true;
    }
    return false;
}

std::string rules_of(std::string_view name) {
    std::string text;
    for (const detail::rule_row& row : detail::rule_rows)
        if (names(row.name, std::string(name))) text += (text.empty() ? "`" : "; `") + std::string(row.name) + "`";
    return text;
}

std::string escaped(std::string text) {
    for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) text.insert(at, "\\");
    return text;
}

template <class Op> std::string row_of() {
    const std::string sign(Op::sign);
    const int ulps = oracle::formula<Op>::ulps;
    const std::string bound = Op::kind != op::typing::floating && Op::kind != op::typing::numeric ? "exact" : ulps == 0 ? "exact" : std::to_string(ulps);
    return "| `" + std::string(Op::name) + "` | " + (sign.empty() ? "" : "`" + escaped(sign) + "`") + " | " + std::to_string(Op::arity) + " | " + std::string(elements_of(Op::kind)) + " | " + bound + " | " +
           escaped(derivatives_of<Op>()) + " | " + escaped(rules_of(Op::name)) + " |\n";
}

template <class... Op> std::string operator_rows(detail::type_list<Op...>) { return (row_of<Op>() + ...); }

std::string page() {
    std::string text =
        "# Operators\n\n"
        "Written by `tests/ops/page_test.cpp` from the tables in the code: `CROTON_WRITE_PAGE=1` writes it anew.\n\n"
        "Every operator takes arrays of every rank from 0 to 8, views, empty arrays and numbers, repeated as in NumPy, and runs on cpu, reference and cuda. half and\n"
        "bfloat16 are read as float. The names are NumPy's, SciPy's for special functions, PyTorch's for activations. The bound is in units in the last place\n"
        "of the result, against the value in long double, on the cpu with xsimd and on the reference; `exact` is the nearest number. In the derivatives\n"
        "for x, y and z the value itself is written out.\n\n"
        "| operator | sign | arguments | element types | bound | derivatives | rewrites that name it |\n"
        "|---|---|---|---|---|---|---|\n";
    text += operator_rows(detail::operators());
    text += "\n## Reductions\n\n| reduction | takes | of nothing |\n|---|---|---|\n";
    const auto reduction_row = [&]<class R>(R) {
        std::string nothing = "a `shape_error`";
        if constexpr (R::logical) nothing = R::template identity<bool>() ? "true" : "false";
        else if constexpr (!R::idempotent) nothing = std::to_string(R::template identity<int>());
        text += "| `" + std::string(R::name) + "` | " + (R::logical ? "bool" : "numbers") + " | " + nothing + " |\n";
    };
    [&]<class... R>(detail::type_list<R...>) { (reduction_row(R()), ...); }(detail::reductions());
    text += "\n## Rewrites\n\n| rule | of |\n|---|---|\n";
    const auto aim = [](detail::rule_aim a) {
        switch (a) {
        case detail::rule_aim::literals: return "literals";
        case detail::rule_aim::sums: return "sums";
        case detail::rule_aim::products: return "products";
        case detail::rule_aim::stable: return "more accurate forms";
        case detail::rule_aim::moved: return "what is moved to where it costs less";
        case detail::rule_aim::blas: return "BLAS";
        }
        return "";
    };
    for (const detail::rule_row& row : detail::rule_rows) text += "| `" + escaped(row.name) + "` | " + aim(row.aim) + " |\n";
    return text;
}

}  // namespace

TEST_CASE("OPERATORS.md is what the tables say") {
    const std::filesystem::path path = std::filesystem::path(__FILE__).parent_path() / "../../OPERATORS.md";
    const std::string wanted = page();
    if (std::getenv("CROTON_WRITE_PAGE") != nullptr) std::ofstream(path) << wanted;
    std::ostringstream found;
    found << std::ifstream(path).rdbuf();
    CHECK_MESSAGE(found.str() == wanted, "CROTON_WRITE_PAGE=1 test_ops_page writes it");
}
