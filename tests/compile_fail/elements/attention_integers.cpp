// error: attention takes float or double; convert with cast<float>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<int> x, matrix<float> v) { return attention(cast<float>(x), cast<float>(x), v); });
#else
    auto f = function<cpu>([](matrix<int> x, matrix<float> v) { return attention(x, x, v); });
#endif
}
