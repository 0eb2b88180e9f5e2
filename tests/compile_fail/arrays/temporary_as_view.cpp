// error: a view of a temporary array would read freed memory; give the array a name first, as in: auto y = f(x);
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

array<float, 2> made() { return {{1, 2}, {3, 4}}; }

int main() {
#ifdef CROTON_TEST_OK
    array<float, 2> x = made();
    [[maybe_unused]] auto v = x.as_view();
#else
    auto v = made().as_view();
#endif
}
