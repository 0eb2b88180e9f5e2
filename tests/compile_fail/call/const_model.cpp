// error: argument 1 is written to, but it is const
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

template <template <class, int> class A> struct mlp {
    A<float, 2> w;
    A<float, 1> b;
};

int main() {
    auto f = function<cpu>([](shared<mlp<symbol>> m) { return updates(m.w += 1, m.b += 1); });
    mlp<on<cpu>::array> m;
    const mlp<on<cpu>::array> fixed = m;
#ifdef CROTON_TEST_OK
    f(m);
#else
    f(fixed);
#endif
}
