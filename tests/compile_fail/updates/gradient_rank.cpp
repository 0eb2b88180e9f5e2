// error: an optimiser takes a cost, which is a number, or gradients of the structure of the model
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, shared<matrix<float>> w) { return updates(sgd(w - x, w)); });
#else
    auto f = function<cpu>([](vector<float> x, shared<matrix<float>> w) { return updates(sgd(x, w)); });
#endif
}
