// error: croton: vmap goes along the first axis of its arguments, and one of rank 0 has none; capture what is the same for each
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, scalar<float> s) { return vmap([&](auto each) { return each * s; }, x); });
#else
    auto f = function<cpu>([](vector<float> x, scalar<float> s) { return vmap([](auto each, auto t) { return each * t; }, x, s); });
#endif
}
