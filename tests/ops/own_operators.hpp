// SPDX-License-Identifier: MIT
// Structs of a user that tests on several devices make operators of.
#ifndef CROTON_TESTS_OPS_OWN_OPERATORS_HPP
#define CROTON_TESTS_OPS_OWN_OPERATORS_HPP

#include <array>
#include <cmath>
#include <string_view>

#include <croton/croton.hpp>

namespace own_operators {

/// A template: called with lanes.
struct gaussian {
    static constexpr std::string_view name = "gaussian";
    template <class V> CROTON_HD static V value(V x) {
        using std::exp;
        return exp(-x * x);
    }
    template <class N> static constexpr auto pull(N g, N y, N x) { return std::array{-2 * g * x * y}; }
};

/// Functions of numbers: called lane by lane.
struct mixture {
    static constexpr std::string_view name = "mixture";
    CROTON_HD static float value(float a, float b, float t) { return a + t * (b - a); }
    template <class N> static constexpr auto pull(N g, N, N a, N b, N t) { return std::array{g * (1 - t), g * t, g * (b - a)}; }
};
struct near {
    static constexpr std::string_view name = "near";
    CROTON_HD static bool value(float a, float b) { return a - b < 0.25f && b - a < 0.25f; }
};

}  // namespace own_operators

#endif
