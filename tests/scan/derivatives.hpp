// SPDX-License-Identifier: MIT
// A number with its first and second derivatives, and loops beside the same turns written out.
#ifndef CROTON_TESTS_SCAN_DERIVATIVES_HPP
#define CROTON_TESTS_SCAN_DERIVATIVES_HPP

#include "scan/close.hpp"

namespace test {

using namespace croton;

template <class C, class... P> constexpr auto with_derivatives(const C& cost, const P&... p) {
    auto gradients = std::tuple{grad(cost, p)...};
    auto size = std::apply([](const auto&... g) { return (sum(g * g) + ...); }, gradients);
    return std::tuple_cat(std::tuple(cost), gradients, std::tuple{grad(size, p)...});
}

/// A loop gives what its turns give written out, which run as they were written, without rewrites.
template <class F, class E, class... X> void check_loops(F looped, const E& expected, const X&... x) {
    check_all(function<cpu>(looped)(x...), expected);
    check_all(function<reference>(looped)(x...), expected);
}

}  // namespace test

#endif
