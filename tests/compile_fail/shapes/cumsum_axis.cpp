// error: a function along an axis names one, as in cumsum<0>(x); only that of a vector need not be named
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x, vector<float> v) { return outputs(cumsum<0>(x), cumsum(v)); });
#else
    auto f = function<cpu>([](matrix<float> x) { return cumsum(x); });
#endif
}
