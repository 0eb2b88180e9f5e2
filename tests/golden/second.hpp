// SPDX-License-Identifier: MIT
// The second derivatives of each operator of one or two arguments at ordinary points, signed zeros, kinks, ties, ends of domains, infinities and NaN, beside mpmath's:
// values/second_derivatives.txt, by make_second.py. Once as the gradient of a gradient, and once as a gradient that moves along its argument.
#ifndef CROTON_TESTS_GOLDEN_SECOND_HPP
#define CROTON_TESTS_GOLDEN_SECOND_HPP

#include "golden/operators.hpp"
#include "ops/elementwise_grad.hpp"

namespace golden {

/// Both ways of one second derivative: by `x` of the slope `d`.
constexpr auto second_both_ways(const auto& d, const auto& x) { return std::tuple(grad(sum(d), x), jvp(d, x, ones_like(x))); }

template <class Op> struct second_of_one {
    constexpr auto operator()(vector<double> x) const { return second_both_ways(grad(sum(detail::elementwise<Op>(x)), x), x); }
};
template <class Op> struct second_of_two {
    constexpr auto operator()(vector<double, dim("n")> x, vector<double, dim("n")> y) const {
        auto [by_x, by_y] = grad(sum(detail::elementwise<Op>(x, y)), x, y);
        return std::tuple_cat(second_both_ways(by_x, x), second_both_ways(by_x, y), second_both_ways(by_y, y));
    }
};

/// At an infinity, and where the second derivative is infinite, it is what it goes to, though parts of its formula are 0 times infinity there.
inline bool same_second(double got, double want) {
    if (std::isnan(want)) return std::isnan(got);
    return got == want || std::fabs(got - want) <= 1e-11 * (1 + std::fabs(want));
}

template <class Op> void check_second() {
    const auto all = read_rows("second_derivatives.txt");
    const std::string name(Op::name);
    CAPTURE(name);
    REQUIRE(all.contains(name));
    const auto& given = all.at(Op::arity == 1 ? "unary" : "binary");
    const auto column = [&](const char* which) {
        const auto x = argument<double>(given, which);
        return array<double, 1>(x[0]);
    };
    const auto check = [&](const std::string& of, const std::string& way, const array<double, 1>& got) {
        const auto& want = all.at(name).at(of);
        REQUIRE(got.size() == static_cast<std::int64_t>(want.size()));
        for (std::int64_t i = 0; i < got.size(); ++i) {
            const auto k = static_cast<std::size_t>(i);
            const std::string at = given.at("x")[k] + (Op::arity == 1 ? "" : ", " + given.at("y")[k]);
            if (want[k] != "?") CHECK_MESSAGE(same_second(got(i), number<double>(want[k])), name, " ", of, " at ", at, way, " is ", got(i), " and not ", want[k]);
        }
    };
    if constexpr (Op::arity == 1) {
        const auto [backward, forward] = function<cpu>(second_of_one<Op>())(column("x"));
        check("xx", " backward", backward);
        check("xx", " forward", forward);
    } else {
        const auto [xx, xx_, xy, xy_, yy, yy_] = function<cpu>(second_of_two<Op>())(column("x"), column("y"));
        check("xx", " backward", xx);
        check("xx", " forward", xx_);
        check("xy", " backward", xy);
        check("xy", " forward", xy_);
        check("yy", " backward", yy);
        check("yy", " forward", yy_);
    }
}

/// Part `Part` of `Parts` of the operators of `Arity` arguments.
template <int Arity, int Part, int Parts> struct second_part {
    template <class Op> struct kept {
        static constexpr bool value = elementwise_grad::has_gradient<Op> && Op::arity == Arity && detail::code<Op> % Parts == Part;
    };
};

}  // namespace golden

#endif
