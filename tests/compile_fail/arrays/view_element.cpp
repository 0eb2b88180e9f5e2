// error: an array holds bool, int, std::int64_t, float, double, half or bfloat16
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    view<float, 1> x;
#else
    view<short, 1> x;
#endif
}
