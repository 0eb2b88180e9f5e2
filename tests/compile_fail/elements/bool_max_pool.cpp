// error: a pooling does not take bool; convert with cast<float>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, dynamic, 3, 6, 4> x) { return max_pool2d(x, {.kernel = 2}); });
#else
    auto f = function<cpu>([](tensor<bool, dynamic, 3, 6, 4> x) { return max_pool2d(x, {.kernel = 2}); });
#endif
}
