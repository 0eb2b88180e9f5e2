// error: argument 1 is written to, but it is a temporary, with which its new values would be lost; give it a name first, or pass a view
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

template <template <class, int> class A> struct line {
    A<float, 1> w;
    A<float, 0> b;
};

int main() {
    auto f = function<cpu>([](shared<line<symbol>> net, vector<float> x) { return updates(net.w += x); });
    array<float, 1> x(3);
    line<on<cpu>::array> net{array<float, 1>(3), {}};
#ifdef CROTON_TEST_OK
    f(net, x);
#else
    f(std::move(net), x * 2);
#endif
}
