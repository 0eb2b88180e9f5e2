// error: the array is const
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> y{1, 2, 3};
    const array<float, 1>& a = y;
#ifdef CROTON_TEST_OK
    y = a * 2;
#else
    a = y * 2;
#endif
}
