// error: assigning to a temporary view writes no elements; write x(slice(1, -1)).copy_from(y) or .fill(0)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> x(3, 4), y(2, 4);
#ifdef CROTON_TEST_OK
    x(slice(1, none)).copy_from(y);
#else
    x(slice(1, none)) = y;
#endif
}
