// error: a mask as an index gives an array whose extents depend on its elements; in a function, where(mask, x, 0) keeps them all
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> x(3, 4), y(2, 4);
    const array<bool, 1> mask{true, false, true};
#ifdef CROTON_TEST_OK
    auto keep = function<cpu>([](matrix<float> v, vector<bool> m) { return where(m(slice(), none), v, 0); });
    y = keep(x, mask);
#else
    y = x(mask);
#endif
}
