// error: croton: random::randint draws integers; numbers with fractions are drawn by random::uniform, truth values by random::bernoulli
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> x(4);
#ifdef CROTON_TEST_OK
    random::uniform(x, 1, 0, 9);
#else
    random::randint(x, 1, 0, 9);
#endif
    return x.size() == 4 ? 0 : 1;
}
