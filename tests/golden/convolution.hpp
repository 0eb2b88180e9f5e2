// SPDX-License-Identifier: MIT
// What PyTorch makes of convolutions, and of their gradients: values/part_convolution_*.npy, by make_convolution.py.
#ifndef CROTON_TESTS_GOLDEN_CONVOLUTION_HPP
#define CROTON_TESTS_GOLDEN_CONVOLUTION_HPP

#include "golden/packed.hpp"

namespace golden {

/// `convolve(x, w)` of images with `Axes` axes along which windows move, for every size in the file: its values and both gradients.
template <class Device, class T, int Axes, class F> void check_convolution(const char* name, F) {
    const auto f = function<Device>([](symbol<T, Axes + 2> x, symbol<T, Axes + 2> w, symbol<T, Axes + 2> c) {
        constexpr F convolve{};
        const auto y = convolve(x, w);
        return std::tuple(y, grad(sum(y * c), x, w));
    });
    packed file(std::string("convolution_") + name);
    while (file.has_more()) {
        const auto x = file.take<T, Axes + 2>();
        const auto w = file.take<T, Axes + 2>();
        const auto c = file.take<T, Axes + 2>();
        const auto [y, slopes] = f(x, w, c);
        const auto [of_x, of_w] = slopes;
        const double tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-13;
        file.check_near(y, tolerance);
        file.check_near(of_x, tolerance);
        file.check_near(of_w, tolerance);
    }
}

}  // namespace golden

#endif
