// error: update: the new value of argument 2.weight is not returned, so it would be lost; return outputs(...).updates(w -= ...), or updates(...) alone
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

template <template <class, int> class A> struct layer {
    A<float, 1> weight;
};

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, shared<layer<symbol>> net) { auto cost = sum(sqr(net.weight - x)); auto step = sgd(cost, net); return outputs(cost).updates(step); });
#else
    auto f = function<cpu>([](vector<float> x, shared<layer<symbol>> net) { auto cost = sum(sqr(net.weight - x)); auto step = sgd(cost, net); return cost; });
#endif
}
