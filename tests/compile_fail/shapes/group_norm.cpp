// error: group_norm: argument 1 has 6 channels, which do not make 4 equal groups
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, dynamic, 6, 8, 8> x) { return group_norm<3>(x); });
#else
    auto f = function<cpu>([](tensor<float, dynamic, 6, 8, 8> x) { return group_norm<4>(x); });
#endif
}
