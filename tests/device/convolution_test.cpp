// SPDX-License-Identifier: MIT
// The ways in which the CPU computes convolutions against plain loops: many channels and few, every phase of strides, groups, one thread and several.
#include <croton/croton.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

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

/// The same numbers, and NaN at the same places.
template <class P, class Q> bool alike(const P& p, const Q& q) {
    bool equal = p.extents() == q.extents();
    for (std::int64_t i = 0; equal && i < p.size(); ++i) equal = p.data()[i] == q.data()[i] || (p.data()[i] != p.data()[i] && q.data()[i] != q.data()[i]);
    return equal;
}

constexpr auto strided = [](const auto& x, const auto& w, convolution_way way) {
    return conv2d(x, w, {.stride = {3, 2}, .padding = {{1, 2}, {0, 3}}, .dilation = {1, 2}, .algorithm = way});
};
constexpr auto grouped = [](const auto& x, const auto& w, convolution_way way) { return conv2d(x, w, {.padding = "same", .groups = 3, .flip = true, .algorithm = way}); };

// Halves of small whole numbers: every sum is exact in any order.
template <class T, class F> void check_kernels(F, const array<T, 4>& x, const array<T, 4>& w) {
    const auto of = []<convolution_way Way>() {
        return [](tensor<T, dynamic, dynamic, dynamic, dynamic> image, tensor<T, dynamic, dynamic, dynamic, dynamic> kernel) {
            constexpr F convolve{};
            const auto result = convolve(image, kernel, Way);
            return std::tuple(result, grad(sum(result * result), image, kernel));
        };
    };
    const auto fast = function<cpu>(of.template operator()<convolution_way::by_size>());
    const auto plain = function<cpu>(of.template operator()<convolution_way::loops>());
    const auto [y, slopes] = fast(x, w);
    const auto [y_plain, slopes_plain] = plain(x, w);
    INFO("images [" << x.extent(0) << ',' << x.extent(1) << ',' << x.extent(2) << ',' << x.extent(3) << "], kernels [" << w.extent(0) << ',' << w.extent(1) << ','
                    << w.extent(2) << ',' << w.extent(3) << "]");
    CHECK(same(y, y_plain));
    CHECK(same(std::get<0>(slopes), std::get<0>(slopes_plain)));
    CHECK(same(std::get<1>(slopes), std::get<1>(slopes_plain)));
}
template <class T, class F> void check(F f, std::int64_t groups, std::int64_t in, std::int64_t out, std::int64_t height, std::int64_t width, std::int64_t n = 2) {
    check_kernels(f, numbers<T>(1, n, groups * in, height, width), numbers<T>(5, groups * out, in, 3, 2));
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
        check<float>(strided, 1, 9, 33, 13, 12, 5);
        check<float>(grouped, 3, 2, 65, 5, 4, 7);
        check<float>(grouped, 3, 40, 24, 21, 19, 3);
        check<float>(grouped, 3, 1, 1, 5, 40, 9);
        check<float>(grouped, 3, 4, 2, 5, 4, 0);
        check<double>(strided, 1, 14, 6, 10, 9);
        check<double>(grouped, 3, 5, 17, 6, 7, 9);
    }
    set_threads(0);
}

TEST_CASE("kernels of one element") {
    const auto last = [](const auto& x, const auto& w, convolution_way way) { return conv2d<nhwc>(x, w, {.algorithm = way}); };
    const auto first = [](const auto& x, const auto& w, convolution_way way) { return conv2d(x, w, {.groups = 2, .algorithm = way}); };
    for (const int count : {1, 3}) {
        set_threads(count);
        for (const std::int64_t n : {0, 1, 5}) {
            check_kernels(first, numbers<float>(1, n, 6, 5, 4), numbers<float>(5, 8, 3, 1, 1));
            check_kernels(first, numbers<float>(1, n, 34, 8, 9), numbers<float>(5, 2, 17, 1, 1));
            check_kernels(first, numbers<double>(1, n, 2, 1, 1), numbers<double>(5, 22, 1, 1, 1));
            check_kernels(last, numbers<float>(1, n, 5, 4, 7), numbers<float>(5, 1, 1, 7, 9));
            check_kernels(last, numbers<double>(1, n, 1, 1, 20), numbers<double>(5, 1, 1, 20, 1));
        }
    }
    set_threads(0);
}

TEST_CASE("tiles") {
    // Winograd's sums are not exact: all numbers are about 1, and so are their errors about those of their largest.
    const auto near = [](const auto& p, const auto& q, double tolerance) {
        bool all = p.extents() == q.extents();
        double most = 1;
        for (std::int64_t i = 0; i < q.size(); ++i) most = std::max(most, std::abs(static_cast<double>(q.data()[i])));
        for (std::int64_t i = 0; all && i < p.size(); ++i) all = std::abs(static_cast<double>(p.data()[i]) - static_cast<double>(q.data()[i])) <= tolerance * most;
        return all;
    };
    const auto compare = [&]<class T, image_layout Layout>(std::int64_t n, std::int64_t in, std::int64_t out, std::int64_t height, std::int64_t width) {
        const auto of = []<convolution_way Way>() {
            return [](tensor<T, dynamic, dynamic, dynamic, dynamic> x, tensor<T, dynamic, dynamic, dynamic, dynamic> w, vector<T, dynamic> b) {
                const auto y = conv2d<Layout>(x, w, {.padding = {{1, 2}, {0, 1}}, .groups = 2, .algorithm = Way});
                const auto z = [&] {
                    if constexpr (Layout == nhwc) return y + b;
                    else return y + newaxis<1>(newaxis<1>(b));
                }();
                const auto flipped = conv2d<Layout>(x, w, {.padding = "same", .groups = 2, .flip = true, .algorithm = Way});
                return std::tuple(relu(z), grad(sum(y * y) + sum(flipped * flipped * flipped), x, w));
            };
        };
        const bool last = Layout == nhwc;
        const auto x = last ? numbers<T>(1, n, height, width, 2 * in) : numbers<T>(1, n, 2 * in, height, width);
        const auto w = last ? numbers<T>(5, 3, 3, in, 2 * out) : numbers<T>(5, 2 * out, in, 3, 3);
        array<T, 1> b(2 * out);
        for (std::int64_t i = 0; i < 2 * out; ++i) b.data()[i] = static_cast<T>(i % 3 - 1);
        const auto [y, slopes] = function<cpu>(of.template operator()<convolution_way::winograd>())(x, w, b);
        const auto [plain, slopes_plain] = function<cpu>(of.template operator()<convolution_way::loops>())(x, w, b);
        const double tolerance = std::is_same_v<T, float> ? 1e-4 : 1e-13;
        INFO(n << " images, " << in << " channels, " << out << " results, " << height << " x " << width);
        CHECK(near(y, plain, tolerance));
        CHECK(near(std::get<0>(slopes), std::get<0>(slopes_plain), tolerance));
        CHECK(near(std::get<1>(slopes), std::get<1>(slopes_plain), tolerance));
    };
    for (const int count : {1, 3}) {
        set_threads(count);
        compare.operator()<float, nchw>(3, 5, 11, 9, 12);
        compare.operator()<float, nchw>(5, 9, 16, 3, 70);
        compare.operator()<float, nchw>(1, 1, 1, 1, 2);
        compare.operator()<float, nchw>(0, 2, 3, 8, 8);
        compare.operator()<float, nhwc>(2, 3, 7, 6, 11);
        compare.operator()<double, nchw>(7, 4, 6, 13, 5);
    }
    set_threads(0);
}

TEST_CASE("what explanations say") {
    const auto f = function<cpu>([](tensor<float, dynamic, 8, dynamic, dynamic> x, tensor<float, 16, 8, 1, 1> w, tensor<float, 2, 8, 3, 3> k,
                                    tensor<int, dynamic, 8, dynamic, dynamic> i, tensor<int, 2, 8, 3, 3> j) {
        const auto y = conv2d(x, k);
        return outputs(conv2d(x, w), conv2d(x, k, {.algorithm = convolution_way::winograd}), conv2d(x, w, {.algorithm = convolution_way::blocks}), conv2d(x, w, {.algorithm = convolution_way::loops}), grad(sum(y * y), k),
                       conv2d(i, j));
    });
    const std::string text = explain(f);
    CAPTURE(text);
    const auto says = [&](const std::string& what) { return text.find(what + "\n") != std::string::npos; };
    CHECK(says("matrix products: kernels of one element"));
    CHECK(says("blocks of results by shifted runs of padded images, which are asked for"));
    CHECK(says("blocks of results by shifted runs of padded images"));
    CHECK(says("plain loops, which are asked for"));
    CHECK(says("tiles of 4 x 4 results, Winograd's, which are asked for"));
    CHECK(says("blocks of sums along rows: few results"));
    CHECK(says("plain loops: not float or double"));
}

TEST_CASE("bias and relu are part of the pass") {
    static constexpr auto biased = [](auto y, auto b) { return y + newaxis<1>(newaxis<1>(b)); };
    const auto f = [](tensor<float, dynamic, 4, 6, 8> x, tensor<float, 10, 2, 3, 3> w, tensor<float, 10, 4, 1, 1> one, vector<float, 10> b, vector<float, 4> l) {
        const auto y = conv2d(x, w, {.padding = 1, .groups = 2});
        const auto pooled = max_pool2d(relu(biased(conv2d(x, w, {.padding = 1, .groups = 2, .flip = true}), b)), {.kernel = 2, .stride = 2});
        return outputs(relu(biased(y, b)), biased(conv2d(x, one), b), relu(conv2d(x, one, {.stride = 2})), relu(biased(conv2d(x, one, {.flip = true}), b)), pooled,
                       relu(l + conv2d<nhwc>(transpose<0, 2, 3, 1>(x), transpose<2, 3, 1, 0>(w(slice(0, 4))), {.groups = 2})));
    };
    const auto fast = function<cpu>(f);
    const auto plain = function<reference>(f);
    for (const std::int64_t n : {0, 1, 3}) {
        const auto x = numbers<float>(1, n, 4, 6, 8), w = numbers<float>(3, 10, 2, 3, 3), one = numbers<float>(8, 10, 4, 1, 1);
        const array<float, 1> b{1, -2, 3, -4, 5, -6, 7, -8, 9, -10}, l{1, -30, 0, 4};
        const auto y = fast(x, w, one, b, l), expected = plain(x, w, one, b, l);
        CHECK(same(std::get<0>(y), std::get<0>(expected)));
        CHECK(same(std::get<1>(y), std::get<1>(expected)));
        CHECK(same(std::get<2>(y), std::get<2>(expected)));
        CHECK(same(std::get<3>(y), std::get<3>(expected)));
        CHECK(same(std::get<4>(y), std::get<4>(expected)));
        CHECK(same(std::get<5>(y), std::get<5>(expected)));
    }
    const std::string text = explain(fast);
    CAPTURE(text);
    const auto count = [&](const std::string& what) {
        int times = 0;
        for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++times;
        return times;
    };
    CHECK(count("routine  output 1 = convolution_biased<relu>(") == 1);
    CHECK(count("routine  output 2 = convolution_biased(") == 1);
    CHECK(count("routine  output 3 = convolution<relu>(") == 1);
    CHECK(count("routine  output 4 = convolution_biased<flipped, relu>(") == 1);
    // The relu in front of a pool is taken behind it, where there are fewer elements.
    CHECK(count("= convolution_biased<flipped, relu>(") == 1);
    CHECK(count("= convolution_biased<flipped>(") == 1);
    CHECK(count("routine  output 6 = convolution_biased<channels last, relu>(") == 1);
    CHECK(count("loop over") == 1);
}

TEST_CASE("what goes past the pass") {
    // What something else reads, what is no argument of the function, and what lies along other axes.
    const auto f = [](tensor<float, dynamic, 2, 4, 4> x, tensor<float, 4, 2, 1, 1> w, vector<float, 4> b) {
        const auto y = conv2d(x, w);
        const auto z = conv2d(x, w, {.flip = true});
        return outputs(y, relu(y + newaxis<1>(newaxis<1>(b))), z + newaxis<1>(newaxis<1>(exp(b))), conv2d(x, 2 * w) + b, relu(conv2d(x, 3 * w) * 2));
    };
    const auto x = numbers<float>(1, 3, 2, 4, 4), w = numbers<float>(3, 4, 2, 1, 1);
    const array<float, 1> b{0, -0.0f, 0, 0};
    const auto y = function<cpu>(f)(x, w, b), expected = function<reference>(f)(x, w, b);
    CHECK(same(std::get<0>(y), std::get<0>(expected)));
    CHECK(same(std::get<1>(y), std::get<1>(expected)));
    CHECK(same(std::get<2>(y), std::get<2>(expected)));
    CHECK(same(std::get<3>(y), std::get<3>(expected)));
    CHECK(same(std::get<4>(y), std::get<4>(expected)));
}

TEST_CASE("infinities and NaN") {
    const auto f = [](tensor<float, dynamic, dynamic, dynamic, dynamic> a, tensor<float, dynamic, dynamic, dynamic, dynamic> b,
                      tensor<float, dynamic, dynamic, dynamic, dynamic> d) {
        const auto y = conv2d(a, b, {.stride = 2, .padding = {{2, 1}, {1, 2}}});
        return std::tuple(y, grad(sum(y * d), a, b));
    };
    const auto fast = function<cpu>(f);
    const auto plain = function<reference>(f);
    // In front of the padding, beside it, between rows of windows, and in the kernel; few results and many.
    for (const std::int64_t out : {2, 20})
        for (const int where : {0, 7, 24, 61}) {
            auto x = numbers<float>(1, 3, 2, 5, 6), w = numbers<float>(4, out, 2, 3, 2);
            x.data()[where] = std::numeric_limits<float>::infinity();
            if (where == 7) w.data()[3] = std::numeric_limits<float>::quiet_NaN();
            if (where == 61) w.data()[9] = -std::numeric_limits<float>::infinity();
            const auto c = numbers<float>(2, 3, out, 3, 4);
            const auto [y, slopes] = fast(x, w, c);
            const auto [y_plain, slopes_plain] = plain(x, w, c);
            INFO(out << " results, number " << where);
            CHECK(alike(y, y_plain));
            CHECK(alike(std::get<0>(slopes), std::get<0>(slopes_plain)));
            CHECK(alike(std::get<1>(slopes), std::get<1>(slopes_plain)));
        }
}
