// error: max_unpool2d: argument 1 has extent 6 but argument 2 has extent 5 along axis 2
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, dynamic, 3, 6, 4> x, tensor<int, dynamic, 3, 6, 4> i) { return max_unpool2d(x, i, {.kernel = 2}); });
#else
    auto f = function<cpu>([](tensor<float, dynamic, 3, 6, 4> x, tensor<int, dynamic, 3, 5, 4> i) { return max_unpool2d(x, i, {.kernel = 2}); });
#endif
}
