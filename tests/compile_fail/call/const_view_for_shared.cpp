// error: argument 1 (w) is written to, but it is const, as the values of an expression are; pass an array, or a view of elements, that is not const
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto f = function<cpu>([](shared<vector<float>> w) { return updates(named(w, "w") += 1); });
    array<float, 1> v(3);
#ifdef CROTON_TEST_OK
    f(v.as_view());
#else
    f(view<const float, 1>(v.as_view()));
#endif
}
