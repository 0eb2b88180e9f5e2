// SPDX-License-Identifier: MIT
#include "golden/pooling.hpp"

using namespace croton;
using namespace pooling;

TEST_CASE("means of windows beside each other, of static extents") {
    check_means<cpu, tensor<double, 2, 3, 4, 6>>("plain", [](const auto& x) { return avg_pool2d(x, {.kernel = 2}); });
}

TEST_CASE("means, and a rest") {
    check_means<reference, image>("rest", [](const auto& x) { return avg_pool2d(x, {.kernel = {2, 3}}); });
}
