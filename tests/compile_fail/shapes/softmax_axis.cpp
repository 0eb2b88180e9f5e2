// error: there is no axis 3: the argument has 2 axes
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x) { return softmax<0>(x); });
#else
    auto f = function<cpu>([](matrix<float> x) { return softmax<3>(x); });
#endif
}
