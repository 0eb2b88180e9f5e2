// error: sum<0>(x) takes arrays, and expressions in a function, but is given one truth value; a == b compares whole arrays, and equal(a, b) their elements
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2}, b{1, 3};
#ifdef CROTON_TEST_OK
    auto n = eval(count_nonzero(equal(a, b)));
#else
    auto n = eval(sum(a == b));
#endif
}
