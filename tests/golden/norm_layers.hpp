// SPDX-License-Identifier: MIT
// Normalisation layers, their running statistics and their derivatives as PyTorch has them: make_norm_layers.py.
#ifndef CROTON_TESTS_GOLDEN_NORM_LAYERS_HPP
#define CROTON_TESTS_GOLDEN_NORM_LAYERS_HPP

#include "golden/packed.hpp"

namespace norm_layers {

using namespace croton;

/// A layer of double, with the fields of `norm_layer`.
template <template <class, int> class A> struct layer {
    A<double, 1> scale, offset;
};
template <template <class, int> class A> struct statistics {
    A<double, 1> mean, variance;
};

/// The sum of an expression, weighted by what differs from element to element.
template <class Y> constexpr auto weighed(const Y& y) {
    const auto flat = flatten(y);
    return sum(flat * cos(cumsum<0>(ones_like(flat)) - 1));
}

/// Two steps of training and one of inference, with all derivatives.
template <class Device, int Rank, class Image> void check_batch_norm(const std::string& name) {
    golden::packed want("norm_layers_batch_" + name);
    const auto x = want.take<double, Rank>(), second = want.take<double, Rank>();
    const auto scale = want.take<double, 1>(), offset = want.take<double, 1>();
    const layer<on<cpu>::array> learned{scale, offset};
    const std::int64_t channels = scale.extent(0);
    statistics<on<cpu>::array> running{array<double, 1>(channels), array<double, 1>(channels)};
    for (double& each : running.variance) each = 1;

    const auto train = function<Device>([](Image image, layer<symbol> p, shared<statistics<symbol>> s) {
        auto [y, moved] = batch_norm(image, p, s);
        auto cost = weighed(y);
        auto [gx, gs, gb] = grad(cost, image, p.scale, p.offset);
        return outputs(y, gx, gs, gb, grad(sum(sqr(gx)), image)).updates(moved);
    });
    want.check_near(train(x, learned, running), 1e-11);
    want.check_near(running.mean, 1e-14);
    want.check_near(running.variance, 1e-14);
    want.check_near(std::get<0>(train(second, learned, running)), 1e-12);
    want.check_near(running.mean, 1e-14);
    want.check_near(running.variance, 1e-14);
    const auto use = function<Device>([](Image image, layer<symbol> p, statistics<symbol> s) {
        auto y = batch_norm_inference(image, p, s);
        auto [gx, gs] = grad(weighed(y), image, p.scale);
        return outputs(y, gx, gs);
    });
    want.check_near(use(x, learned, running), 1e-12);
    want.done();
}

/// A layer with a scale and an offset: its result, its gradients, and that of the sum of squares of the first.
template <class Device, int Rank, int Parameters, class F> void check(const std::string& name, F) {
    golden::packed want("norm_layers_" + name);
    const auto x = want.take<double, Rank>();
    const auto scale = want.take<double, Parameters>(), offset = want.take<double, Parameters>();
    const auto f = function<Device>([](typename F::image image, typename F::parameter s, typename F::parameter b) {
        auto y = F::of(image, s, b);
        auto [gx, gs, gb] = grad(weighed(y), image, s, b);
        return outputs(y, gx, gs, gb, grad(sum(sqr(gx)), image));
    });
    want.check_near(f(x, scale, offset), 1e-11);
    want.done();
}

}  // namespace norm_layers

#endif
