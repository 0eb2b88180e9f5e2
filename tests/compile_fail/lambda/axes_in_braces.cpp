// error: the axes of mean stand in angle brackets: mean<0>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    function<cpu>([](tensor<float, dynamic, dynamic, dynamic> x) { return mean<0, 2>(x) + 1; });
#else
    function<cpu>([](tensor<float, dynamic, dynamic, dynamic> x) { return mean(x, {0, 2}) + 1; });
#endif
}
