// SPDX-License-Identifier: MIT
#include "golden/pooling.hpp"

using namespace croton;
using namespace pooling;

TEST_CASE("means without the padding") {
    check_means<cpu, image>("uncounted", [](const auto& x) { return avg_pool2d(x, {.kernel = 3, .stride = 2, .padding = 1, .count_padding = false}); });
}

TEST_CASE("means of lines and volumes") {
    check_means<cpu, tensor<double, dynamic, 3, dynamic>>("line", [](const auto& x) { return avg_pool1d(x, {.kernel = 3, .stride = 1, .padding = 1}); });
    check_means<cpu, tensor<double, 1, 2, 4, 5, 4>>("volume", [](const auto& x) { return avg_pool3d(x, {.kernel = 2}); });
}

TEST_CASE("whole images") {
    check<4>("global", function<cpu>([](image x) {
        auto most = global_max_pool(x);
        auto mean = global_avg_pool(x, keepdims);
        return std::tuple_cat(std::tuple(most), slopes(most, x), std::tuple(mean), slopes(mean, x));
    }));
}
