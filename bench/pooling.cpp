// SPDX-License-Identifier: MIT
// Pooling by windows of 2 x 2, forward and backward, and by windows of 3 x 3 that overlap, beside plain loops.
#include "common.hpp"

#include <cmath>

namespace {

using croton::array;

template <int Channels, int Extent, class F> auto croton_pool(F) {
    using namespace croton;
    return function<cpu>("pool", [](tensor<float, -1, Channels, Extent, Extent> x) { return F{}(x); });
}
template <int Channels, int Extent, class F> auto croton_slope(F) {
    using namespace croton;
    return function<cpu>("slope of pool", [](tensor<float, -1, Channels, Extent, Extent> x, tensor<float, -1, -1, -1, -1> c) { return grad(sum(F{}(x) * c), x); });
}

struct halves {
    static constexpr int kernel = 2;
    constexpr auto operator()(const auto& x) const { return croton::max_pool2d(x, {.kernel = 2}); }
};
struct overlapping {
    static constexpr int kernel = 3;
    constexpr auto operator()(const auto& x) const { return croton::max_pool2d(x, {.kernel = 3, .stride = 2}); }
};

/// Calls f(number of the result, number of the largest element) for each window.
template <int Kernel, class F> void for_each_window(const array<float, 4>& x, std::int64_t count, F f) {
    const std::int64_t n = x.extent(2), planes = x.extent(0) * x.extent(1);
    for (std::int64_t plane = 0; plane < planes; ++plane)
        for (std::int64_t p = 0; p < count; ++p)
            for (std::int64_t q = 0; q < count; ++q) {
                const std::int64_t first = (plane * n + 2 * p) * n + 2 * q;
                std::int64_t at = first;
                float most = x.data()[at];
                for (int i = 0; i < Kernel; ++i)
                    for (int j = 0; j < Kernel; ++j) {
                        const float e = x.data()[first + i * n + j];
                        const bool larger = e > most || e != e;
                        most = larger ? e : most;
                        at = larger ? first + i * n + j : at;
                    }
                f((plane * count + p) * count + q, at);
            }
}

template <class Pool, int Channels, int Extent> void compare(std::int64_t samples) {
    constexpr int kernel = Pool::kernel, count = (Extent - kernel) / 2 + 1;
    array<float, 4> x(samples, Channels, Extent, Extent), y(samples, Channels, count, count), expected(y.extents()), c(y.extents()), slope(x.extents()), expected_slope(x.extents());
    bench::fill(x, -1, 1, 1);
    bench::fill(c, -1, 1, 2);
    const auto hand = [&] { for_each_window<kernel>(x, count, [&](std::int64_t to, std::int64_t at) { expected.data()[to] = x.data()[at]; }); };
    const auto hand_slope = [&] {
        for (float& e : expected_slope) e = 0;
        for_each_window<kernel>(x, count, [&](std::int64_t from, std::int64_t at) { expected_slope.data()[at] += c.data()[from]; });
    };
    const std::string what = " of windows of " + std::to_string(kernel) + " x " + std::to_string(kernel) + " by 2 of " + std::to_string(samples) + " x " + std::to_string(Channels) + " x " +
                             std::to_string(Extent) + " x " + std::to_string(Extent) + " float32";
    auto f = croton_pool<Channels, Extent>(Pool());
    f.call_into(std::tie(y), x);
    hand();
    bench::table pools("max pooling" + what);
    pools.check("croton, hand", bench::max_difference(y, expected), 0);
    pools.row("croton", 0, [&] { f.call_into(std::tie(y), x); });
    pools.row("plain loop", 1.10, hand);
    pools.measure();
    auto g = croton_slope<Channels, Extent>(Pool());
    g.call_into(std::tie(slope), x, c);
    hand_slope();
    bench::table slopes("its derivative");
    slopes.check("croton, hand", bench::max_difference(slope, expected_slope), 0);
    slopes.row("croton", 0, [&] { g.call_into(std::tie(slope), x, c); });
    slopes.row("plain loop", 1.10, hand_slope);
    slopes.measure();
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    compare<halves, 6, 28>(100);
    compare<halves, 16, 10>(100);
    compare<overlapping, 16, 27>(32);
}
