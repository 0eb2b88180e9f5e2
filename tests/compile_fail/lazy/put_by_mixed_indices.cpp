// error: what is assigned to a temporary array is lost
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> x{{1, 2}, {3, 4}};
    const array<int, 1> ids{1};
#ifdef CROTON_TEST_OK
    x(slice(), none) = 1;
#else
    x(slice(), none, ids) = 1;
#endif
}
