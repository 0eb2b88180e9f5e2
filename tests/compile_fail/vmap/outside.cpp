// error: vmap: an argument of its lambda is used outside of it
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x) { return vmap([](auto row) { return sum(row); }, x); });
#else
    auto f = function<cpu>([](matrix<float> x) {
        expr<float, 1> kept;
        const auto sums = vmap([&](auto row) { kept = row; return sum(row); }, x);
        return outputs(sums, kept);
    });
#endif
}
