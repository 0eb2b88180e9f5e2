// error: arrays are computed with in a function, as in auto f = function<cpu>([](vector<float> x) { return exp(x); }); and then f(a)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> x{1, 2}, y{3};
#ifdef CROTON_TEST_OK
    auto join = function<cpu>([](vector<float> a, vector<float> b) { return concatenate(a, b); });
    auto both = join(x, y);
#else
    auto both = concatenate<0>(x, y);
#endif
    return both.size() == 3 ? 0 : 1;
}
