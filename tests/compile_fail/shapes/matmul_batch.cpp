// error: matmul(argument 1, argument 2): argument 1 has extent "head" but argument 2 has extent "sample" along axis -3; only an extent that is 1 in its declaration is repeated
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, dim("head"), 3, 4> x, tensor<float, 1, 4, 5> w) { return matmul(x, w); });
#else
    auto f = function<cpu>([](tensor<float, dim("head"), 3, 4> x, tensor<float, dim("sample"), 4, 5> w) { return matmul(x, w); });
#endif
}
