// error: indices in braces say neither an element nor several; an element is x(0, 1), and several are picked by an array, as in x(array<int, 1>{0, 1})
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2, 3};
    array<float, 2> m{{1, 2}, {3, 4}};
#ifdef CROTON_TEST_OK
    float s = m(0, 1) + a(array<int, 1>{0, 1})(1);
#else
    float s = m({0, 1});
#endif
}
