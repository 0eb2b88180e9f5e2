// error: argument 1 of mean<0>(x) must be an array, but is a pointer; make a view of what lies there, as in view<float, 1>(p, {n})
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    float v[]{1, 2, 3}, *p = v;
#ifdef CROTON_TEST_OK
    float y = mean(view<float, 1>(p, {3}));
#else
    float y = mean(p);
#endif
}
