// SPDX-License-Identifier: MIT
// Convolutions whose channels lie side by side, over kernels of 1 to 7, and those with a bias and relu behind them, against PyTorch.
#include "golden/convolution.hpp"

using namespace croton;

namespace {

template <class T = float, class F> void check(const char* name, F f) {
    INFO(name);
    golden::check_convolution<cpu, T, 2>(name, std::is_same_v<T, float> ? 1e-5 : 1e-13, f);
}
template <class T = float, class F> void check_biased(const char* name, F f) {
    INFO(name);
    golden::check_biased<cpu, T, 2>(name, std::is_same_v<T, float> ? 1e-5 : 1e-13, f);
}

}  // namespace

TEST_CASE("channels side by side") {
    check("last_plain", [](auto x, auto w) { return conv2d<nhwc>(x, w); });
    check<double>("last_by_3", [](auto x, auto w) { return conv2d<nhwc>(x, w, {.stride = 3, .padding = 3}); });
    check("last_apart", [](auto x, auto w) { return conv2d<nhwc>(x, w, {.stride = {1, 2}, .padding = {0, 2}, .dilation = 2}); });
    check("last_depthwise", [](auto x, auto w) { return conv2d<nhwc>(x, w, {.stride = 2, .padding = 3, .groups = 5}); });
}
TEST_CASE("a bias and relu behind it") {
    check_biased("biased", [](auto x, auto w, auto b) { return conv2d(x, w, b, {.padding = 3}); });
    check_biased<double>("biased_last", [](auto x, auto w, auto b) { return conv2d<nhwc>(x, w, b, {.stride = 2, .padding = 3}); });
    check_biased("pointwise_biased", [](auto x, auto w, auto b) { return conv2d(x, w, b); });
}
