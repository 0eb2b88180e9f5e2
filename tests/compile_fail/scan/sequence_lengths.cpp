// error: scan: argument 2 has extent 3 along its first axis, where the first sequence has 2
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h, scalar<int> n) { unused(n); return foldl([](auto s, auto e) { return s + std::get<1>(e); }, sum(x), std::tuple(h, h)); });
#else
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h, scalar<int> n) { unused(n); return foldl([](auto s, auto e) { return s + std::get<1>(e); }, sum(x), std::tuple(h(slice(0, 2)), h)); });
#endif
}
