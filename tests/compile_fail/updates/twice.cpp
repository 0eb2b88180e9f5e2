// error: update: argument 1 is updated twice; a parameter has one new value
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](shared<vector<float>> w, vector<float> g) { return updates(w -= g + g); });
#else
    auto f = function<cpu>([](shared<vector<float>> w, vector<float> g) { return updates(w -= g, w -= g); });
#endif
}
