// error: scan: with checkpoint or unroll a sequence has at most 7 axes, because a turn walks along several elements
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, 4, 1, 1, 1, 1, 1, 1, 2> x) { return foldl([](auto s, auto e) { return s + sum(e); }, 0.0f, x); });
#else
    auto f = function<cpu>([](tensor<float, 4, 1, 1, 1, 1, 1, 1, 2> x) { return std::get<0>(scan([](auto s, auto e) { return s + sum(e); }, 0.0f, x, {.unroll = 2})); });
#endif
}
