// error: there is no axis 2: the argument has 2 axes
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x, vector<int> i) { return take<1>(x, i); });
#else
    auto f = function<cpu>([](matrix<float> x, vector<int> i) { return take<2>(x, i); });
#endif
}
