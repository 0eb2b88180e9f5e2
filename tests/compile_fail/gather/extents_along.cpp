// error: take_along_axis: argument 1 has extent 3 but argument 2 has extent 4 along axis -1; only an extent that is 1 in its declaration is repeated
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, 2, 3> x, matrix<int, 4, 3> i) { return take_along_axis<0>(x, i); });
#else
    auto f = function<cpu>([](matrix<float, 2, 3> x, matrix<int, 4, 4> i) { return take_along_axis<0>(x, i); });
#endif
}
