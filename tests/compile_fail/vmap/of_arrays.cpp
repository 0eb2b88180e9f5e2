// error: vmap is of symbols, in a function, as in function<cpu>([](matrix<float> x) { return vmap([](auto row) { return sum(row); }, x); })
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    array<float, 1> y = function<cpu>([](matrix<float> x) { return vmap([](auto row) { return sum(row); }, x); })(array<float, 2>(2, 3));
#else
    array<float, 1> y = vmap([](auto row) { return sum(row); }, array<float, 2>(2, 3));
#endif
}
