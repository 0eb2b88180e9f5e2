// error: a pointer says no extents; make a view of what lies there, as in view<float, 1>(p, {n})
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2}, y;
    const float* p = a.data();
#ifdef CROTON_TEST_OK
    y = a * view<const float, 1>(p, {2});
#else
    y = a * p;
#endif
}
