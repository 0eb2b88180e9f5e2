// error: a normalisation layer takes a batch along axis 0 and channels along another, and instance_norm more axes: [n,c,h,w]
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, dynamic, 6, 8> x) { return instance_norm(x); });
#else
    auto f = function<cpu>([](matrix<float, dynamic, 6> x) { return instance_norm(x); });
#endif
}
