// error: sum<0>(x) takes 1 or 2 arguments, but is given 0
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(3, 3);
#ifdef CROTON_TEST_OK
    auto y = eval(sum(m));
#else
    auto y = eval(sum());
#endif
}
