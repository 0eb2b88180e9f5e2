// error: == compares whole arrays; element by element it is equal(x, 1), and != is not_equal(x, 1)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<int, 1> a{1, 2, 3};
#ifdef CROTON_TEST_OK
    a = where(equal(a, 2), 0, a);
#else
    a = where(a == 2, 0, a);
#endif
}
