// SPDX-License-Identifier: MIT
// Derivatives of functions of spreads and gathered elements, beside JAX's: make_derivatives.py.
#include "golden/derivatives.hpp"

using namespace golden;

constexpr double tolerance = 1e-11;

TEST_CASE("derivatives of spreads") {
    check_derivatives<m, v, v>("spreads", [](auto x, auto w) {
        return var<1>(x, ddof(1)) * quantile<1>(x, 0.3) + logsumexp<1>(x * w) + max<1>(x) * prod<1>(x);
    }, tolerance);
}
TEST_CASE("derivatives of what is picked and added") {
    check_derivatives<m, tensor<double, 4>, v>("picked", [](auto x, auto w) {
        const auto rows = stack<0>(x(2), x(0), x(2));
        const auto places = where(arange<3>(w) < 2, 1, 3);
        return dot(softmax<1>(rows), add_at<0>(w, cast<int>(places), x(1, slice(0, 3))));
    }, tolerance);
}
