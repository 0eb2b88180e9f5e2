// error: sum takes axes in angle brackets, and no type; what it is given is converted first, as in sum(cast<double>(x))
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> a{{1, 2}, {3, 4}};
#ifdef CROTON_TEST_OK
    auto b = sum(cast<double>(a));
#else
    auto b = sum<double>(a);
#endif
}
