// SPDX-License-Identifier: MIT
// The same kernels in two translation units with different -m flags: each must run its own, or a program that asks
// the processor first would still run the wrong one.
#include <croton/croton.hpp>

using namespace croton;

float squares_in_other_unit(const array<float, 1>& x);

int main() {
    array<float, 1> x(37);
    for (int i = 0; i < 37; ++i) x(i) = static_cast<float>(i);
    auto squares = function<cpu>([](vector<float> v) { return sum(v * v + exp(v - v)); });
    const float here = squares(x)();
    const float expected = 36.0F * 37.0F * 73.0F / 6.0F + 37.0F;
    if (here != expected) return 1;
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 0;
#endif
    return squares_in_other_unit(x) == expected ? 0 : 2;
}
