// SPDX-License-Identifier: MIT
// What PyTorch makes of convolutions, and of their gradients: values/part_convolution_*.npy, by make_convolution.py.
#ifndef CROTON_TESTS_GOLDEN_CONVOLUTION_HPP
#define CROTON_TESTS_GOLDEN_CONVOLUTION_HPP

#include "golden/packed.hpp"

namespace golden {

/// `convolve(x, w)` of images with `Axes` axes along which windows move, for every size in the file: its values and both gradients.
template <class Device, class T, int Axes, class F> void check_convolution(const char* name, double tolerance, F) {
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
        file.check_near(y, tolerance);
        file.check_near(of_x, tolerance);
        file.check_near(of_w, tolerance);
    }
}
/// The same of `convolve(x, w, b)` with relu behind it, by itself, where it is part of the pass, and where its gradients are asked for.
template <class Device, class T, int Axes, class F> void check_biased(const char* name, double tolerance, F) {
    constexpr auto whole = [](const auto& x, const auto& w, const auto& b) { return relu(F{}(x, w, b)); };
    const auto f = function<Device>([](symbol<T, Axes + 2> x, symbol<T, Axes + 2> w, vector<T> b) { return decltype(whole){}(x, w, b); });
    const auto g = function<Device>([](symbol<T, Axes + 2> x, symbol<T, Axes + 2> w, vector<T> b, symbol<T, Axes + 2> c) {
        return grad(sum(decltype(whole){}(x, w, b) * c), x, w, b);
    });
    CHECK(explain(f).find("loop over") == std::string::npos);
    packed file(std::string("convolution_") + name);
    while (file.has_more()) {
        const auto x = file.take<T, Axes + 2>();
        const auto w = file.take<T, Axes + 2>();
        const auto b = file.take<T, 1>();
        const auto c = file.take<T, Axes + 2>();
        file.check_near(f(x, w, b), tolerance);
        const auto [of_x, of_w, of_b] = g(x, w, b, c);
        file.check_near(of_x, tolerance);
        file.check_near(of_w, tolerance);
        file.check_near(of_b, tolerance);
    }
}

}  // namespace golden

#endif
