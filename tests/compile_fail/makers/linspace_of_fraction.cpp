// error: linspace takes two numbers, and how many there are, a whole one: linspace<float>(0, 1, 5)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto y = linspace(0, 1, 5);
#else
    auto y = linspace(0, 1, 0.2);
#endif
}
