// error: a shared parameter is not assigned to; return its new value, as in updates(update(w, v)), or compute with a copy, as in expr<float, 1> h = w
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, shared<vector<float>> w) { return outputs(x).updates(update(w, w - x)); });
#else
    auto f = function<cpu>([](vector<float> x, shared<vector<float>> w) { w = w - x; return x; });
#endif
}
