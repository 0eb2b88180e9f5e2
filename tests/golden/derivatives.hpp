// SPDX-License-Identifier: MIT
// What JAX makes of derivatives, values/part_derivatives_*.npy by make_derivatives.py: everything that can be asked of y = f(x, w), and of a cost of y.
#ifndef CROTON_TESTS_GOLDEN_DERIVATIVES_HPP
#define CROTON_TESTS_GOLDEN_DERIVATIVES_HPP

#include "golden/packed.hpp"

namespace golden {

using m = matrix<double>;
using v = vector<double>;

/// `X`, `W` and `Y` declare x, w and y, and `F` is a lambda of x and w.
template <class X, class W, class Y, class F> void check_derivatives(const std::string& name, F, double tolerance) {
    constexpr int of_x = detail::rank_of<X>, of_w = detail::rank_of<W>, of_y = detail::rank_of<Y>;
    using many = expr<double, of_x + 1>;
    const auto derivatives = function<cpu>([](X x, W w, X vx, W vw, Y u, many xs) {
        const auto cost_of = [&](const auto& y) { return sum(u * sin(y)); };
        const auto y = F()(x, w);
        const auto cost = cost_of(y);
        const auto directions = std::tuple(vx, vw);
        auto [value, slopes] = value_and_grad(cost, x, w);
        auto [mapped, slope_of_each, jacobian_of_each] = vmap([&](const auto& each) {
            const auto own = F()(each, w);
            return std::tuple(own, grad(cost_of(own), each), jacobian(own, w));
        }, xs);
        return outputs(value, slopes, jvp(y, std::tuple(x, w), directions), vjp(y, std::tuple(x, w), u), jacobian(y, x, w), hessian(cost, x, w),
                       hvp(cost, std::tuple(x, w), directions), mapped, slope_of_each, jacobian_of_each);
    });
    CAPTURE(name);
    packed file("derivatives_" + name);
    const auto x = file.take<double, of_x>();
    const auto w = file.take<double, of_w>();
    const auto vx = file.take<double, of_x>();
    const auto vw = file.take<double, of_w>();
    const auto u = file.take<double, of_y>();
    const auto xs = file.take<double, of_x + 1>();
    file.check_near(derivatives(x, w, vx, vw, u, xs), tolerance);
    file.done();
}

}  // namespace golden

#endif
