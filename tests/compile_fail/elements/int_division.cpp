// error: / of integers would cut fractions off, where NumPy gives double; write floor_divide(x, y), or cast<double>(x) / y
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<int> x) { return cast<double>(x) / 2; });
#else
    auto f = function<cpu>([](vector<int> x) { return x / 2; });
#endif
}
