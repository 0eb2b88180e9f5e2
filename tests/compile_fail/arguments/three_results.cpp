// error: svd(a) takes 1 argument, but is given 2
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> x(3, 2);
#ifdef CROTON_TEST_OK
    auto [u, s, v] = svd(x);
#else
    auto [u, s, v] = svd(x, false);
#endif
}
