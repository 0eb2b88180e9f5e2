// error: searchsorted, digitize and interp look for places in a vector
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> v, vector<float> x) { return searchsorted(flatten(v), x); });
#else
    auto f = function<cpu>([](matrix<float> v, vector<float> x) { return searchsorted(v, x); });
#endif
}
