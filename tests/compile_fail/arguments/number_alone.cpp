// error: relu(x) takes arrays, and expressions in a function, but is given a number
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(3, 3);
#ifdef CROTON_TEST_OK
    auto y = eval(relu(m));
#else
    auto y = relu(2.5);
#endif
}
