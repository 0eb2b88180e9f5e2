// error: outer takes two vectors
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x, vector<float> w) { return outer(sum<0>(x), w); });
#else
    auto f = function<cpu>([](matrix<float> x, vector<float> w) { return outer(x, w); });
#endif
}
