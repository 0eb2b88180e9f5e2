// SPDX-License-Identifier: MIT
// One check for every operator of the table that has a derivative: against finite differences, where the table says its
// arguments may lie, on views that lie differently.
#ifndef CROTON_TESTS_OPS_ELEMENTWISE_GRAD_HPP
#define CROTON_TESTS_OPS_ELEMENTWISE_GRAD_HPP

#include <doctest/doctest.h>

#include "support.hpp"

namespace elementwise_grad {

using namespace croton;

template <class Op, int Arity = Op::arity> struct program;
template <class Op> struct program<Op, 1> {
    constexpr auto operator()(matrix<double> a) const { return detail::elementwise<Op>(a); }
};
template <class Op> struct program<Op, 2> {
    constexpr auto operator()(matrix<double> a, matrix<double> b) const { return detail::elementwise<Op>(a, b); }
};
template <class Op> struct program<Op, 3> {
    constexpr auto operator()(matrix<double> a, matrix<double> b, matrix<double> c) const {
        return detail::elementwise<Op>(a, b, c);
    }
};
template <> struct program<op::where, 3> {
    constexpr auto operator()(matrix<bool> a, matrix<double> b, matrix<double> c) const { return where(a, b, c); }
};

// The first argument of polygamma is a whole number: it is checked as the second derivative of lgamma.
template <class Op> inline constexpr bool has_gradient = !std::is_same_v<Op, op::polygamma> && (
    Op::kind == op::typing::numeric || Op::kind == op::typing::floating || Op::kind == op::typing::any ||
    Op::kind == op::typing::selection);

template <class Op> void check() {
    INFO("operator " << Op::name);
    support::numbers random(7);
    using first = std::conditional_t<std::is_same_v<Op, op::where>, bool, double>;
    const auto a = random.fill<first, 2>({3, 7}, Op::low, Op::high);
    const auto b = random.fill<double, 2>({3, 7}, Op::low, Op::high),
               c = random.fill<double, 2>({3, 7}, Op::low, Op::high);
    const support::placed<first, 2> pa(a, support::layout::transposed);
    const support::placed<double, 2> pb(b, support::layout::reversed), pc(c, support::layout::stepped);
    const program<Op> f;
    if constexpr (Op::arity == 1) CHECK_NOTHROW(verify_grad(f, pa.get()));
    else if constexpr (Op::arity == 2) CHECK_NOTHROW(verify_grad(f, pa.get(), pb.get()));
    else CHECK_NOTHROW(verify_grad(f, pa.get(), pb.get(), pc.get()));
}

}  // namespace elementwise_grad

#endif
