// error: segments and bincount need the number of results, as in bincount<10>(ids) or bincount<dim("class")>(ids)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<int> i) { return bincount<4>(i); });
#else
    auto f = function<cpu>([](vector<int> i) { return bincount<dynamic>(i); });
#endif
}
