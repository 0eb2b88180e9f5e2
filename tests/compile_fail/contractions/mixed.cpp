// error: einsum: argument 1 holds float and argument 2 holds double; convert one of them with cast<float>(x) or cast<double>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> a, matrix<double> b) { return einsum<"ij,jk">(cast<double>(a), b); });
#else
    auto f = function<cpu>([](matrix<float> a, matrix<double> b) { return einsum<"ij,jk">(a, b); });
#endif
}
