// error: scan: a state is stored before every so many turns, or with 0 before each; checkpoint is -2
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h, scalar<int> n) { unused(n); return std::get<0>(scan([](auto s, auto e) { return s * e; }, h, x, {.checkpoint = sqrt_of_turns})); });
#else
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h, scalar<int> n) { unused(n); return std::get<0>(scan([](auto s, auto e) { return s * e; }, h, x, {.checkpoint = -2})); });
#endif
}
