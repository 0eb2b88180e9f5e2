// SPDX-License-Identifier: MIT
// Pooling and its derivatives as PyTorch has them: make_pooling.py.
#ifndef CROTON_TESTS_GOLDEN_POOLING_HPP
#define CROTON_TESTS_GOLDEN_POOLING_HPP

#include "golden/packed.hpp"

namespace pooling {

using namespace croton;

using image = tensor<double, dynamic, dynamic, dynamic, dynamic>;

/// The gradient of the sum of squares of y, weighted by what differs from element to element, and that of the sum of its squares.
template <class Y, class X> constexpr auto slopes(const Y& y, const X& x) {
    const auto flat = flatten(y);
    const auto first = grad(sum(sqr(flat) * cos(cumsum<0>(ones_like(flat)) - 1)), x);
    return std::tuple(first, grad(sum(sqr(first)), x));
}

/// What `f` makes of the image that comes first in the file.
template <int Rank, class F> void check(const std::string& name, const F& f) {
    golden::packed want("pooling_" + name);
    const auto x = want.take<double, Rank>();
    want.check_near(f(x), 1e-13);
    want.done();
}

/// A max pooling, its indices and its slopes.
template <class Device, class X, class Pool> void check_max(const std::string& name, Pool) {
    check<X::rank>("max_" + name, function<Device>([](X x) {
        auto [y, indices] = Pool{}(x);
        return std::tuple_cat(std::tuple(y, indices), slopes(y, x));
    }));
}
/// A function of images and its slopes.
template <class Device, class X, class Pool> void check_means(const std::string& name, Pool) {
    check<X::rank>("avg_" + name, function<Device>([](X x) {
        auto y = Pool{}(x);
        return std::tuple_cat(std::tuple(y), slopes(y, x));
    }));
}

}  // namespace pooling

#endif
