// error: qr(a) takes 1 argument, but is given 2
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(3, 3);
#ifdef CROTON_TEST_OK
    auto [q, r] = qr(m);
#else
    auto [q, r] = qr(m, m);
#endif
}
