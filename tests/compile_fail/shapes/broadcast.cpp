// error: broadcast_to: axis 0 of argument 1 has extent 3, which is not repeated to 4
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float, 3> x) { return broadcast_to<4, 3>(x); });
#else
    auto f = function<cpu>([](vector<float, 3> x) { return broadcast_to<3, 4>(x); });
#endif
}
