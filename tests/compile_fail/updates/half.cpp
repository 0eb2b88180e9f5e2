// error: update: the new value of argument 1 holds double but the parameter holds half; convert it with cast<half>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](shared<vector<half>> w, vector<float> x) { return updates(update(w, x)); });
#else
    auto f = function<cpu>([](shared<vector<half>> w, vector<double> x) { return updates(update(w, x)); });
#endif
}
