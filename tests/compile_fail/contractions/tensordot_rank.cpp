// error: tensordot sums over more axes than its arguments have
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> a, matrix<float> b) { return tensordot<2>(a, b); });
#else
    auto f = function<cpu>([](matrix<float> a, matrix<float> b) { return tensordot<3>(a, b); });
#endif
}
