// SPDX-License-Identifier: MIT
// A small model, and the optimisers written out for plain numbers as the papers have them.
#ifndef CROTON_TESTS_OPTIM_OPTIM_HPP
#define CROTON_TESTS_OPTIM_OPTIM_HPP

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include <croton/croton.hpp>

namespace optim_check {

using namespace croton;

template <template <class, int> class A> struct dense {
    A<double, 2> weight;
    A<double, 1> bias;
};
template <template <class, int> class A> struct net {
    std::array<dense<A>, 2> layers;
    A<double, 0> gain;
};
using arrays = net<on<cpu>::array>;

inline arrays start() {
    arrays n{{dense<on<cpu>::array>{{{0.1, -0.2, 0.3}, {0.4, 0.5, -0.6}}, {0.1, 0.2, 0.3}},
              dense<on<cpu>::array>{{{0.5}, {-0.5}, {0.25}}, {0.05}}},
             {}};
    n.gain = 1.5;
    return n;
}
inline const array<double, 2> input{{1, 2}, {-1, 0.5}, {0, 1}, {2, -1}};
inline const array<double, 2> target{{1}, {0}, {0.5}, {-1}};

/// The cost that is trained, as expressions.
constexpr auto cost_of(const auto& x, const auto& y, const auto& n) {
    const auto hidden = tanh(dot(x, n.layers[0].weight) + n.layers[0].bias);
    return mean(sqr(n.gain * (dot(hidden, n.layers[1].weight) + n.layers[1].bias) - y));
}

/// All numbers of a model in order.
inline std::vector<double> flat(const arrays& n) {
    std::vector<double> all;
    detail::for_each_leaf(n, [&](const auto& a) { all.insert(all.end(), a.data(), a.data() + a.size()); });
    return all;
}

/// Its gradient by the function that only differentiates.
inline std::vector<double> gradient_at(const arrays& n) {
    static auto f = function<reference>(
        [](matrix<double> x, matrix<double> y, net<symbol> model) { return grad(cost_of(x, y, model), model); });
    return flat(f(input, target, n));
}

inline void check_equal(const std::vector<double>& got, const std::vector<double>& wanted) {
    REQUIRE(got.size() == wanted.size());
    double worst = 0;
    for (std::size_t i = 0; i < got.size(); ++i) worst = std::max(worst, std::fabs(got[i] - wanted[i]));
    CHECK(worst < 1e-13);
}

}  // namespace optim_check

#endif
