// error: vmap: what ends the loop is another for each
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto f = function<cpu>([](matrix<float> x) {
        return vmap([](auto row) {
            auto first = sum(row);
#ifdef CROTON_TEST_OK
            return std::get<0>(scan([](auto s) { return s / 2; }, first, times(3)));
#else
            return while_loop([](auto s) { return s > 1; }, [](auto s) { return s / 2; }, first, 100);
#endif
        }, x);
    });
}
