// error: croton: the lambda of vmap returns an expression, a model, or a std::tuple of them
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x) { return vmap([](auto row) { return sum(row); }, x); });
#else
    auto f = function<cpu>([](matrix<float> x) { return sum(x) + vmap([](auto) { return 1.0f; }, x); });
#endif
}
