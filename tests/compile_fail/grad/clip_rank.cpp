// error: grad_scale and grad_clip take numbers, or expressions of rank 0
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, vector<float> y) { return grad(sum(grad_clip(x, -1, y(0))), x); });
#else
    auto f = function<cpu>([](vector<float> x, vector<float> y) { return grad(sum(grad_clip(x, -1, y)), x); });
#endif
}
