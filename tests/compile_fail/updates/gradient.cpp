// error: update: the result of multiply is not a parameter; only shared parameters are updated
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

template <template <class, int> class A> struct mlp {
    A<float, 2> w;
    A<float, 1> b;
};

int main() {
    auto f = function<cpu>([](shared<mlp<symbol>> m) {
        auto g = grad(sum(sqr(m.w)) + sum(sqr(m.b)), m);
#ifdef CROTON_TEST_OK
        return updates(m.w -= g.w, m.b -= g.b);
    });
#else
        return updates(g.w -= m.w, g.b -= m.b);
    });
#endif
}
