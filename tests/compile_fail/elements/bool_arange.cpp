// error: arange makes numbers; give it an array of numbers, as in arange<10>(cast<int>(x))
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<bool, 3> x) { return where(x, arange<3>(cast<int>(x)), 0); });
#else
    auto f = function<cpu>([](vector<bool, 3> x) { return where(x, arange<3>(x), false); });
#endif
}
