// error: the rank of an array is 0 to 8
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    array<float, 8> x;
#else
    array<float, 9> x;
#endif
}
