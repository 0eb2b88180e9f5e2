// error: croton: quantile takes an array and a share, as in quantile<0>(x, 0.5)
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
