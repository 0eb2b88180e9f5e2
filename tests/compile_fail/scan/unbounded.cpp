// error: scan: how many turns there are only a value says, so that there is no memory for values of each; say at most how many, as in times(n, 100)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h, scalar<int> n) { return std::get<1>(scan([](auto s) { return step(s * 2, s); }, sum(x) + sum(h), times(n, 9))); });
#else
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h, scalar<int> n) { return std::get<1>(scan([](auto s) { return step(s * 2, s); }, sum(x) + sum(h), times(n))); });
#endif
}
