// error: the number and axis of topk stand in angle brackets: topk<5, -1>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2, 3};
#ifdef CROTON_TEST_OK
    auto [values, indices] = topk<2>(a);
#else
    auto [values, indices] = topk(a, 2);
#endif
}
