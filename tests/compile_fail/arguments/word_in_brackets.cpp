// error: sum takes the axes in angle brackets, and nothing else: sum<0>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x) { return sum<0>(x, keepdims); });
#else
    auto f = function<cpu>([](matrix<float> x) { return sum<0, keepdims>(x); });
#endif
}
