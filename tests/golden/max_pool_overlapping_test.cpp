// SPDX-License-Identifier: MIT
#include "golden/pooling.hpp"

using namespace croton;
using namespace pooling;

TEST_CASE("windows that overlap") {
    check_max<cpu, image>("overlapping", [](const auto& x) { return max_pool2d_with_indices(x, {.kernel = 3, .stride = 2}); });
}

TEST_CASE("padded images") {
    check_max<cpu, image>("padded", [](const auto& x) {
        return std::tuple(max_pool2d(x, {.kernel = 3, .stride = 2, .padding = 1}), std::get<1>(max_pool2d_with_indices(x, {.kernel = 3, .stride = 2, .padding = 1})));
    });
}
