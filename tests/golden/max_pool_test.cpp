// SPDX-License-Identifier: MIT
#include "golden/pooling.hpp"

using namespace croton;
using namespace pooling;

TEST_CASE("windows beside each other, of static extents") {
    check_max<cpu, tensor<double, 2, 3, 4, 6>>("plain", [](const auto& x) {
        return std::tuple(max_pool2d(x, {.kernel = 2}), std::get<1>(max_pool2d_with_indices(x, {.kernel = 2, .stride = 2})));
    });
}

TEST_CASE("windows beside each other, and a rest") {
    check_max<cpu, image>("rest", [](const auto& x) { return std::tuple(max_pool2d(x, {.kernel = 2}), std::get<1>(max_pool2d_with_indices(x, {.kernel = 2}))); });
}
