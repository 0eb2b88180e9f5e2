// error: multiply: argument 1 holds float and argument 2 holds bool; convert the truth values with cast<float>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2}, y;
#ifdef CROTON_TEST_OK
    y = a * cast<float>(a > 1);
#else
    y = a * (a > 1);
#endif
}
