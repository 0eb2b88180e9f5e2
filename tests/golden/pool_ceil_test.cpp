// SPDX-License-Identifier: MIT
#include "golden/pooling.hpp"

using namespace croton;
using namespace pooling;

TEST_CASE("windows that reach beyond an image") {
    check_max<cpu, image>("ceil", [](const auto& x) { return max_pool2d_with_indices(x, {.kernel = 3, .stride = 2, .ceil_mode = true}); });
    check_max<reference, image>("ceil_padded", [](const auto& x) {
        return max_pool2d_with_indices(x, {.kernel = {2, 3}, .stride = 3, .padding = 1, .dilation = {2, 1}, .ceil_mode = true});
    });
}

TEST_CASE("means of windows that reach beyond an image") {
    check_means<cpu, image>("ceil", [](const auto& x) { return avg_pool2d(x, {.kernel = 3, .stride = 2, .padding = 1, .ceil_mode = true}); });
    check_means<cpu, image>("ceil_uncounted", [](const auto& x) {
        return avg_pool2d(x, {.kernel = {3, 4}, .stride = {2, 3}, .padding = 1, .count_padding = false, .ceil_mode = true});
    });
    check_means<reference, tensor<double, 2, 1, 7, 8>>("ceil_apart", [](const auto& x) { return avg_pool2d(x, {.kernel = 2, .stride = 3, .padding = {1, 0}, .ceil_mode = true}); });
    check_means<cpu, tensor<double, dynamic, 3, dynamic>>("ceil_line", [](const auto& x) { return avg_pool1d(x, {.kernel = 5, .stride = 4, .padding = 2, .ceil_mode = true}); });
}
