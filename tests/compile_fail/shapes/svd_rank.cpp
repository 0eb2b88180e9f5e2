// error: linear algebra takes matrices, or batches of them: arrays of 2 axes or more
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> a) { return svd(a).s; });
#else
    auto f = function<cpu>([](vector<float> a) { return svd(a).s; });
#endif
}
