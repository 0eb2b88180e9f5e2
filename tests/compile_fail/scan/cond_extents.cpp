// error: cond: value 1 has extent 3 along axis 0 in the first branch, and 2 in the second
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h, scalar<int> n) { unused(x); return cond(n > 0, [&] { return h; }, [&] { return 2 * h; }); });
#else
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h, scalar<int> n) { unused(x); return cond(n > 0, [&] { return h; }, [&] { return 2 * h(slice(0, 2)); }); });
#endif
}
