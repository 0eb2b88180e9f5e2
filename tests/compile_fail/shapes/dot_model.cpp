// error: dot(argument 1, net.layer.w): argument 1 has "a" columns but net.layer.w has "b" rows
// SPDX-License-Identifier: MIT
#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

template <template <class, int> class A> struct mlp {
    A<float, 2> w;
    A<float, 1> b;
};
template <template <class, int> class A> struct tower {
    mlp<A> layer;
};

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, dynamic, dim("a")> x, tower<symbol> m, vector<float, dim("b")> v) { return std::tuple(dot(named(v, "v"), named(m, "net").layer.w), 2 * m.layer.b, x); });
#else
    auto f = function<cpu>([](matrix<float, dynamic, dim("a")> x, tower<symbol> m, vector<float, dim("b")> v) { return std::tuple(dot(named(v, "v"), named(m, "net").layer.w), dot(x, m.layer.w), 2 * m.layer.b); });
#endif
}
