// error: parameter 2 of the lambda is not symbolic; a parameter is a scalar, vector, matrix or tensor, shared<...> of one, or a model struct of them, such as mlp<symbol>
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, scalar<float> s) { return x * s; });
#else
    auto f = function<cpu>([](vector<float> x, float s) { return x * s; });
#endif
}
