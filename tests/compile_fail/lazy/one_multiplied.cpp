// error: dot(x, y) takes 2 arguments, but is given 1
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    const array<float, 1> a{1, 2};
#ifdef CROTON_TEST_OK
    float s = dot(a, a);
#else
    float s = dot(a);
#endif
}
