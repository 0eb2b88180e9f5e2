// error: argument 2.weight is assigned to, and its new value would be lost; return it, as in updates(update(w, v)), or compute with a copy that is declared as expr<float, 1>
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

template <template <class, int> class A> struct layer {
    A<float, 1> weight;
};

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, shared<layer<symbol>> net) {
        expr<float, 1> h = net.weight;
        h = tanh(h + x);
        layer<symbol> out;
        out.weight = h;
        return outputs(out).updates(update(net.weight, h));
    });
#else
    auto f = function<cpu>([](vector<float> x, shared<layer<symbol>> net) {
        net.weight = net.weight - x;
        return net.weight;
    });
#endif
}
