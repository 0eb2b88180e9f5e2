// error: update takes a shared parameter and its new value; only parameters can be updated
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](shared<vector<float>> w) { return updates(update(w, 2 * w)); });
#else
    auto f = function<cpu>([](shared<vector<float>> w) { return updates(update(2 * w, w)); });
#endif
}
