// error: what a scan carries keeps its structure, its element types and its ranks from turn to turn; convert with cast<T>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h) { return foldl([](auto s, auto e) { return s + e; }, h, x); });
#else
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h) { return foldl([](auto s, auto e) { return sum(s + e); }, h, x); });
#endif
}
