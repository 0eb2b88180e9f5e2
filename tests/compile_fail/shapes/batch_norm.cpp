// error: batch_norm: argument 1 has extent 6 but argument 2 has extent 5 along axis 1
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, dynamic, 6, 8, 8> x, vector<float, 6> s) { return batch_norm(x, s, s); });
#else
    auto f = function<cpu>([](tensor<float, dynamic, 6, 8, 8> x, vector<float, 5> s) { return batch_norm(x, s, s); });
#endif
}
