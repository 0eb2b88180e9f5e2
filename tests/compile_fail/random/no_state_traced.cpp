// error: normal<T, 3, 2>(rng) has an element type and extents in angle brackets, and draws from a random state, auto rng = default_rng(42), in a function a parameter, shared<random_state<symbol>> rng
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, shared<random_state<symbol>> rng) { return x + normal<float, 3>(rng); });
#else
    auto f = function<cpu>([](vector<float> x) { return x + normal<float, 3>(); });
#endif
}
