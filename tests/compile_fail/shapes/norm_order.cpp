// error: norm: of a matrix it is that of order 1, -1, 2, -2, INFINITY or -INFINITY, or, without an order, the root of all squares
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x) { return norm<1>(x, 3); });
#else
    auto f = function<cpu>([](matrix<float> x) { return norm(x, 3); });
#endif
}
