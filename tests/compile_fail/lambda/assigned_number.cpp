// error: an expression is assigned one of its element type and its rank; a number is one as full_like(x, 1)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { expr<float, 1> y = x; y = full_like(x, 1); return y + x; });
#else
    auto f = function<cpu>([](vector<float> x) { expr<float, 1> y = x; y = 1; return y + x; });
#endif
}
