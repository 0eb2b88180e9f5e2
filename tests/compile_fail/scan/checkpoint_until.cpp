// error: scan: turns that a value ends are known when they are done, so that there is no number of them to cut; checkpoint and unroll go without until and times of a value
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h, scalar<int> n) { unused(n); return std::get<0>(scan([](auto s, auto e) { return s * e; }, h, x, {.checkpoint = 4})); });
#else
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h, scalar<int> n) { unused(n); return std::get<0>(scan([](auto s, auto e) { return step(s * e, none, until(s(0) > 1)); }, h, x, {.checkpoint = 4})); });
#endif
}
