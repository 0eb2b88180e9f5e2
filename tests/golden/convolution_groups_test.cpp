// SPDX-License-Identifier: MIT
// Convolutions in groups, of other axes and layouts, and transposed ones, with their gradients, against PyTorch.
#include "golden/convolution.hpp"

using namespace croton;

namespace {

template <int Axes = 2, class T = double, class Device = cpu, class F> void check(const char* name, F f) {
    INFO(name);
    golden::check_convolution<Device, T, Axes>(name, std::is_same_v<T, float> ? 1e-5 : 1e-13, f);
}

}  // namespace

TEST_CASE("groups and layouts") {
    check("groups", [](auto x, auto w) { return conv2d(x, w, {.padding = 1, .groups = 2}); });
    check("depthwise", [](auto x, auto w) { return conv2d(x, w, {.stride = 3, .padding = 2, .groups = 4}); });
    check<2, float>("depthwise", [](auto x, auto w) { return conv2d(x, w, {.stride = 3, .padding = 2, .groups = 4}); });
    check("last", [](auto x, auto w) { return conv2d<nhwc>(x, w, {.stride = 2, .padding = 1, .groups = 2}); });
}
TEST_CASE("one axis, and three") {
    check<1>("line", [](auto x, auto w) { return conv1d(x, w, {.stride = 2, .padding = 3, .dilation = 2}); });
    check<3>("volume", [](auto x, auto w) { return conv3d(x, w, {.stride = {1, 2, 1}, .padding = 1}); });
}
TEST_CASE("transposed") {
    check("back_groups", [](auto x, auto w) { return conv_transpose2d<nhwc>(x, w, {.stride = 2, .padding = 1, .dilation = 2, .groups = 2}); });
    check("back", [](auto x, auto w) { return conv_transpose2d(x, w, {.stride = 3, .output_padding = 1}); });
    check<1>("back_line", [](auto x, auto w) { return conv_transpose1d(x, w, {.stride = 2, .padding = {{1, 1}}, .output_padding = 1}); });
}
