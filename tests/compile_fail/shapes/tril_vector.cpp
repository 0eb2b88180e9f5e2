// error: tril, triu, diagonal and trace take matrices, or batches of them
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x) { return tril(x); });
#else
    auto f = function<cpu>([](vector<float> x) { return tril(x); });
#endif
}
