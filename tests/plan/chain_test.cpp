// SPDX-License-Identifier: MIT
// The gradient of a long chain takes as much for each link as that of a short one: a product that several values are made of
// is computed once, whatever number it is multiplied by.
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

}  // namespace

TEST_CASE("each link of a chain costs the same") {
    const int first = operations<2>(), second = operations<4>(), third = operations<6>();
    CHECK(second - first == third - second);
    // Forward a product, a sum and tanh; backward 1 - y^2, two products, and for each parameter a product or none, the
    // doubling and a sum.
    CHECK((third - second) / 2 <= 12);
}
