// error: broadcast_to does not lower the rank
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, 1, 3> x) { return broadcast_to<4, 3>(x); });
#else
    auto f = function<cpu>([](matrix<float, 1, 3> x) { return broadcast_to<3>(x); });
#endif
}
