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
    if (n.what == tag<detail::structure::stand_in>) return formula_of(g, n.in[0], inner);
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
        const auto parts = detail::rules_of_tables<void>::of_operators[detail::code<Op>](term{&g, g.literal(element::float64, 1)}, term{&g, y}, term{&g, in[0]}, term{&g, in[1]}, term{&g, in[2]});
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

/// What other libraries call an operator: NumPy as croton does, unless it stands here.
std::string name_elsewhere(std::string_view name) {
    constexpr std::string_view others[][2] = {
        {"abs", "np.absolute"}, {"sqr", "np.square"}, {"pow", "np.power"}, {"round", "np.rint"}, {"asin", "np.arcsin"}, {"acos", "np.arccos"}, {"atan", "np.arctan"}, {"atan2", "np.arctan2"},
        {"asinh", "np.arcsinh"}, {"acosh", "np.arccosh"}, {"atanh", "np.arctanh"}, {"bitwise_not", "np.invert"}, {"erf", "special.erf"}, {"erfc", "special.erfc"}, {"erfinv", "special.erfinv"},
        {"lgamma", "special.gammaln"}, {"digamma", "special.psi"}, {"polygamma", "special.polygamma"}, {"logit", "special.logit"}, {"ndtr", "special.ndtr"}, {"sigmoid", "special.expit"},
        {"xlogy", "special.xlogy"}, {"xlog1py", "special.xlog1py"}, {"relu", "F.relu"}, {"softplus", "F.softplus"}, {"softsign", "F.softsign"}, {"gelu", "F.gelu"},
        {"gelu_tanh", "F.gelu(approximate=\"tanh\")"}, {"log1mexp", ""}, {"fma", "math.fma"}};
    for (const auto& [mine, theirs] : others)
        if (mine == name) return std::string(theirs);
    return "np." + std::string(name);
}
std::string in_code(const std::string& text) { return text.empty() ? "" : "`" + text + "`"; }

template <class Op> std::string row_of() {
    const std::string sign(Op::sign);
    const int ulps = oracle::formula<Op>::ulps;
    const std::string bound = Op::kind != op::typing::floating && Op::kind != op::typing::numeric ? "exact" : ulps == 0 ? "exact" : std::to_string(ulps);
    return "| `" + std::string(Op::name) + "` | " + in_code(name_elsewhere(Op::name)) + " | " + (sign.empty() ? "" : "`" + escaped(sign) + "`") + " | " + std::to_string(Op::arity) + " | " + std::string(elements_of(Op::kind)) + " | " + bound + " | " +
           escaped(derivatives_of<Op>()) + " | " + escaped(rules_of(Op::name)) + " |\n";
}

template <class... Op> std::string operator_rows(detail::type_list<Op...>) { return (row_of<Op>() + ...); }

/// What is a function of operators only, each as it is written down: of x, and y and z where it takes more.
std::string function_rows() {
    std::string text;
    const auto row = [&](std::string_view name, std::string_view elsewhere, auto f) {
        arena g;
        expr<double, 1> x[3]{};
        for (auto& e : x) {
            detail::leaf_input leaf{};
            leaf.type = element::float64;
            leaf.shape.rank = 1;
            leaf.shape.extent[0] = 4;
            e = {&g, g.input(leaf)};
        }
        const auto y = [&] {
            if constexpr (requires { f(x[0]); }) return f(x[0]);
            else if constexpr (requires { f(x[0], x[1]); }) return f(x[0], x[1]);
            else return f(x[0], x[1], x[2]);
        }();
        text += "| `" + std::string(name) + "` | `" + std::string(elsewhere) + "` | `" + escaped(formula_of(g, y.id)) + "` |\n";
    };
    using v = expr<double, 1>;
    row("rsqrt", "torch.rsqrt", [](v x) { return rsqrt(x); });
    row("reciprocal", "np.reciprocal", [](v x) { return reciprocal(x); });
    row("degrees", "np.degrees", [](v x) { return degrees(x); });
    row("radians", "np.radians", [](v x) { return radians(x); });
    row("isnan", "np.isnan", [](v x) { return isnan(x); });
    row("isinf", "np.isinf", [](v x) { return isinf(x); });
    row("isfinite", "np.isfinite", [](v x) { return isfinite(x); });
    row("nan_to_num", "np.nan_to_num", [](v x) { return nan_to_num(x); });
    row("lerp", "torch.lerp", [](v x, v y, v z) { return lerp(x, y, z); });
    row("elu", "F.elu", [](v x) { return elu(x); });
    row("selu", "F.selu", [](v x) { return selu(x); });
    row("celu", "F.celu", [](v x) { return celu(x, 2); });
    row("silu", "F.silu", [](v x) { return silu(x); });
    row("mish", "F.mish", [](v x) { return mish(x); });
    row("leaky_relu", "F.leaky_relu", [](v x) { return leaky_relu(x); });
    row("prelu", "F.prelu", [](v x, v y) { return prelu(x, y); });
    row("hard_sigmoid", "F.hardsigmoid", [](v x) { return hard_sigmoid(x); });
    row("hard_swish", "F.hardswish", [](v x) { return hard_swish(x); });
    return text;
}

/// In what the partial results of a reduction are kept, and what it gives, for one element type.
template <class R, class T> std::string kept_in() {
    using kept = kernel::wide<R, T>;
    return std::is_same_v<kept, double> ? "double" : std::is_same_v<kept, float> ? "float" : "";
}

std::string page() {
    std::string text =
        "# Operators\n\n"
        "Written by `tests/ops/page_test.cpp` from the tables in the code: `CROTON_WRITE_PAGE=1` writes it anew.\n\n"
        "Every operator takes arrays of every rank from 0 to 8, views, empty arrays and numbers, repeated as in NumPy, and runs on cpu, reference and cuda: every\n"
        "operator and every reduction with every element type of its row, on cuda in kernels that `tests/device/cuda/table*` run on emulated blocks beside the cpu. half and\n"
        "bfloat16 are read as float. Names elsewhere: np is NumPy, special scipy.special, F torch.nn.functional. The bound is in units in the last place\n"
        "of the result, against the value in long double, on the cpu with xsimd and on the reference; `exact` is the nearest number. In the derivatives\n"
        "for x, y and z the value itself is written out.\n\n"
        "| operator | elsewhere | sign | arguments | element types | bound | derivatives | rewrites that name it |\n"
        "|---|---|---|---|---|---|---|---|\n";
    text += operator_rows(detail::operators());
    text +=
        "\n## Functions of these\n\nFormulas of operators, with the right values and slopes at special numbers: their derivatives, fusing and devices are those of the operators. `celu` with 2.\n\n"
        "| function | elsewhere | formula |\n|---|---|---|\n";
    text += function_rows();
    text +=
        "\n## Reductions\n\nSums and products of integers and of bool are int64, of unsigned integers uint64. half and bfloat16 are read as float, and what is reduced of them is float. Floating-point\n"
        "numbers are added up into the partial results of the table, on cpu in registers of their type first, for 128 steps at most; the result is rounded to the type once. `mean`, `var`, `stddev`, `norm`,\n"
        "`average` and their like are formulas of these, so that integers are cast first, `count_nonzero`, `argmax` and `argmin` are int64, and `cumsum` is of the type that `sum` gives. A matrix product adds\n"
        "up in its element type, integers too, of half and bfloat16 in float.\n\n"
        "| reduction | takes | partial results of float | of double | of nothing |\n|---|---|---|---|---|\n";
    const auto reduction_row = [&]<class R>(R) {
        std::string nothing = "a `shape_error`";
        if constexpr (R::logical) nothing = R::template identity<bool>() ? "true" : "false";
        else if constexpr (!R::idempotent) nothing = std::to_string(R::template identity<int>());
        text += "| `" + std::string(R::name) + "` | " + (R::logical ? "bool" : "numbers") + " | " + (R::logical ? " | " : kept_in<R, float>() + " | " + kept_in<R, double>()) + " | " + nothing + " |\n";
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
