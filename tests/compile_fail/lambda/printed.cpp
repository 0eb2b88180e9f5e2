// error: an expression has no values to print while tracing; return it as an output, and print that
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

#include <iostream>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return x; });
#else
    auto f = function<cpu>([](vector<float> x) { std::cout << x; return x; });
#endif
}
