// SPDX-License-Identifier: MIT
// The ways in which the CPU computes convolutions against plain loops: many channels and few, every phase of strides, groups, one thread and several.
#include <croton/croton.hpp>

#include <doctest/doctest.h>

using namespace croton;

namespace {

template <class T, class... N> array<T, 4> numbers(int from, N... n) {
    array<T, 4> a(n...);
    for (T& each : a) each = static_cast<T>((from++ * 37 % 11) - 5) / 2;
    return a;
}
template <class P, class Q> bool same(const P& p, const Q& q) {
    bool equal = p.extents() == q.extents();
    for (std::int64_t i = 0; equal && i < p.size(); ++i) equal = p.data()[i] == q.data()[i];
    return equal;
}

constexpr auto strided = [](const auto& x, const auto& w, convolution_way way) {
    return conv2d(x, w, {.stride = {3, 2}, .padding = {{1, 2}, {0, 3}}, .dilation = {1, 2}, .algorithm = way});
};
constexpr auto grouped = [](const auto& x, const auto& w, convolution_way way) { return conv2d(x, w, {.padding = "same", .groups = 3, .flip = true, .algorithm = way}); };

// Halves of small whole numbers: every sum is exact in any order.
template <class T, class F> void check(F, std::int64_t groups, std::int64_t in, std::int64_t out, std::int64_t height, std::int64_t width, std::int64_t n = 2) {
    const auto of = []<convolution_way Way>() {
        return [](tensor<T, dynamic, dynamic, dynamic, dynamic> x, tensor<T, dynamic, dynamic, dynamic, dynamic> w) {
            constexpr F convolve{};
            const auto y = convolve(x, w, Way);
            return std::tuple(y, grad(sum(y * y), x, w));
        };
    };
    const auto fast = function<cpu>(of.template operator()<convolution_way::by_size>());
    const auto plain = function<cpu>(of.template operator()<convolution_way::loops>());
    const auto x = numbers<T>(1, n, groups * in, height, width), w = numbers<T>(5, groups * out, in, 3, 2);
    const auto [y, slopes] = fast(x, w);
    const auto [y_plain, slopes_plain] = plain(x, w);
    INFO(groups << " groups of " << in << " channels, " << out << " results, " << height << " x " << width);
    CHECK(same(y, y_plain));
    CHECK(same(std::get<0>(slopes), std::get<0>(slopes_plain)));
    CHECK(same(std::get<1>(slopes), std::get<1>(slopes_plain)));
}

}  // namespace

TEST_CASE("against loops") {
    for (const int count : {1, 3}) {
        set_threads(count);
        check<float>(strided, 1, 13, 7, 11, 10);
        check<float>(strided, 1, 27, 9, 8, 31);
        check<float>(strided, 1, 3, 5, 9, 70);
        check<float>(strided, 1, 1, 1, 3, 3, 1);
        check<float>(grouped, 3, 6, 5, 7, 6);
        check<float>(grouped, 3, 1, 1, 5, 40, 9);
        check<float>(grouped, 3, 4, 2, 5, 4, 0);
        check<double>(strided, 1, 14, 6, 10, 9);
    }
    set_threads(0);
}
