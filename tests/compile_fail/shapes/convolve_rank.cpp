// error: convolve and correlate take two vectors; conv1d takes batches of them with channels
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x, vector<float> w) { return convolve(x(0), w); });
#else
    auto f = function<cpu>([](matrix<float> x, vector<float> w) { return convolve(x, w); });
#endif
}
