// SPDX-License-Identifier: MIT
// The gradient of a long chain takes as much for each link as that of a short one: a product that several values are made of
// is computed once, whatever number it is multiplied by.
#include <algorithm>

#include <doctest/doctest.h>

#include "plan/steps.hpp"

using namespace croton;
using plan_tests::plan_for;

namespace {

using V = croton::vector<float, dim("n")>;

template <int Links> inline constexpr auto chain = [](V w, V b, V h) {
    expr<float, 1> state = h;
    for (int i = 0; i < Links; ++i) state = tanh(w * state + b);
    // The derivative of a square brings the number 2, which every later product carries.
    auto [gw, gb] = grad(sum(sqr(state)), w, b);
    return outputs(gw, gb);
};

template <int Links> int operations() {
    int n = 0;
    for (const auto& i : plan_for(chain<Links>).instructions) n += i.what == detail::code_of::apply ? 1 : 0;
    return n;
}

/// The most operators of a loop.
template <int Links> int longest_loop() {
    const auto plan = plan_for(chain<Links>);
    int most = 0;
    for (const auto& s : plan.steps) {
        int n = 0;
        for (int i = 0; i < s.instruction_count; ++i) n += plan.instructions[s.instruction_from + i].what == detail::code_of::apply ? 1 : 0;
        most = std::max(most, n);
    }
    return most;
}

}  // namespace

TEST_CASE("each link of a chain costs the same") {
    const int first = operations<2>(), second = operations<4>(), third = operations<6>();
    CHECK(second - first == third - second);
    // Forward a product, a sum and tanh; backward 1 - y^2, two products, and for each parameter a product or none, the
    // doubling and a sum.
    CHECK((third - second) / 2 <= 12);
}

TEST_CASE("a chain that one loop takes is one, and what fills several is cut into short ones") {
    CHECK(longest_loop<7>() > 60);
    CHECK(longest_loop<60>() <= 28);

    auto fast = function<cpu>(chain<60>);
    auto slow = function<reference>(chain<60>);
    for (const int n : {0, 1, 7, 1000}) {
        array<float, 1> w(n), b(n), h(n);
        for (int i = 0; i < n; ++i) {
            w(i) = 0.9f + 0.01f * static_cast<float>(i % 17);
            b(i) = 0.1f * static_cast<float>(i % 5) - 0.2f;
            h(i) = 0.2f * static_cast<float>(i % 3);
        }
        auto [gw, gb] = fast(w, b, h);
        auto [ew, eb] = slow(w, b, h);
        CHECK(allclose(gw, ew, 1e-4, 1e-6));
        CHECK(allclose(gb, eb, 1e-4, 1e-6));
    }
}
