// error: a view that has a name becomes a view of what it is assigned, which must have its element type and its rank; elements are written by v(ellipsis) = x
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<double, 1> x(3);
    auto v = x.as_view();
#ifdef CROTON_TEST_OK
    v(ellipsis) = 2;
#else
    v = 2;
#endif
}
