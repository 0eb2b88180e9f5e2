// SPDX-License-Identifier: MIT
// Routines on emulated blocks, also with more rows than threads.
#include "device/emulated_cuda.hpp"
#include "ops/along.hpp"

using namespace croton;

namespace {

constexpr auto cumulated = [](matrix<float> x) {
    auto y = cumsum<0>(x);
    return outputs(y, cumprod<1>(x + 1), grad(sum(sqr(y) + cummax<0>(x)), x));
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

constexpr auto ordered = [](matrix<double> x, vector<double> v) {
    const auto [largest, places] = topk<2, 1>(x);
    return outputs(sort<0>(x), argsort<1>(x), largest, grad(sum(sqr(sort<1>(x)) * x), x), searchsorted(v, x));
};

}  // namespace

TEST_CASE("sorting") {
    const auto f = function<emulated_gpu>(ordered);
    const auto g = function<reference>(ordered);
    for (const auto& extents : {extents_of<2>{150, 7}, {2, 90}}) {
        auto x = support::numbers(3).fill<double, 2>(extents, -1, 1);
        x(1, 1) = std::numeric_limits<double>::quiet_NaN();
        const array<double, 1> v{-0.5, 0, 0.25, 0.5};
        const auto [a, b, c, d, e] = f(x, v);
        const auto [ra, rb, rc, rd, re] = g(x, v);
        along::check_same<double, 2>(a.to<cpu>(), ra);
        along::check_same<std::int64_t, 2>(b.to<cpu>(), rb);
        along::check_same<double, 2>(c.to<cpu>(), rc);
        along::check_same<double, 2>(d.to<cpu>(), rd);
        along::check_same<std::int64_t, 2>(e.to<cpu>(), re);
    }
}

TEST_CASE("cumulative sums") { check_cumulated<emulated_gpu>(); }
