// error: add: argument 1 holds float and argument 2 holds double; convert one of them with cast<float>(x) or cast<double>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    const array<float, 1> x{1};
    const array<double, 1> y{1};
#ifdef CROTON_TEST_OK
    const array<double, 1> z = cast<double>(x) + y;
#else
    const array<double, 1> z = x + y;
#endif
}
