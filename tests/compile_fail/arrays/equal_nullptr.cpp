// error: a pointer says no extents; make a view of what lies there, as in view<float, 1>(p, {n})
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(2, 3);
#ifdef CROTON_TEST_OK
    bool none = m.size() == 0;
#else
    bool none = m == nullptr;
#endif
}
