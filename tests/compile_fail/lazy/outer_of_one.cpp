// error: croton: outer takes two vectors, as in outer(x, y)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    const array<float, 1> a{1, 2};
#ifdef CROTON_TEST_OK
    auto y = eval(outer(a, a));
#else
    auto y = eval(outer(a));
#endif
}
