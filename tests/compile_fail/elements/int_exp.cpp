// error: exp takes float or double, but its argument holds int; convert it with cast<float>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<int, 2> m(3, 3);
#ifdef CROTON_TEST_OK
    auto y = eval(exp(cast<float>(m)));
#else
    auto y = exp(m);
#endif
}
