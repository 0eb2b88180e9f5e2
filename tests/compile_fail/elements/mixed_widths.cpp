// error: add: argument 1 holds uint8 and argument 2 holds int8; convert one of them with cast<uint8>(x) or cast<int8>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<std::uint8_t> x, vector<std::int8_t> y) { return cast<std::int16_t>(x) + cast<std::int16_t>(y); });
#else
    auto f = function<cpu>([](vector<std::uint8_t> x, vector<std::int8_t> y) { return x + y; });
#endif
}
