// error: elements are written by a number, or by an array or a view whose elements lie on the host
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<double, 1> x(3);
#ifdef CROTON_TEST_OK
    x(slice(0, 1)) = 1;
#else
    x(slice(0, 1)) = "1";
#endif
}
