// error: transpose names every axis of its argument once, or none
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    const array<double, 3> x(2, 3, 4);
#ifdef CROTON_TEST_OK
    const auto turned = x.transpose<1, 0, -1>();
#else
    const auto turned = x.transpose<1, 0, 1>();
#endif
    return static_cast<int>(turned.size());
}
