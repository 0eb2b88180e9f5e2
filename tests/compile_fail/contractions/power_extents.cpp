// error: matrix_power: argument 2 has 2 rows but 3 columns
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, 2, 2> a, matrix<float, 2, 3> b) { return matrix_power<2>(a) + sum(b); });
#else
    auto f = function<cpu>([](matrix<float, 2, 2> a, matrix<float, 2, 3> b) { return matrix_power<2>(b) + sum(a); });
#endif
}
