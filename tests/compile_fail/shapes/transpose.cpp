// error: transpose names every axis of its argument once, or none
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, 2, 3, 4> x) { return transpose<2, 0, 1>(x); });
#else
    auto f = function<cpu>([](tensor<float, 2, 3, 4> x) { return transpose<0, 1>(x); });
#endif
}
