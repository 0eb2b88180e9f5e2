// error: scan: carried value 1 has extent 3 along axis 0 before the first turn, and 2 after it; what is carried keeps its extents
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h, scalar<int> n) { unused(n); return foldl([](auto s, auto e) { return s + e; }, h, x); });
#else
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h, scalar<int> n) { unused(n); return foldl([](auto s, auto e) { return (s + e)(slice(0, 2)); }, h, x); });
#endif
}
