// error: argument 2 is written to, but it is a temporary, with which its new values would be lost; give it a name first, or pass a view
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto f = function<cpu>([](vector<float> x, shared<vector<float>> w) { return updates(w += x); });
    array<float, 1> x(3), w(3);
#ifdef CROTON_TEST_OK
    f(x, w);
    f(x, w(slice()));
    f(array<float, 1>(3), as_view(w));
#else
    f(x, array<float, 1>{1, 2, 3});
#endif
}
