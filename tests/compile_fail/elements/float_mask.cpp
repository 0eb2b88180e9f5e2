// error: the mask of attention holds bools, true where a key is seen; compare first, as in mask > 0
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x, matrix<float> mask) { return attention(x, x, x, mask > 0); });
#else
    auto f = function<cpu>([](matrix<float> x, matrix<float> mask) { return attention(x, x, x, mask); });
#endif
}
