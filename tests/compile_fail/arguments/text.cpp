// error: argument 1 of exp(x) must be an array, but is text
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>
#include <string>

using namespace croton;

int main() {
    array<float, 2> m(3, 3);
    const std::string s = "1 2 3";
#ifdef CROTON_TEST_OK
    array<float, 2> y = exp(m);
#else
    array<float, 2> y = exp(s);
#endif
    return s.empty();
}
