// SPDX-License-Identifier: MIT
#include "golden/pooling.hpp"

using namespace croton;
using namespace pooling;

TEST_CASE("means of windows that overlap, channels last") {
    check_means<cpu, image>("overlapping", [](const auto& x) { return moveaxis<-1, 1>(avg_pool2d<nhwc>(moveaxis<1, -1>(x), {.kernel = 3, .stride = 2})); });
}

TEST_CASE("means of padded images") {
    check_means<cpu, image>("padded", [](const auto& x) { return avg_pool2d(x, {.kernel = 3, .stride = 2, .padding = 1}); });
}
