// error: multi_dot takes two matrices or more; the first and the last may be vectors
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> a, matrix<float> b, vector<float> v) { return multi_dot(a, b, v); });
#else
    auto f = function<cpu>([](matrix<float> a, matrix<float> b, vector<float> v) { return multi_dot(a, v, b); });
#endif
}
