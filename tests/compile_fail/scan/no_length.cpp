// error: scan needs a state or sequences; without both, or with numbers alone, its turns are an extent, as in times(x.extent(0))
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h, scalar<int> n) { unused(n); return std::get<1>(scan([&](auto t) { return step(none, h * cast<float>(t)); }, none, times(x.extent(0)))); });
#else
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h, scalar<int> n) { unused(n); unused(x); return std::get<1>(scan([&](auto t) { return step(none, h * cast<float>(t)); }, none, times(4))); });
#endif
}
