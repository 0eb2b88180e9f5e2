// error: == compares arrays of one element type and one rank; convert one of them, as in a == cast<float>(b)
// SPDX-License-Identifier: MIT
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> a{{1, 2}};
    std::vector<float> b{1, 2};
#ifdef CROTON_TEST_OK
    return a(0) == b;
#else
    return a == b;
#endif
}
