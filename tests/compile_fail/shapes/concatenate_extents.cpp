// error: concatenate along axis 0: argument 1 has extent 3 but argument 2 has extent 4 along axis 1
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, 2, 3> x, matrix<float, 5, 3> y) { return concatenate<0>(x, y); });
#else
    auto f = function<cpu>([](matrix<float, 2, 3> x, matrix<float, 2, 4> y) { return concatenate<0>(x, y); });
#endif
}
