// error: there is no axis 2: the argument has 2 axes
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(3, 3);
    array<int, 1> ids{0, 1};
#ifdef CROTON_TEST_OK
    auto y = eval(take<1>(m, ids));
#else
    auto y = take<2>(m, ids);
#endif
}
