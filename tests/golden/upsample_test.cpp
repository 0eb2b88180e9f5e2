// SPDX-License-Identifier: MIT
#include "golden/pooling.hpp"

using namespace croton;
using namespace pooling;

namespace {

template <class Device, class X, class Up> void check_upsampled(const std::string& name, Up) {
    check<X::rank>("upsample_" + name, function<Device>([](X x) {
        auto y = Up{}(x);
        return std::tuple_cat(std::tuple(y), slopes(y, x));
    }));
}

}  // namespace

TEST_CASE("elements repeated") {
    check_upsampled<cpu, image>("nearest", [](const auto& x) { return upsample_nearest<2, 3>(x); });
    check_upsampled<reference, tensor<double, 1, 2, 2, 1, 3>>("nearest_volume", [](const auto& x) { return upsample_nearest<2>(x); });
}
TEST_CASE("in proportion between neighbours") {
    check_upsampled<cpu, image>("bilinear", [](const auto& x) { return upsample_bilinear<2, 3>(x); });
    check_upsampled<cpu, tensor<double, dynamic, dynamic, 1>>("linear", [](const auto& x) { return upsample_bilinear<4>(x); });
}
TEST_CASE("in proportion between corners, channels last") {
    check_upsampled<cpu, image>("corners", [](const auto& x) { return moveaxis<-1, 1>(upsample_bilinear<nhwc, 2, 3>(moveaxis<1, -1>(x), {.align_corners = true})); });
}
