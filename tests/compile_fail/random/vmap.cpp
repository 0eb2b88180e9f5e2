// error: uniform_like: in the lambda of vmap each would be given the same numbers; draw for all outside of it, and give vmap what was drawn as an argument
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x, shared<random_state<symbol>> rng) { return vmap([](auto a, auto b) { return a * b; }, x, uniform_like(x, rng)); });
#else
    auto f = function<cpu>([](matrix<float> x, shared<random_state<symbol>> rng) { return vmap([&](auto a) { return a * uniform_like(a, rng); }, x); });
#endif
}
