// error: argument 2 holds another element type, but the function takes float
// SPDX-License-Identifier: MIT
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto f = function<cpu>([](matrix<float> x, vector<float> v) { return x + v; });
    array<float, 2> x(2, 3);
    array<float, 1> v(3);
#ifdef CROTON_TEST_OK
    f(x, v);
#else
    f(x, std::vector<char16_t>{1, 2, 3});
#endif
}
