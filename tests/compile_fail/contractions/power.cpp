// error: matrix_power takes a square matrix of numbers, or a batch of them
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> a, vector<float> v) { return matrix_power<3>(a) + v; });
#else
    auto f = function<cpu>([](matrix<float> a, vector<float> v) { return matrix_power<3>(v) + a; });
#endif
}
