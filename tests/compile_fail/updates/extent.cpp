// error: update: the new value of argument 1 has extent 4 where the parameter has 3
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](shared<vector<float, 4>> w, vector<float, 4> g) { return updates(update(w, g)); });
#else
    auto f = function<cpu>([](shared<vector<float, 3>> w, vector<float, 4> g) { return updates(update(w, g)); });
#endif
}
