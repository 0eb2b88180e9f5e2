// error: max_pool2d: a window of 5 does not fit into argument 1, which has 4 elements along axis 3
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, dynamic, 3, 6, 4> x) { return max_pool2d(x, {.kernel = {5, 4}}); });
#else
    auto f = function<cpu>([](tensor<float, dynamic, 3, 6, 4> x) { return max_pool2d(x, {.kernel = 5}); });
#endif
}
