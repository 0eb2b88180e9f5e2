// SPDX-License-Identifier: MIT
// Loops whose blocks are so long that one copy of them does for runs and for sums along columns.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "ops/support.hpp"

using namespace croton;

namespace {

// Sums along columns, of all axes and of runs, of what lies as the loop goes and of what does not.
constexpr auto gates = [](tensor<float, dim("t"), dim("r"), dim("c")> x, tensor<float, dim("t"), dim("r"), dim("c")> y, matrix<float, dim("r"), dim("c")> w,
                          vector<float, dim("c")> b, vector<float, dim("t")> a) {
    auto c = sigmoid(x + b) * y + sigmoid(x + w) * tanh(y * b) + reshape<dim("t"), 1, 1>(a) * x;
    auto h = sigmoid(y + b) * tanh(c) + exp(-c * c);
    auto [gw, gb, ga] = grad(sum(h * h), w, b, a);
    return outputs(gw, gb, ga, sum<0>(sum<0>(h * x)), sum<1>(h), sum<0>(y * c));
};

template <class A, class B> void check_same(const A& is, const B& wanted) {
    REQUIRE(is.size() == wanted.size());
    float most = 0;
    for (auto i = is.begin(), j = wanted.begin(); i != is.end(); ++i, ++j) most = std::max(most, std::fabs(*i - *j) / (1 + std::fabs(*j)));
    CHECK(most < 3e-5f);
}

}  // namespace

TEST_CASE("sums along columns of a long block") {
    const auto f = function<cpu>(gates);
    const auto g = function<reference>(gates);
    const int shapes[][3] = {{1, 1, 1}, {1, 3, 2}, {2, 5, 4}, {3, 1, 7}, {2, 300, 5}, {3, 4, 33}, {1, 140, 16}, {5, 2, 600}, {2, 150, 900}, {1, 20, 2500}};
    for (const auto& shape : shapes) {
        const int t = shape[0], r = shape[1], c = shape[2];
        CAPTURE(t);
        CAPTURE(r);
        CAPTURE(c);
        const auto x = support::numbers(1).fill<float, 3>({t, r, c}), y = support::numbers(2).fill<float, 3>({t, r, c});
        const auto w = support::numbers(3).fill<float, 2>({r, c});
        const auto b = support::numbers(4).fill<float, 1>({c}), a = support::numbers(5).fill<float, 1>({t});
        const auto wanted = g(x, y, w, b, a);
        const auto same = [&](const auto& results) {
            check_same(std::get<0>(results), std::get<0>(wanted));
            check_same(std::get<1>(results), std::get<1>(wanted));
            check_same(std::get<2>(results), std::get<2>(wanted));
            check_same(std::get<3>(results), std::get<3>(wanted));
            check_same(std::get<4>(results), std::get<4>(wanted));
            check_same(std::get<5>(results), std::get<5>(wanted));
        };
        same(f(x, y, w, b, a));
        const auto stepped = support::placed<float, 3>(x, support::layout::stepped);
        same(f(stepped.get(), y, w, b, a));
    }
}
