// error: slice: the step along axis 1 of argument 1 is 0
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x) { return x(slice(), slice(none, none, 2)); });
#else
    auto f = function<cpu>([](matrix<float> x) { return x(slice(), slice(none, none, 0)); });
#endif
}
