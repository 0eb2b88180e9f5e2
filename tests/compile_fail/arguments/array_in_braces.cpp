// error: croton: what stands in braces has no type: dot(x, array<float, 1>{1, 2, 3}); in a function it is an argument, for which a parameter is declared
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> x{1, 2, 3};
#ifdef CROTON_TEST_OK
    float y = dot(x, array<float, 1>{1, 2, 3});
#else
    float y = dot(x, {1, 2, 3});
#endif
}
