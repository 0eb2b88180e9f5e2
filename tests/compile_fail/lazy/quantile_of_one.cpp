// error: quantile<0>(x, 0.5) takes 2 or 3 arguments, but is given 1
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    const array<float, 2> a{{1, 2}, {3, 4}};
#ifdef CROTON_TEST_OK
    auto y = eval(quantile(a, 0.5));
#else
    auto y = eval(quantile(a));
#endif
}
