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

TEST_CASE("spectral norms, variables of two arrays, means without weights, hundredths, positions along axes that stay") {
    const auto f = function<cpu>([](tensor<double, dynamic, dynamic, dynamic> x) {
        return std::tuple(norm(x(0), 2), norm(x(0), -2), norm<0, 1>(x, 2), norm<2, 0>(x, -2, keepdims), cov(x(0), x(1)), cov(x(0, 0), x(1)), corrcoef(x(1), x(2, 0)), average(x), average<1>(x),
                          average<0, 2>(x, keepdims), percentile(x, 30), percentile<0, 1>(x, 12.5, keepdims), argmax<1>(x, keepdims), argmin<0>(x, keepdims), argmax(x, keepdims));
    });
    golden::packed want("statistics_more");
    want.check(f(statistics::matrix_of<double, 3>("normal")), 64);
    want.done();
}

TEST_CASE("positions and hundredths of what is a number") {
    const auto f = function<cpu>([](tensor<double, dynamic, dynamic, dynamic> x, scalar<double> share) {
        return std::tuple(nanargmax<0>(x), nanargmin(x), nanargmax(x), nanargmin<0>(x, keepdims), nanpercentile<0>(x, share), nanpercentile<0, 2>(x, 2 * share, keepdims));
    });
    golden::packed want("statistics_gaps");
    want.check(f(statistics::matrix_of<double, 3>("gaps"), 30.0), 16);
    want.done();
}
