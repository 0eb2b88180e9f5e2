// SPDX-License-Identifier: MIT
// Every operator of the table that has a derivative, forward and backward: the same numbers, and so for the second derivative, which one way
// is the derivative of a gradient, and the other way a gradient that moves along a direction.
#ifndef CROTON_TESTS_AUTODIFF_MODES_HPP
#define CROTON_TESTS_AUTODIFF_MODES_HPP

#include "../ops/elementwise_grad.hpp"

namespace modes {

using namespace croton;

template <class Op> constexpr auto both_ways(const auto& y, const auto& u, const auto& v, const auto&... x) {
    const auto along = [&](const auto& of, const auto& direction) { return (... + jvp(of, x, direction)); };
    const auto back = (... + vjp(y, x, u));
    return outputs(along(y, u) - back, along(back, v) - (... + grad(sum(back * v), x)));
}

template <class Op, int Arity = Op::arity> struct program;
template <class Op> struct program<Op, 1> {
    constexpr auto operator()(vector<double> u, vector<double> v, vector<double> a) const {
        return both_ways<Op>(detail::elementwise<Op>(a), u, v, a);
    }
};
template <class Op> struct program<Op, 2> {
    constexpr auto operator()(vector<double> u, vector<double> v, vector<double> a, vector<double> b) const {
        return both_ways<Op>(detail::elementwise<Op>(a, b), u, v, a, b);
    }
};
template <class Op> struct program<Op, 3> {
    constexpr auto operator()(vector<double> u, vector<double> v, vector<double> a, vector<double> b, vector<double> c) const {
        if constexpr (std::is_same_v<Op, op::where>) return both_ways<Op>(where(u < v, a, b + c), u, v, a, b, c);
        else return both_ways<Op>(detail::elementwise<Op>(a, b, c), u, v, a, b, c);
    }
};

template <class Op> void check() {
    INFO("operator " << Op::name);
    support::numbers random(11);
    const auto next = [&](double low, double high) { return random.fill<double, 1>({9}, low, high); };
    const auto u = next(-2, 2), v = next(-2, 2), a = next(Op::low, Op::high), b = next(Op::low, Op::high), c = next(Op::low, Op::high);
    auto f = function<cpu>(program<Op>());
    const auto [first, second] = [&] {
        if constexpr (Op::arity == 1) return f(u, v, a);
        else if constexpr (Op::arity == 2) return f(u, v, a, b);
        else return f(u, v, a, b, c);
    }();
    for (int i = 0; i < 9; ++i) {
        CHECK(first(i) == doctest::Approx(0).epsilon(1e-10));
        CHECK(second(i) == doctest::Approx(0).epsilon(1e-9));
    }
}

}  // namespace modes

#endif
