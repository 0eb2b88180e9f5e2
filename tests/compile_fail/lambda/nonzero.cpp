// error: how many elements the result has depends on those of the argument, so that it is computed outside of functions; in one, where(mask, x, 0) keeps them all
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return where(x > 0, x, 0); });
    (void)nonzero(f(array<float, 1>{1, 2}));
#else
    auto f = function<cpu>([](vector<float> x) { return nonzero(x > 0); });
    (void)f(array<float, 1>{1, 2});
#endif
}
