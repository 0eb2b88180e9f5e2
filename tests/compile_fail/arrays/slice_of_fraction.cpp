// error: a slice has a stop, a start and a stop, or a step behind both, whole numbers or none, as in slice(none, none, -1)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> v(3);
#ifdef CROTON_TEST_OK
    auto y = v(slice(1));
#else
    auto y = v(slice(0.5));
#endif
}
