// error: multiply: argument 1 holds float and argument 2 holds int; convert one of them with cast<float>(x) or cast<int>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2}, y;
    array<int, 1> n{1, 2};
#ifdef CROTON_TEST_OK
    y = (a * cast<float>(n) + 1) / 2;
#else
    y = (a * n + 1) / 2;
#endif
}
