// error: croton: sum takes one array, and axes in angle brackets, as in sum<0>(x); two are computed with first, or joined, as in sum<0>(stack<0>(x, y))
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    const array<float, 1> a{1, 2};
#ifdef CROTON_TEST_OK
    float s = sum(a * a);
#else
    float s = sum(a, a);
#endif
}
