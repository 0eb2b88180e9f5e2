// error: diagonal: x is not square: it has 2 rows and 3 columns
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, 3, 3> x) { return trace(named(x, "x")); });
#else
    auto f = function<cpu>([](matrix<float, 2, 3> x) { return trace(named(x, "x")); });
#endif
}
