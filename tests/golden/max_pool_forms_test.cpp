// SPDX-License-Identifier: MIT
#include "golden/pooling.hpp"

using namespace croton;
using namespace pooling;

TEST_CASE("windows that leave elements out") {
    check_max<reference, image>("apart", [](const auto& x) { return max_pool2d_with_indices(x, {.kernel = 2, .stride = 3}); });
}

TEST_CASE("dilated windows") {
    check_max<cpu, tensor<double, 1, 2, 7, 8>>("dilated", [](const auto& x) { return max_pool2d_with_indices(x, {.kernel = 3, .stride = 2, .padding = 1, .dilation = 2}); });
}

TEST_CASE("back to where they were") {
    golden::packed want("pooling_unpooled");
    const auto x = want.take<double, 4>(), v = want.take<double, 4>();
    const auto f = function<cpu>([](image a, image b) {
        const auto indices = std::get<1>(max_pool2d_with_indices(a, {.kernel = 2}));
        auto y = max_unpool2d(b, indices, {.kernel = 2});
        return std::tuple_cat(std::tuple(y), slopes(y, b));
    });
    want.check_near(f(x, v), 1e-13);
    want.done();
}
