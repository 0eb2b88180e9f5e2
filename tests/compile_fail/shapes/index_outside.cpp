// error: index 3 is outside axis 0 of argument 1, which has extent 3
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float, 3> x) { return x(-3); });
#else
    auto f = function<cpu>([](vector<float, 3> x) { return x(3); });
#endif
}
