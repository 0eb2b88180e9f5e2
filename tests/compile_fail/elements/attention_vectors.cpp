// error: attention takes arrays of two axes or more
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> q, matrix<float> k, matrix<float> v) { return attention(newaxis<0>(q), k, v); });
#else
    auto f = function<cpu>([](vector<float> q, matrix<float> k, matrix<float> v) { return attention(q, k, v); });
#endif
}
