// error: concatenate<0>(x, y) takes at least 1 argument, but is given 0
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(3, 3);
#ifdef CROTON_TEST_OK
    auto y = eval(concatenate<0>(m, m));
#else
    auto y = eval(concatenate<0>());
#endif
}
