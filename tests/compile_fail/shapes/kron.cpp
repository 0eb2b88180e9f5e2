// error: kron takes two arrays of one rank, 1 to 4
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x, vector<float> y) { return kron(x, newaxis<0>(y)); });
#else
    auto f = function<cpu>([](matrix<float> x, vector<float> y) { return kron(x, y); });
#endif
}
