// error: == compares arrays of one element type and one rank; convert one of them, as in a == cast<float>(b)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2};
    array<double, 1> b{1, 2};
#ifdef CROTON_TEST_OK
    return a == cast<float>(b);
#else
    return a == b;
#endif
}
