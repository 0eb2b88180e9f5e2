// error: equal: the result of argmax holds int64 and b holds int; convert one of them with cast<int64>(x) or cast<int>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    const array<float, 2> x(3, 4);
    const array<int, 1> labels(3);
    array<bool, 1> right;
#ifdef CROTON_TEST_OK
    right = equal(cast<int>(argmax<1>(x)), labels);
#else
    right = equal(argmax<1>(x), labels);
#endif
}
