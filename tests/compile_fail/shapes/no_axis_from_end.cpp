// error: there is no axis -2: the argument has 1 axis
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return max<-1>(x); });
#else
    auto f = function<cpu>([](vector<float> x) { return max<-2>(x); });
#endif
}
