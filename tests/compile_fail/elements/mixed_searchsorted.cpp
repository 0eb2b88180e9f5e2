// error: searchsorted, digitize, isin and interp compare numbers of one element type; convert one side with cast<T>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> v, vector<int> x) { return searchsorted(v, cast<float>(x)); });
#else
    auto f = function<cpu>([](vector<float> v, vector<int> x) { return searchsorted(v, x); });
#endif
}
