// error: dot(argument 1, argument 2): argument 1 has 784 columns but argument 2 has 100 rows
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, dynamic, 784> x, matrix<float, 100, 784> w) { return dot(x, transpose(w)); });
#else
    auto f = function<cpu>([](matrix<float, dynamic, 784> x, matrix<float, 100, dynamic> w) { return dot(x, w); });
#endif
}
