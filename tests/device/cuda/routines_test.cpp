// SPDX-License-Identifier: MIT
// Routines on emulated blocks, also with more rows than threads.
#include "device/emulated_cuda.hpp"
#include "ops/along.hpp"

using namespace croton;

namespace {

constexpr auto cumulated = [](matrix<float> x) {
    auto y = cumsum<0>(x);
    return outputs(y, cumprod<1>(x + 1), grad(sum(sqr(y)), x));
};

template <class Device> void check_cumulated() {
    const auto f = function<Device>(cumulated);
    const auto g = function<reference>(cumulated);
    for (const auto& extents : {extents_of<2>{300, 200}, {200, 3}, {1, 1}, {0, 4}}) {
        const auto x = support::numbers(3).fill<float, 2>(extents, -1, 1);
        const auto [a, b, c] = f(x);
        const auto [ra, rb, rc] = g(x);
        along::check_same<float, 2>(a.template to<cpu>(), ra);
        along::check_same<float, 2>(b.template to<cpu>(), rb);
        along::check_same<float, 2>(c.template to<cpu>(), rc);
    }
}

}  // namespace

TEST_CASE("cumulative sums") { check_cumulated<emulated_gpu>(); }
