// error: vdot(x, y) takes 2 arguments, but is given 1
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    const array<float, 2> a{{1, 2}, {3, 4}};
#ifdef CROTON_TEST_OK
    auto y = eval(vdot(a, a));
#else
    auto y = eval(vdot(a));
#endif
}
