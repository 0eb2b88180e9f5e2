// error: attention(asked, keys, values) takes 3 or 4 arguments, but is given 2
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(3, 3);
#ifdef CROTON_TEST_OK
    array<float, 2> y = attention(m, m, m);
#else
    array<float, 2> y = attention(m, m);
#endif
}
