// error: the scale and the offset of a normalisation layer, and its statistics, are vectors with an element for each channel; those of layer_norm have the axes that it names
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x, vector<float> s) { return batch_norm(x, s, s); });
#else
    auto f = function<cpu>([](matrix<float> x, matrix<float> s) { return batch_norm(x, s, s); });
#endif
}
