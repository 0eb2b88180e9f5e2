// error: argument 1 holds float, but the function takes half
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto f = function<cpu>([](matrix<half> x) { return x * 2; });
#ifdef CROTON_TEST_OK
    f(array<half, 2>(3, 4));
#else
    f(array<float, 2>(3, 4));
#endif
}
