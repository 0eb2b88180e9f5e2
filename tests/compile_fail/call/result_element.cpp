// error: the array for result 2 holds double, but the function gives float
// SPDX-License-Identifier: MIT
#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto f = function<cpu>([](matrix<float> x, vector<float> v) { return std::tuple(x + v, sum(x)); });
    array<float, 2> x(2, 3);
    array<float, 1> v(3);
    array<float, 0> total;
    array<double, 0> other;
#ifdef CROTON_TEST_OK
    f.call_into(std::tie(x, total), x, v);
#else
    f.call_into(std::tie(x, other), x, v);
#endif
}
