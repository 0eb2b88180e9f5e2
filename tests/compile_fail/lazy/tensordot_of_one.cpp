// error: croton: tensordot takes two arrays, as in tensordot<1>(x, y)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    const array<float, 2> a{{1, 2}, {3, 4}};
#ifdef CROTON_TEST_OK
    auto y = eval(tensordot<1>(a, a));
#else
    auto y = eval(tensordot<1>(a));
#endif
}
