// error: a pooling of whole images takes a batch, channels and the axes of images: [n,channels,height,width]
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, dynamic, 3, 6, 4> x) { return global_max_pool(x); });
#else
    auto f = function<cpu>([](matrix<float> x) { return global_max_pool(x); });
#endif
}
