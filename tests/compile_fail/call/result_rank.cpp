// error: the array for result 1 has rank 1, but the function gives rank 2
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
    f.call_into(std::tie(v, total), x, v);
#endif
}
