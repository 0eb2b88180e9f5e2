// error: set_at: the result of take has extent 3 but argument 3 has extent 4 along axis -1; only an extent that is 1 in its declaration is repeated
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float, 5> x, vector<int, 3> i, vector<float, 3> v) { return set_at<0>(x, i, v); });
#else
    auto f = function<cpu>([](vector<float, 5> x, vector<int, 3> i, vector<float, 4> v) { return set_at<0>(x, i, v); });
#endif
}
