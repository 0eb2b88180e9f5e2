// error: eigh: argument 1 is not square: it has 3 rows and 2 columns
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, 3, 3> a) { return eigh(a).w; });
#else
    auto f = function<cpu>([](matrix<float, 3, 2> a) { return eigh(a).w; });
#endif
}
