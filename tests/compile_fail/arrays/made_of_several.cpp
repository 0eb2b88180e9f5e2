// error: deleted
// error: several results are no array; name them, as in auto [y, z] = f(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(2, 3);
#ifdef CROTON_TEST_OK
    auto [q, r] = qr(m);
#else
    array<float, 2> q(qr(m));
#endif
}
