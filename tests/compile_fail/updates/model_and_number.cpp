// error: croton: to a model another of its structure is added; a number is added to each array by tree_map([](auto w) { return w + 1; }, net)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

template <template <class, int> class A> struct pair {
    A<float, 1> w, b;
};

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](shared<pair<symbol>> net) { return updates(net -= tree_map([](auto w) { return 0 * w + 0.5f; }, net)); });
#else
    auto f = function<cpu>([](shared<pair<symbol>> net) { return updates(net -= 0.5f); });
#endif
}
