// error: a scan has as many turns as its sequences are long, or as it is told, as in times(10)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float, 3> h) { return std::get<0>(scan([](auto s) { return s * 0.5f; }, h, times(4))); });
#else
    auto f = function<cpu>([](vector<float, 3> h) { return std::get<0>(scan([](auto s) { return s * 0.5f; }, h, none)); });
#endif
}
