// error: scan: carried value 2 is needed by no turn, by nothing that is given out and by no result; leave it out, or say unused(x) of what the loop has of it at last
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto f = function<cpu>([](matrix<float, dim("t"), 3> x, vector<float, 3> h, scalar<int> n) {
        auto [last, ys] = scan([](auto s, auto e) {
            auto [state, count] = s;
            auto next = tanh(state * e);
            return step(std::tuple(next, count + 1), next);
        }, std::tuple(h, n), x);
#ifdef CROTON_TEST_OK
        unused(std::get<1>(last));
#endif
        return grad(sum(ys) + sum(std::get<0>(last)), x);
    });
}
