// error: there is no axis -3: the argument has 2 axes
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x) { return moveaxis<-2, 1>(x); });
#else
    auto f = function<cpu>([](matrix<float> x) { return moveaxis<-3, 1>(x); });
#endif
}
