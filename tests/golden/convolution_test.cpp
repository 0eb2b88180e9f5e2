// SPDX-License-Identifier: MIT
// Convolutions and their gradients against PyTorch, over kernels of 1 to 7, strides, paddings, dilations and groups.
#include "golden/convolution.hpp"

using namespace croton;

namespace {

template <int Axes = 2, class T = double, class Device = cpu, class F> void check(const char* name, F f) {
    INFO(name);
    golden::check_convolution<Device, T, Axes>(name, std::is_same_v<T, float> ? 1e-5 : 1e-13, f);
}

}  // namespace

TEST_CASE("strides, paddings and dilations") {
    check("plain", [](auto x, auto w) { return conv2d(x, w); });
    check("strided", [](auto x, auto w) { return conv2d(x, w, {.stride = 2, .padding = 1}); });
    check("pairs", [](auto x, auto w) { return conv2d(x, w, {.stride = {2, 3}, .padding = {{1, 2}, {0, 1}}, .dilation = {1, 2}}); });
    check<2, float>("pairs", [](auto x, auto w) { return conv2d(x, w, {.stride = {2, 3}, .padding = {{1, 2}, {0, 1}}, .dilation = {1, 2}}); });
}
TEST_CASE("paddings by name") {
    check("plain", [](auto x, auto w) { return conv2d(x, w, {.padding = "valid"}); });
    check("same", [](auto x, auto w) { return conv2d(x, w, {.padding = "same"}); });
    check("same_by_3", [](auto x, auto w) { return conv2d(x, w, {.stride = 3, .padding = "same"}); });
    check("full", [](auto x, auto w) { return conv2d(x, w, {.stride = {1, 2}, .padding = "full", .dilation = {2, 1}}); });
    check("flipped", [](auto x, auto w) { return conv2d(x, w, {.padding = "full", .flip = true}); });
}
