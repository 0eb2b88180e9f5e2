// error: an expression is not a number while tracing; its functions are those of croton, as in exp(x) and not std::exp(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { auto s = sum(x); return s * x; });
#else
    auto f = function<cpu>([](vector<float> x) { float s = sum(x); return s * x; });
#endif
}
