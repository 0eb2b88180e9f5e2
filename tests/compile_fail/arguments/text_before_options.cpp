// error: argument 1 of max_pool2d(x, options) must be an array, but is text
// SPDX-License-Identifier: MIT
#include <string>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 4> x(1, 1, 4, 4);
    const std::string file = "images";
#ifdef CROTON_TEST_OK
    auto y = eval(max_pool2d(x, constant<max_pool_options{.kernel = 2}>));
#else
    auto y = max_pool2d(file, max_pool_options{.kernel = 2});
#endif
}
