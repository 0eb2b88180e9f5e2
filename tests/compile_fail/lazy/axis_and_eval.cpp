// error: the axes of argmax stand in angle brackets: argmax<0>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> a{{1, 2}};
#ifdef CROTON_TEST_OK
    auto y = eval(argmax<1>(a));
#else
    auto y = eval(argmax(a, 1));
#endif
}
