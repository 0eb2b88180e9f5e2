// error: text is no operand of an expression
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> v(3);
#ifdef CROTON_TEST_OK
    bool same = array_equal(v, v);
#else
    bool same = v == "v";
#endif
}
