// error: solve(a, b) takes 2 arguments, but is given 1
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    const array<float, 2> a{{1, 2}, {3, 4}};
#ifdef CROTON_TEST_OK
    auto y = eval(solve(a, a));
#else
    auto y = eval(solve(a));
#endif
}
