// error: what is joined stands without braces: concatenate<0>(a, b)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2}, b{3};
#ifdef CROTON_TEST_OK
    array<float, 1> y = concatenate<0>(a, b);
#else
    array<float, 1> y = concatenate({a, b});
#endif
}
