// error: both branches of cond give values of one structure, with the same element types and ranks; convert with cast<T>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h, scalar<int> n) { return cond(n > 0, [&] { return h; }, [&] { return sum<0>(x); }); });
#else
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h, scalar<int> n) { return cond(n > 0, [&] { return h; }, [&] { return x; }); });
#endif
}
