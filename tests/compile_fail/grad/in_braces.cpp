// error: what grad takes derivatives for stands without braces: grad(cost, w, b)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> w, vector<float> b) { auto [gw, gb] = grad(sum(dot(w, b)), w, b); return outputs(2 * gw, gb); });
#else
    auto f = function<cpu>([](matrix<float> w, vector<float> b) { auto [gw, gb] = grad(sum(dot(w, b)), {w, b}); return outputs(2 * gw, gb); });
#endif
}
