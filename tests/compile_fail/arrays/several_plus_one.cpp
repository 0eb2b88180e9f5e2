// error: several results are no array; name them, as in auto [y, z] = f(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(3, 3);
#ifdef CROTON_TEST_OK
    auto [sign, size] = slogdet(m);
#else
    auto size = slogdet(m) + 1;
#endif
}
