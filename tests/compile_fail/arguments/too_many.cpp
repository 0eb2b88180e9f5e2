// error: cholesky(a) takes 1 argument, but is given 2
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(3, 3);
#ifdef CROTON_TEST_OK
    array<float, 2> y = cholesky(m + 1);
#else
    array<float, 2> y = cholesky(m + 1, m);
#endif
}
