// error: argument 1 is a floating-point number, but the function takes int; convert it
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto f = function<cpu>([](scalar<int> n) { return n + 1; });
#ifdef CROTON_TEST_OK
    f(2);
#else
    f(2.5);
#endif
}
