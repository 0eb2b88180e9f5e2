// SPDX-License-Identifier: MIT
// The ways that the CPU has for convolutions against PyTorch: kernels of one element, tiles, channels side by side, and what fills registers.
#include "golden/convolution.hpp"

using namespace croton;

namespace {

template <class T = double, class F> void check(const char* name, F f) {
    INFO(name);
    golden::check_convolution<cpu, T, 2>(name, std::is_same_v<T, float> ? 1e-5 : 1e-13, f);
}
/// Winograd's tiles, whose sums lose digits.
template <class T, class F> void check_tiles(const char* name, F f) {
    INFO(name);
    golden::check_convolution<cpu, T, 2>(name, std::is_same_v<T, float> ? 4e-5 : 1e-12, f);
}

}  // namespace

TEST_CASE("kernels of one element") {
    check("pointwise", [](auto x, auto w) { return conv2d(x, w); });
    check<float>("pointwise", [](auto x, auto w) { return conv2d(x, w); });
    check<float>("pointwise_groups", [](auto x, auto w) { return conv2d(x, w, {.groups = 2}); });
    check("pointwise_last", [](auto x, auto w) { return conv2d<nhwc>(x, w); });
    check<float>("pointwise_by_2", [](auto x, auto w) { return conv2d(x, w, {.stride = 2, .padding = 1}); });
}
TEST_CASE("tiles") {
    check_tiles<float>("tiles", [](auto x, auto w) { return conv2d(x, w, {.padding = 1, .algorithm = convolution_way::winograd}); });
    check_tiles<double>("tiles_groups", [](auto x, auto w) { return conv2d(x, w, {.groups = 2, .algorithm = convolution_way::winograd}); });
    check_tiles<float>("tiles_last", [](auto x, auto w) { return conv2d<nhwc>(x, w, {.padding = 1, .algorithm = convolution_way::winograd}); });
}
TEST_CASE("results and channels that fill registers") {
    check<float>("wide_by_1", [](auto x, auto w) { return conv2d(x, w, {.padding = 1}); });
    check("wide_by_1", [](auto x, auto w) { return conv2d(x, w, {.padding = 1}); });
    check<float>("wide_by_2", [](auto x, auto w) { return conv2d(x, w, {.stride = 2, .padding = 1}); });
    check<float>("wide_by_3", [](auto x, auto w) { return conv2d(x, w, {.stride = 3, .padding = 1}); });
}
