// error: mean takes axes in angle brackets, and no type; what it is given is converted first, as in mean(cast<double>(x))
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x) { return mean<0>(cast<double>(x)); });
#else
    auto f = function<cpu>([](matrix<float> x) { return mean<double>(x); });
#endif
}
