// SPDX-License-Identifier: MIT
#include "golden/pooling.hpp"

using namespace croton;
using namespace pooling;

TEST_CASE("kernels and paddings that differ by axis, channels last") {
    check_max<cpu, image>("by_one", [](const auto& x) {
        auto [y, indices] = max_pool2d_with_indices<nhwc>(moveaxis<1, -1>(x), {.kernel = {2, 3}, .stride = 1, .padding = {1, 0}});
        return std::tuple(moveaxis<-1, 1>(y), moveaxis<-1, 1>(indices));
    });
}

TEST_CASE("lines") {
    check_max<cpu, tensor<double, dynamic, 3, dynamic>>("line", [](const auto& x) { return max_pool1d_with_indices(x, {.kernel = 3, .stride = 2, .padding = 1}); });
}

TEST_CASE("volumes") {
    check_max<cpu, tensor<double, dynamic, dynamic, dynamic, dynamic, dynamic>>("volume", [](const auto& x) {
        return std::tuple(max_pool3d(x, {.kernel = 2}), std::get<1>(max_pool3d_with_indices(x, {.kernel = 2})));
    });
}
