// SPDX-License-Identifier: MIT
// The one table of elementwise operators and reductions: their numbers, and what passes ask about one by its number.
#ifndef CROTON_GRAPH_TABLE_HPP
#define CROTON_GRAPH_TABLE_HPP

#include <array>
#include <cstdint>
#include <string_view>

#include <croton/core/element.hpp>
#include <croton/core/type_list.hpp>
#include <croton/graph/bits.hpp>
#include <croton/graph/reductions.hpp>
#include <croton/graph/rounding.hpp>
#include <croton/graph/special.hpp>
#include <croton/graph/trigonometric.hpp>

namespace croton::inline v0_1 {

namespace detail {

using operators =
    type_list<op::copy, op::add, op::subtract, op::multiply, op::divide, op::negative, op::absolute, op::sign_, op::exp,
              op::expm1, op::log, op::log1p, op::sqrt, op::square, op::power, op::tanh, op::sigmoid, op::softplus,
              op::relu, op::erf, op::ndtr, op::gelu, op::gelu_tanh, op::log1mexp, op::logaddexp, op::xlogy, op::xlog1py, op::maximum, op::minimum, op::clip, op::where, op::equal,
              op::not_equal, op::less, op::less_equal, op::greater, op::greater_equal, op::logical_and, op::logical_or,
              op::logical_not, op::exp2, op::log2, op::log10, op::cbrt, op::sin, op::cos, op::tan, op::asin, op::acos, op::atan, op::hypot,
              op::atan2, op::sinh, op::cosh, op::asinh, op::acosh, op::atanh, op::erfc, op::erfinv, op::lgamma, op::digamma, op::polygamma, op::logit,
              op::softsign, op::floor, op::ceil, op::trunc, op::round, op::fmod, op::remainder, op::floor_divide, op::copysign, op::heaviside, op::nextafter,
              op::fma, op::logical_xor, op::bitwise_and, op::bitwise_or, op::bitwise_xor, op::bitwise_not, op::left_shift, op::right_shift,
              op::bitwise_count>;

using reductions =
    type_list<reduction::sum, reduction::prod, reduction::max, reduction::min, reduction::all, reduction::any>;

/// The number of an operator in the table: what a node carries.
template <class Op> inline constexpr int code = index_in<Op, operators>::value;
template <class Reduction> inline constexpr int reduction_code = index_in<Reduction, reductions>::value;

struct term;
/// The cotangents of the arguments a, b, c from the cotangent g and the result y.
using pull_function = std::array<term, 3> (*)(term g, term y, term a, term b, term c);

/// What passes ask about an operator by its number.
struct operator_facts {
    std::string_view name, sign;
    int arity;
    op::typing kind;
    // Of an operator that is not in the table: what its type is called, and its derivative if it has one. Addresses would tell
    // both, but under sanitizers g++ compares none while it compiles.
    std::string_view type = "";
    bool differentiable = false;
    pull_function pull = nullptr;
    bool commutes = false, is_cheap = false, ends_products = false;
    element gives = element::float32;  // of what draws
};

/// What an operator gives of arguments of type `of`.
constexpr element element_given(const operator_facts& about, element of) {
    if (about.kind == op::typing::comparison || about.kind == op::typing::logical) return element::boolean;
    return about.kind == op::typing::drawn ? about.gives : of;
}

/// An operator on numbers that are known while compiling. A table of its own, which no program asks when it runs. Under sanitizers g++ compares no addresses
/// while it compiles, not with null either.
struct fold_facts {
    bool folds_numbers = false, folds_integers = false;
    double (*numbers)(double, double) = nullptr;
    std::int64_t (*integers)(std::int64_t, std::int64_t) = nullptr;
};

template <class Op, class T> constexpr T folded(T a, T b) {
    if constexpr (Op::arity == 1) return Op::value(a);
    else return Op::value(a, b);
}

template <class Op> constexpr operator_facts facts_about() {
    operator_facts f{Op::name, Op::sign, Op::arity, Op::kind};
    f.commutes = requires { Op::commutes; };
    f.is_cheap = requires { Op::is_cheap; };
    f.ends_products = requires { Op::ends_products; };
    return f;
}

template <class Op> constexpr fold_facts fold_of() {
    fold_facts f;
    if constexpr (requires { &Op::fold; }) f.numbers = &Op::fold;
    else if constexpr (requires { Op::folds; }) f.numbers = &folded<Op, double>;
    if constexpr (requires { Op::folds; }) f.integers = &folded<Op, std::int64_t>;
    f.folds_numbers = requires { &Op::fold; } || requires { Op::folds; };
    f.folds_integers = requires { Op::folds; };
    return f;
}

template <class... Op> struct table_of;
template <class... Op> struct table_of<type_list<Op...>> {
    operator_facts at[sizeof...(Op)]{facts_about<Op>()...};
    static constexpr fold_facts folds[sizeof...(Op)]{fold_of<Op>()...};
};
inline constexpr table_of<operators> operator_table{};
static_assert(code<op::copy> == 0, "a node that applies no operator carries the number of copy");

/// The facts of operator `fn`: of the table, or of the operators that a function brings along, which are numbered after it.
constexpr const operator_facts& facts_of(int fn, const operator_facts* const* own) {
    return fn < operators::size ? operator_table.at[fn] : *own[fn - operators::size];
}

/// Those of an operator of the table.
constexpr const operator_facts& facts_of(int fn) { return operator_table.at[fn]; }

template <class... R> constexpr auto names_of(type_list<R...>) {
    return std::array<std::string_view, sizeof...(R)>{R::name...};
}
inline constexpr auto reduction_names = names_of(reductions{});

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
