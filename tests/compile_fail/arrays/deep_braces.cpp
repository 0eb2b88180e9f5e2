// error: deleted
// error: the values have more axes than the array
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    array<float, 2> y{{1, 2}, {3, 4}};
#else
    array<float, 1> y{{1, 2}, {3, 4}};
#endif
}
