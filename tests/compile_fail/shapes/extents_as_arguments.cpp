// error: the extents of reshape stand in angle brackets: reshape<2, dynamic>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    const auto f = function<cpu>([](matrix<float> x) { return reshape<3, 2>(x) * 2; });
#else
    const auto f = function<cpu>([](matrix<float> x) { return reshape(x, 3, 2) * 2; });
#endif
    f(array<float, 2>(2, 3));
}
