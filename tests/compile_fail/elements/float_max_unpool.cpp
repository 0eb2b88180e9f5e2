// error: max_unpool takes elements and, for each, the whole number that max_pool2d_with_indices gave
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, dynamic, 3, 6, 4> x, tensor<int, dynamic, 3, 6, 4> i) { return max_unpool2d(x, i, {.kernel = 2}); });
#else
    auto f = function<cpu>([](tensor<float, dynamic, 3, 6, 4> x) { return max_unpool2d(x, x, {.kernel = 2}); });
#endif
}
