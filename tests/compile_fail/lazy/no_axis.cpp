// error: there is no axis 5: the argument has 2 axes
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(3, 3);
#ifdef CROTON_TEST_OK
    auto y = eval(sum<1>(m));
#else
    auto y = sum<5>(m);
#endif
}
