// error: argument 2 of pad(x, 1) must be a whole number, but is another
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x) { return pad(x, 2); });
#else
    auto f = function<cpu>([](matrix<float> x) { return pad(x, 2.5); });
#endif
}
