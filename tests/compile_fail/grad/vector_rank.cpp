// error: the vector has as many axes as what it is multiplied with
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, matrix<float> v) { return jvp(exp(x), x, v(0)); });
#else
    auto f = function<cpu>([](vector<float> x, matrix<float> v) { return jvp(exp(x), x, v); });
#endif
}
