// error: histogram takes a number of bins, 1 or more, and from where to where they go, as in histogram<10>(x, 0, 1)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return histogram<1>(x, 0, 1); });
#else
    auto f = function<cpu>([](vector<float> x) { return histogram<0>(x, 0, 1); });
#endif
}
