// error: max_pool2d, avg_pool2d and max_unpool2d take images of 4 axes, [n,channels,height,width]; newaxis<0>(x) makes one image a batch
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, 3, 6, 4> x) { return max_pool2d(newaxis<0>(x), {.kernel = 2}); });
#else
    auto f = function<cpu>([](tensor<float, 3, 6, 4> x) { return max_pool2d(x, {.kernel = 2}); });
#endif
}
