// error: a function along an axis names one, as in sort<0>(x); only that of a vector need not be named
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x, vector<float> v) { return outputs(sort<0>(x), sort(v), cumsum(x)); });
#else
    auto f = function<cpu>([](matrix<float> x) { return sort(x); });
#endif
}
