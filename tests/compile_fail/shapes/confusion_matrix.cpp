// error: confusion_matrix takes two vectors, [n] and [n]; flatten(x) makes one
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<int, 2> said(3, 3), is(3, 3);
#ifdef CROTON_TEST_OK
    auto y = eval(confusion_matrix<3>(flatten(said), flatten(is)));
#else
    auto y = confusion_matrix<3>(said, is);
#endif
}
