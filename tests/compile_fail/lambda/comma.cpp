// error: a comma drops what stands before it; several results are a tuple, as in return std::tuple(x, y);
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto f = function<cpu>([](vector<float> x) {
        expr<float, 1> y = x;
        for (int i = 0; i < 3; ++i, y = tanh(y)) {}
        ((y = exp(y)), (y = y * 2), (y = y - x));
#ifdef CROTON_TEST_OK
        return std::tuple(x * 2, y);
#else
        return x * 2, y;
#endif
    });
}
