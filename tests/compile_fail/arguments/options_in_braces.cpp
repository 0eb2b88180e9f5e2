// error: options beside arrays are a constant, as in max_pool2d(x, constant<max_pool_options{...}>)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 4> x(1, 1, 4, 4);
#ifdef CROTON_TEST_OK
    array<float, 4> y = max_pool2d(x, constant<max_pool_options{.kernel = 2}>);
#else
    array<float, 4> y = max_pool2d(x, {.kernel = 2});
#endif
}
