// error: an array that is an index holds whole numbers, of an integer type
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> x(3, 4), y(2, 4);
    const array<float, 1> some{2, 1};
#ifdef CROTON_TEST_OK
    y = x(array<int, 1>{2, 1});
#else
    y = x(some);
#endif
}
