// error: max and min reduce one expression along axes; the larger of two is maximum(a, b), the smaller minimum(a, b)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> a(3, 3), b(3, 3);
#ifdef CROTON_TEST_OK
    auto y = eval(maximum(a, b));
#else
    auto y = max<0>(a, b);
#endif
}
