// error: the function has 2 results, but the call has arrays for 1
// SPDX-License-Identifier: MIT
#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto f = function<cpu>([](matrix<float> x, vector<float> v) { return std::tuple(x + v, sum(x)); });
    array<float, 2> x(2, 3);
    array<float, 1> v(3);
    array<float, 0> total;
#ifdef CROTON_TEST_OK
    f.call_into(std::tie(x, total), x, v);
#else
    f.call_into(x, x, v);
#endif
}
