// error: there is no axis -3: the argument has 2 axes
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x, vector<int> i) { return set_at<-2>(x, i, 1.0f); });
#else
    auto f = function<cpu>([](matrix<float> x, vector<int> i) { return set_at<-3>(x, i, 1.0f); });
#endif
}
