// error: croton: the condition of while_loop gives one truth value, as in [](auto x) { return x < 10; }
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](scalar<float> s) { return while_loop([](auto x) { return x < 10; }, [](auto x) { return x * 2; }, s); });
#else
    auto f = function<cpu>([](scalar<float> s) { return while_loop([](auto x) { return x; }, [](auto x) { return x * 2; }, s); });
#endif
}
