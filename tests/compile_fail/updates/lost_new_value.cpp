// error: update: the new value of argument 2 is not returned, so it would be lost; return outputs(...).updates(w -= ...), or updates(...) alone
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, shared<vector<float>> w) { return outputs(x).updates(update(w, x)); });
#else
    auto f = function<cpu>([](vector<float> x, shared<vector<float>> w) { static_cast<void>(update(w, x)); return x; });
#endif
}
