// error: a function runs on the device in its angle brackets, as in function<cpu>; cuda is one where nvcc compiles the program
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x) { return sum(x); });
#else
    auto f = function<float>([](matrix<float> x) { return sum(x); });
#endif
}
