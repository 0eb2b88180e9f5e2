// error: croton: updates takes updates, which say of which parameter, as in updates(w -= 0.1 * g) or updates(update(w, v))
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, shared<vector<float>> w) { return outputs(x).updates(update(w, x)); });
#else
    auto f = function<cpu>([](vector<float> x, shared<vector<float>> w) { return outputs(x).updates(w - x); });
#endif
}
