// error: reshape leaves at most one extent dynamic
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x) { return reshape<dynamic, 3>(x); });
#else
    auto f = function<cpu>([](matrix<float> x) { return reshape<dynamic, dynamic>(x); });
#endif
}
