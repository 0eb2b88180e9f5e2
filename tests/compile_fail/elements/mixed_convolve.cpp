// error: convolve and correlate take numbers of one element type; convert one side with cast<T>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> a, vector<int> v) { return convolve(a, cast<float>(v)); });
#else
    auto f = function<cpu>([](vector<float> a, vector<int> v) { return convolve(a, v); });
#endif
}
