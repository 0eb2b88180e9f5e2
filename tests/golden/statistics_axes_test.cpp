// SPDX-License-Identifier: MIT
#include "golden/statistics.hpp"

using namespace croton;

namespace {

template <class Device> void check() {
    const auto f = function<Device>([](tensor<double, dynamic, dynamic, dynamic> x) {
        return std::tuple(var<0, 2>(x), nanstddev<1, 2>(x, keepdims), nanmedian<0, 2>(x), nanquantile<2, 1>(x, 0.35, keepdims), nanquantile<0, 1, 2>(x, 0.5), median<0, 1>(x),
                          norm<1, 2>(x), norm<2, 0>(x, 1), norm<0, 1>(x, INFINITY, keepdims), nanmax<0, -1>(x), nansum<-2>(x));
    });
    golden::packed want("statistics_axes");
    want.check(f(statistics::matrix_of<double, 3>("3x4x5")), 16);
    want.done();
}

}  // namespace

TEST_CASE("several axes, and among more") {
    check<cpu>();
    check<reference>();
}
