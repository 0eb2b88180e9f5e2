// error: scan walks along the first axes of its sequences, and one of rank 0 has none; what is the same for each turn is captured
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h, scalar<int> n) { unused(n); return foldl([](auto s, auto e) { return s + e; }, h, x); });
#else
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h, scalar<int> n) { unused(x); return foldl([](auto s, auto e) { return s + cast<float>(e); }, h, n); });
#endif
}
