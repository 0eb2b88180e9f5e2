// error: the branches of cond are lambdas, of which one is computed, as in cond(x > 0, [&] { return a; }, [&] { return b; }); values are chosen by where(x > 0, a, b)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return cond(sum(x) > 0, [&] { return x; }, [&] { return -x; }); });
#else
    auto f = function<cpu>([](vector<float> x) { return cond(sum(x) > 0, x, -x); });
#endif
}
