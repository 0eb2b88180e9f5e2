// error: update: argument 1.b is updated but not shared; declare it as shared<...>
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

template <template <class, int> class A> struct mlp {
    A<float, 2> w;
    A<float, 1> b;
};

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](shared<mlp<symbol>> m) { return updates(m.b += 1, m.w += 1); });
#else
    auto f = function<cpu>([](mlp<symbol> m) { return updates(m.b += 1, m.w += 1); });
#endif
}
