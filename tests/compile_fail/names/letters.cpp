// error: a_dim_name_has_1_to_10_letters_digits_or_underscores
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float, dim("in_2")> x) { return 2 * x; });
#else
    auto f = function<cpu>([](vector<float, dim("in-2")> x) { return 2 * x; });
#endif
}
