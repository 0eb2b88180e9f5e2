// error: scan: a number of turns is written out as one, 1 for none; unroll is 0
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h, scalar<int> n) { unused(n); return std::get<0>(scan([](auto s, auto e) { return s * e; }, h, x, {.unroll = 2})); });
#else
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h, scalar<int> n) { unused(n); return std::get<0>(scan([](auto s, auto e) { return s * e; }, h, x, {.unroll = 0})); });
#endif
}
