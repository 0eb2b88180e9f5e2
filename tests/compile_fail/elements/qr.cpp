// error: linear algebra takes float or double; convert with cast<double>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<double> a) { return qr(a).r; });
#else
    auto f = function<cpu>([](matrix<int> a) { return qr(a).r; });
#endif
}
