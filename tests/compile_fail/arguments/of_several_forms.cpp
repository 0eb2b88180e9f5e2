// error: isclose(x, y) takes 2 or 4 arguments, but is given 3
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(3, 3);
#ifdef CROTON_TEST_OK
    auto y = eval(isclose(m, m, 0.1, 0.1));
#else
    auto y = eval(isclose(m, m, 0.1));
#endif
}
