// error: update: the new value of argument 1 holds double but the parameter holds float; convert it with cast<float>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](shared<vector<float>> w, vector<double> g) { return updates(update(w, cast<float>(g))); });
#else
    auto f = function<cpu>([](shared<vector<float>> w, vector<double> g) { return updates(update(w, g)); });
#endif
}
