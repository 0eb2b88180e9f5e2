// error: arrays are computed with in a function, as in auto f = function<cpu>([](vector<float> x) { return exp(x); }); and then f(a)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> x{{1, 2}, {3, 4}};
    const array<int, 1> ids{1, 1, 0};
#ifdef CROTON_TEST_OK
    array<float, 2> rows = x(ids);
#else
    array<float, 2> rows = take<0>(x, ids);
#endif
    return rows.size() == 6 ? 0 : 1;
}
