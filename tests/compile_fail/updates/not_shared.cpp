// error: update: argument 1 is updated but not shared; declare it as shared<...>
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](shared<vector<float>> w, vector<float> g) { return updates(w -= g); });
#else
    auto f = function<cpu>([](vector<float> w, vector<float> g) { return updates(w -= g); });
#endif
}
