// SPDX-License-Identifier: MIT
// The first and second derivatives of each operator of one or two arguments at ordinary points, signed zeros, kinks, ties, ends of domains, infinities and NaN, beside mpmath's:
// values/second_derivatives.txt, by make_second.py. Each backward and forward, which are the same also where there is no limit to compare with: the second ones as the gradient of
// a gradient, and as a gradient that moves along its argument. Operators are taken from the table: of one without a row the test fails.
#ifndef CROTON_TESTS_GOLDEN_SECOND_HPP
#define CROTON_TESTS_GOLDEN_SECOND_HPP

#include <array>
#include <string>
#include <tuple>

#include "golden/operators.hpp"
#include "ops/elementwise_grad.hpp"

namespace golden {

/// Both ways of one derivative: of `y` by `x`.
constexpr auto both_ways(const auto& y, const auto& x) { return std::tuple(grad(sum(y), x), jvp(y, x, ones_like(x))); }

template <class Op> struct second_of_one {
    static constexpr std::array of{"x", "xx"};
    constexpr auto operator()(vector<double> x) const {
        const auto y = detail::elementwise<Op>(x);
        return std::tuple_cat(both_ways(y, x), both_ways(grad(sum(y), x), x));
    }
};
template <class Op> struct second_of_two {
    static constexpr std::array of{"x", "y", "xx", "xy", "xy", "yy"};
    constexpr auto operator()(vector<double, dim("n")> x, vector<double, dim("n")> y) const {
        const auto z = detail::elementwise<Op>(x, y);
        const auto [by_x, by_y] = grad(sum(z), x, y);
        return std::tuple_cat(both_ways(z, x), both_ways(z, y), both_ways(by_x, x), both_ways(by_x, y), both_ways(by_y, x), both_ways(by_y, y));
    }
};
/// What has no derivative for its first argument, an order.
template <class Op> struct second_of_order {
    static constexpr std::array of{"y", "yy"};
    constexpr auto operator()(vector<double, dim("n")> n, vector<double, dim("n")> x) const {
        const auto y = detail::elementwise<Op>(n, x);
        return std::tuple_cat(both_ways(y, x), both_ways(grad(sum(y), x), x));
    }
};
template <class Op> inline constexpr bool has_order = std::is_same_v<Op, op::polygamma>;

/// At an infinity, and where a derivative is infinite, it is what it goes to, though parts of its formula are 0 times infinity there.
inline bool same_derivative(double got, double want, double floor = 1) {
    if (std::isnan(want)) return std::isnan(got);
    return got == want || std::fabs(got - want) <= 1e-11 * (floor + std::fabs(want));
}

template <class Op> void check_second() {
    const auto all = read_rows("second_derivatives.txt");
    const std::string name(Op::name);
    CAPTURE(name);
    REQUIRE(all.contains(name));
    const auto& given = all.at(Op::arity == 1 ? "unary" : has_order<Op> ? "orders" : "binary");
    const auto column = [&](const char* which) {
        const auto x = argument<double>(given, which);
        return array<double, 1>(x[0]);
    };
    const auto check = [&](const std::string& of, const array<double, 1>& backward, const array<double, 1>& forward) {
        const auto& want = all.at(name).at(of);
        REQUIRE(backward.size() == static_cast<std::int64_t>(want.size()));
        for (std::int64_t i = 0; i < backward.size(); ++i) {
            const auto k = static_cast<std::size_t>(i);
            const std::string at = given.at("x")[k] + (Op::arity == 1 ? "" : ", " + given.at("y")[k]);
            const bool said = want[k] != "?";
            const double wanted = said ? number<double>(want[k]) : forward(i);
            CHECK_MESSAGE(same_derivative(backward(i), wanted, has_order<Op> ? 0 : 1), name, " ", of, " at ", at, " backward is ", backward(i), " and not ", said ? want[k] : "what it is forward", ": ", wanted);
            if (said) CHECK_MESSAGE(same_derivative(forward(i), wanted, has_order<Op> ? 0 : 1), name, " ", of, " at ", at, " forward is ", forward(i), " and not ", want[k]);
        }
    };
    const auto check_of = [&]<class P>(P program) {
        const auto f = function<cpu>(program);
        const auto got = [&] {
            if constexpr (Op::arity == 1) return f(column("x"));
            else return f(column("x"), column("y"));
        }();
        [&]<std::size_t... I>(std::index_sequence<I...>) { (check(P::of[I], std::get<2 * I>(got), std::get<2 * I + 1>(got)), ...); }(std::make_index_sequence<P::of.size()>());
    };
    if constexpr (Op::arity == 1) check_of(second_of_one<Op>());
    else if constexpr (has_order<Op>) check_of(second_of_order<Op>());
    else check_of(second_of_two<Op>());
}

/// Part `Part` of `Parts` of the operators of `Arity` arguments.
template <int Arity, int Part, int Parts> struct second_part {
    template <class Op> struct kept {
        static constexpr bool value = (elementwise_grad::has_gradient<Op> || has_order<Op>) && Op::arity == Arity && detail::code<Op> % Parts == Part;
    };
};

}  // namespace golden

#endif
