// error: vmap: searchsorted looks in one array that is sorted, not in another for each
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, matrix<float> y) { return vmap([&](auto row) { return searchsorted(x, row); }, y); });
#else
    auto f = function<cpu>([](vector<float> x, matrix<float> y) { return vmap([&](auto row) { return searchsorted(row, x); }, y); });
#endif
}
