// error: transpose names every axis of its argument once, or none
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x) { return transpose<1, 0>(x); });
#else
    auto f = function<cpu>([](matrix<float> x) { return transpose<0, 0>(x); });
#endif
}
