// error: central_differences: axis 1 of argument 1 has extent 1, but a slope is one between 2 elements
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, 3, 2> x) { return central_differences<1>(x); });
#else
    auto f = function<cpu>([](matrix<float, 3, 1> x) { return central_differences<1>(x); });
#endif
}
