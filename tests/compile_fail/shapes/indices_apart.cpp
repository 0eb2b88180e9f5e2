// error: several arrays of indices index axes side by side; transpose the array first
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, 2, 3, 4> x, vector<int> i, vector<int> j) { return x(slice(), i, j); });
#else
    auto f = function<cpu>([](tensor<float, 2, 3, 4> x, vector<int> i, vector<int> j) { return x(i, slice(), j); });
#endif
}
