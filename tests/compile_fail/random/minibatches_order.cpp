// error: minibatches takes one array or two, and behind them how many examples a batch has: minibatches(x, y, 100)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> images(10, 4);
    array<int, 1> labels(10);
#ifdef CROTON_TEST_OK
    for (auto [x, y] : minibatches(images, labels, 5)) x.size(), y.size();
#else
    for (auto [x, y] : minibatches(5, images, labels)) x.size(), y.size();
#endif
}
