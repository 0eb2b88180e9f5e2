// error: arange counts up to an extent, as in arange(x.extent(0)), or to a number in angle brackets, as in arange<10>(x): a computed number is known too late
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return arange(x.extent(0)); });
#else
    auto f = function<cpu>([](scalar<std::int64_t> n) { return arange(n + 1); });
#endif
}
