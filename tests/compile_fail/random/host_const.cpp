// error: croton: random numbers are written into an array or a view whose elements are not const
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> x(4);
#ifdef CROTON_TEST_OK
    random::normal(x, 1);
#else
    random::normal(view<const float, 1>(x), 1);
#endif
    return x.size() == 4 ? 0 : 1;
}
