// error: croton: random numbers of this distribution are float, double, half or bfloat16; whole numbers are drawn by random::randint
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<int, 1> x(4);
#ifdef CROTON_TEST_OK
    random::randint(x, 1, 0, 9);
#else
    random::uniform(x, 1, 0, 9);
#endif
    return x.size() == 4 ? 0 : 1;
}
