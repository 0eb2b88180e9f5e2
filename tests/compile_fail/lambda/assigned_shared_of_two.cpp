// error: argument 1 is assigned to, and its new value would be lost; return it, as in updates(update(w, v)), or compute with a copy that is declared as expr<float, 1>
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](shared<vector<float>> w, shared<vector<float>> v) { return updates(update(w, v), v -= 1.0f); });
#else
    auto f = function<cpu>([](shared<vector<float>> w, shared<vector<float>> v) { auto s = sum(w); w = v; return outputs(s).updates(v -= 1.0f); });
#endif
}
