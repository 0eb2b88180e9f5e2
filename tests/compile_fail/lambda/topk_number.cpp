// error: the number and axis of topk stand in angle brackets: topk<5, -1>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    // It gives two arrays.
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { auto [values, indices] = topk<2>(x); return outputs(values, indices); });
#else
    auto f = function<cpu>([](vector<float> x) { auto [values, indices] = topk(x, 2); return outputs(values, indices); });
#endif
}
