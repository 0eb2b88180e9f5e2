// error: update: the new value of argument 1 has 2 axes but the parameter has 1
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](shared<vector<float>> w, matrix<float> x) { return updates(w -= sum<0>(x)); });
#else
    auto f = function<cpu>([](shared<vector<float>> w, matrix<float> x) { return updates(w -= x); });
#endif
}
