// error: ^ is the exclusive or of integers and bools; a power is pow(a, b)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2, 3};
#ifdef CROTON_TEST_OK
    auto y = eval(pow(a, 2));
#else
    auto y = eval(a ^ 2);
#endif
}
