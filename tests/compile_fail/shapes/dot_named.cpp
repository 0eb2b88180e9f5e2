// error: dot(x, w): x has 784 columns but w has 100 rows
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, dynamic, 784> x, matrix<float, 784> w) { return dot(named(x, "x"), named(w, "w")); });
#else
    auto f = function<cpu>([](matrix<float, dynamic, 784> x, matrix<float, 100> w) { return dot(named(x, "x"), named(w, "w")); });
#endif
}
