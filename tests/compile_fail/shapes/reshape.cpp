// error: reshape: argument 1 has 12 elements, which do not fit extents of 10
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, 3, 4> x) { return reshape<2, 6>(x); });
#else
    auto f = function<cpu>([](matrix<float, 3, 4> x) { return reshape<2, 5>(x); });
#endif
}
