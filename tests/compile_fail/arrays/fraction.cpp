// error: a number with a fraction stands beside integers, where NumPy gives double; write cast<double>(x) * 2.5
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    const array<int, 1> x{1, 2};
#ifdef CROTON_TEST_OK
    const array<int, 1> y = x * 2;
#else
    const array<int, 1> y = eval(x * 2.5);
#endif
}
