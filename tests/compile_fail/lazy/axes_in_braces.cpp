// error: the axes of sum stand in angle brackets: sum<0>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    const array<float, 3> a(2, 3, 4);
#ifdef CROTON_TEST_OK
    const array<float, 1> s = sum<0, 1>(a);
#else
    const array<float, 1> s = sum(a, {0, 1});
#endif
}
