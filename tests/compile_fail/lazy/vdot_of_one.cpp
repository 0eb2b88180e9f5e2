// error: croton: vdot takes two arrays, as in vdot(x, y)
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
