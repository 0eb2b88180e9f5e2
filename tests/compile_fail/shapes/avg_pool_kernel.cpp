// error: avg_pool2d: it needs the extents of its windows, as in {.kernel = 2}
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, dynamic, 3, 6, 4> x) { return avg_pool2d(x, {.kernel = 2, .padding = 1}); });
#else
    auto f = function<cpu>([](tensor<float, dynamic, 3, 6, 4> x) { return avg_pool2d(x, {.padding = 1}); });
#endif
}
