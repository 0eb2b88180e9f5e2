// error: several expressions, and the vectors of them, are tuples and no braces: jvp(y, std::tuple(w, b), std::tuple(v, u))
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, vector<float> v) { return jvp(sqr(x), x, v); });
#else
    auto f = function<cpu>([](vector<float> x, vector<float> v) { return jvp(sqr(x), {x}, {v}); });
#endif
}
