// error: topk takes one element or more
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return topk<1>(x); });
#else
    auto f = function<cpu>([](vector<float> x) { return topk<0>(x); });
#endif
}
