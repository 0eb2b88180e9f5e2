// error: broadcast_to needs a number or a name for every extent
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return broadcast_to<3, 4>(x); });
#else
    auto f = function<cpu>([](vector<float> x) { return broadcast_to<dynamic, 4>(x); });
#endif
}
