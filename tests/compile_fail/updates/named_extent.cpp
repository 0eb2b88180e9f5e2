// error: update: the new value of argument 1 has extent "out" where the parameter has "in"
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](shared<vector<float, dim("in")>> w, vector<float, dim("in")> g) { return updates(update(w, g)); });
#else
    auto f = function<cpu>([](shared<vector<float, dim("in")>> w, vector<float, dim("out")> g) { return updates(update(w, g)); });
#endif
}
