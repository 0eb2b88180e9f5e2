// error: scan: a derivative through the last turns counts them one by one; truncate goes without checkpoint and unroll
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h, scalar<int> n) { unused(n); return std::get<0>(scan([](auto s, auto e) { return s * e; }, h, x, {.truncate = 2})); });
#else
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h, scalar<int> n) { unused(n); return std::get<0>(scan([](auto s, auto e) { return s * e; }, h, x, {.truncate = 2, .unroll = 2})); });
#endif
}
