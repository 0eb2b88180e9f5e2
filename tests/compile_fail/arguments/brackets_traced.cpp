// error: exp(x) takes nothing in angle brackets
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x) { return exp(x); });
#else
    auto f = function<cpu>([](matrix<float> x) { return exp<0>(x); });
#endif
}
