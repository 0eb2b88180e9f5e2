// SPDX-License-Identifier: MIT
// The elementwise operators: everything about one is said in its struct and nowhere else. Here is arithmetic.
#ifndef CROTON_GRAPH_OPERATORS_HPP
#define CROTON_GRAPH_OPERATORS_HPP

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include <croton/config.hpp>
#include <croton/core/literals.hpp>
#include <croton/graph/finite.hpp>
#include <croton/kernel/kernel.hpp>

namespace croton::inline v0_1 {

/// The operators. Each is a struct on `unary`, `binary` or `ternary` of its kind, with
///   name         the NumPy name
///   value        the operator on one number or on lanes of them (V), through functions found by argument-dependent lookup
///   pull         the cotangents of the arguments from the cotangent g and the result y, as nodes (N);
///                N() where there is none. Of kinds without derivatives (`has_derivative`) there is no such function.
/// and, where it is so,
///   sign         the infix sign
///   low, high    where tests draw their arguments from, if not between -4 and 4
///   commutes       the arguments may change places
///   folds          of numbers that are known while compiling it is a number: `value`, or `fold` for what is not an integer,
///                  which is `unknown` where that takes a mathematical library: the run does it, once
///   is_cheap       of single numbers it is computed wherever it is read, and never stored
///   ends_products  products of matrices may apply it to each element before they store it
namespace op {

using detail::finite;

/// Which element types an operator takes and gives.
enum class typing : std::uint8_t {
    numeric,     // number -> the same type; not bool
    floating,    // float or double -> the same type
    comparison,  // any -> bool
    logical,     // bool -> bool
    integral,    // integers -> the same type; not bool
    selection,   // (bool, any, any) -> any
    any,         // anything -> the same type
    drawn,       // (a position, a key, a counter) -> what its struct says
};

/// Truth values, bits and what is drawn have no derivative.
constexpr bool has_derivative(typing kind) { return kind != typing::comparison && kind != typing::logical && kind != typing::integral && kind != typing::drawn; }

/// What an operator is where it says nothing else.
template <int Arity, typing Kind> struct entry {
    static constexpr std::string_view sign = ""sv;
    static constexpr int arity = Arity;
    static constexpr typing kind = Kind;
    static constexpr double low = -4, high = 4;
};
template <typing Kind> using unary = entry<1, Kind>;
template <typing Kind> using binary = entry<2, Kind>;
template <typing Kind> using ternary = entry<3, Kind>;

/// The node of operator `Op` on nodes: what `pull` makes where N has no operator or function for it.
template <class Op, class N, class... More> constexpr N made(N a, More... more) { return N::template make<Op>(a, more...); }

template <class N> using cotangents1 = std::array<N, 1>;
template <class N> using cotangents2 = std::array<N, 2>;
template <class N> using cotangents3 = std::array<N, 3>;

inline constexpr double infinity = std::numeric_limits<double>::infinity();
/// The square of x from where e^(-x^2 / 2) is 0 in every element type.
inline constexpr double far_squared = 1600;

struct copy : unary<typing::any> {
    static constexpr std::string_view name = "copy"sv;
    static constexpr bool folds = true, is_cheap = true;
    template <class V> CROTON_INLINE CROTON_HD static constexpr V value(V x) { return x; }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N) { return {g}; }
};

struct add : binary<typing::numeric> {
    static constexpr std::string_view name = "add"sv, sign = "+"sv;
    static constexpr bool commutes = true, folds = true, is_cheap = true;
    template <class V> CROTON_INLINE CROTON_HD static constexpr V value(V a, V b) { return kernel::plus(a, b); }
    static constexpr double fold(double a, double b) { return finite::plus(a, b); }
    template <class N> static constexpr cotangents2<N> pull(N g, N, N, N) { return {g, g}; }
};

struct subtract : binary<typing::numeric> {
    static constexpr std::string_view name = "subtract"sv, sign = "-"sv;
    static constexpr bool folds = true, is_cheap = true;
    template <class V> CROTON_INLINE CROTON_HD static constexpr V value(V a, V b) { return kernel::minus(a, b); }
    static constexpr double fold(double a, double b) { return finite::plus(a, -b); }
    template <class N> static constexpr cotangents2<N> pull(N g, N, N, N) { return {g, -g}; }
};

struct multiply : binary<typing::numeric> {
    static constexpr std::string_view name = "multiply"sv, sign = "*"sv;
    static constexpr bool commutes = true, folds = true, is_cheap = true;
    template <class V> CROTON_INLINE CROTON_HD static constexpr V value(V a, V b) { return kernel::times(a, b); }
    static constexpr double fold(double a, double b) { return finite::exactly_zero(finite::times(a, b), a == 0 || b == 0); }
    template <class N> static constexpr cotangents2<N> pull(N g, N, N a, N b) { return {g * b, g * a}; }
};

struct divide : binary<typing::numeric> {
    static constexpr std::string_view name = "divide"sv, sign = "/"sv;
    static constexpr double low = 0.25, high = 4;
    static constexpr bool folds = true, is_cheap = true;
    template <class V> CROTON_INLINE CROTON_HD static constexpr V value(V a, V b) { return kernel::quotient(a, b); }
    static constexpr double fold(double a, double b) { return b == 0 ? finite::unknown : finite::exactly_zero(finite::over(a, b), a == 0); }
    template <class N> static constexpr cotangents2<N> pull(N g, N y, N, N b) { return {g / b, -(g * y / b)}; }
};

struct negative : unary<typing::numeric> {
    static constexpr std::string_view name = "negative"sv, sign = "-"sv;
    static constexpr bool folds = true, is_cheap = true;
    template <class V> CROTON_INLINE CROTON_HD static constexpr V value(V x) { return kernel::minus(x); }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N) { return {-g}; }
};

struct absolute : unary<typing::numeric> {
    static constexpr std::string_view name = "abs"sv;
    static constexpr bool folds = true;
    template <class V> CROTON_INLINE CROTON_HD static constexpr V value(V x) {
        using std::abs;
        if constexpr (std::is_unsigned_v<V>) return x;
        else if constexpr (std::is_integral_v<V>) return x < 0 ? kernel::minus(x) : x;
        else return abs(x);
    }
    static constexpr double fold(double x, double) { return finite::magnitude(x); }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) { return {g * sign_of(x)}; }
};

/// -1, 0 or 1; NaN stays NaN, and -0 becomes 0.
struct sign_ : unary<typing::numeric> {
    static constexpr std::string_view name = "sign"sv;
    template <class V> CROTON_HD static V value(V x) {
        using kernel::select;
        if constexpr (std::is_unsigned_v<kernel::lane_type<V>>) return select(x > kernel::constant<V>(0), kernel::constant<V>(1), x);
        else return select(x > kernel::constant<V>(0), kernel::constant<V>(1), select(x < kernel::constant<V>(0), kernel::constant<V>(-1), kernel::plus(x, kernel::constant<V>(0))));
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N) { return {g * 0}; }
};

struct square : unary<typing::numeric> {
    static constexpr std::string_view name = "sqr"sv;
    static constexpr bool folds = true;
    template <class V> CROTON_INLINE CROTON_HD static constexpr V value(V x) { return kernel::times(x, x); }
    static constexpr double fold(double x, double) { return finite::exactly_zero(finite::times(x, x), x == 0); }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) { return {g * 2 * x}; }
};

/// max(x, 0); NaN stays NaN. The derivative at 0 is 0.
struct relu : unary<typing::numeric> {
    static constexpr std::string_view name = "relu"sv;
    static constexpr bool folds = true, ends_products = true;
    template <class V> CROTON_HD static constexpr V value(V x) {
        using kernel::select;
        return select(x < kernel::constant<V>(0), kernel::constant<V>(0), x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N y, N) { return {where_of(y > 0, g, g * 0)}; }
};

}  // namespace op

}  // namespace croton::inline v0_1

#endif
