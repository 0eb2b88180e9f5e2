// error: group_norm says into how many groups the channels go, as in group_norm<4>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, dynamic, 6, 8, 8> x) { return group_norm<3>(x); });
#else
    auto f = function<cpu>([](tensor<float, dynamic, 6, 8, 8> x) { return group_norm<0>(x); });
#endif
}
