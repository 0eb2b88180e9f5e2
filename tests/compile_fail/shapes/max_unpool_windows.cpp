// error: max_unpool2d: it needs the windows in numbers, as in {.kernel = 2}, or an image whose extents the result has, as in max_unpool2d(y, indices, x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, dynamic, 3, 6, 4> x, tensor<int, dynamic, 3, 6, 4> i) { return max_unpool2d(x, i, {.kernel = 2}); });
#else
    auto f = function<cpu>([](tensor<float, dynamic, 3, 6, 4> x, tensor<int, dynamic, 3, 6, 4> i) { return max_unpool2d(x, i, {.kernel = 2, .padding = "same"}); });
#endif
}
