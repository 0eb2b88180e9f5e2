// error: deleted
// error: several results are no array; name them, as in auto [y, z] = f(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto f = function<cpu>([](vector<float> x) { return std::tuple(x, 2 * x); });
    array<float, 1> v(3);
#ifdef CROTON_TEST_OK
    auto [y, z] = f(v);
#else
    array<float, 1> y(f(v));
#endif
}
