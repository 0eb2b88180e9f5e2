// error: derivatives are those of symbols, in a function, as in function<cpu>([](vector<float> x) { return grad(sum(sqr(x)), x); })
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> x{1, 2};
#ifdef CROTON_TEST_OK
    save_npy("x.npy", sum(sqr(x)));
#else
    save_npy("x.npy", grad(sum(sqr(x)), x));
#endif
}
