// SPDX-License-Identifier: MIT
// Pooling by windows of 2 x 2 and by windows of 3 x 3 that overlap, forward and backward, largest elements and means, beside loops by hand.
#include "common.hpp"

#include <cmath>

namespace {

using croton::array;
using images = array<float, 4>;

struct largest {
    static constexpr const char* name = "max pooling";
    template <int Kernel> static constexpr auto pool(const auto& x) { return croton::max_pool2d(x, {.kernel = Kernel, .stride = 2}); }
};
struct mean {
    static constexpr const char* name = "mean pooling";
    template <int Kernel> static constexpr auto pool(const auto& x) { return croton::avg_pool2d(x, {.kernel = Kernel, .stride = 2}); }
};

float larger(float a, float b) { return b > a ? b : a; }

/// Calls f(row of the result, the rows of the image, of which there are `Kernel` beside each other) for each row of windows.
template <int Kernel, class F> void for_each_row(std::int64_t planes, std::int64_t n, std::int64_t count, F f) {
    for (std::int64_t plane = 0; plane < planes; ++plane)
        for (std::int64_t p = 0; p < count; ++p) f((plane * count + p) * count, (plane * n + 2 * p) * n);
}

/// Loops by hand: for windows of two by two what a compiler makes registers of, else one window after the other.
template <class Pool, int Kernel> struct by_hand {
    const images &x, &c;
    images &y, &slope;
    std::int64_t n = x.extent(2), planes = x.extent(0) * x.extent(1), count = y.extent(2);

    void forward() const {
        for_each_row<Kernel>(planes, n, count, [&](std::int64_t to, std::int64_t from) {
            const float* __restrict const a = x.data() + from;
            float* __restrict const row = y.data() + to;
            for (std::int64_t q = 0; q < count; ++q) {
                float made = a[2 * q];
                for (int i = 0; i < Kernel; ++i)
                    for (int j = i == 0 ? 1 : 0; j < Kernel; ++j) {
                        const float e = a[i * n + 2 * q + j];
                        made = std::is_same_v<Pool, mean> ? made + e : larger(made, e);
                    }
                row[q] = std::is_same_v<Pool, mean> ? made / (Kernel * Kernel) : made;
            }
        });
    }
    void backward() const {
        if (Kernel != 2 || n % 2 != 0)
            for (float& e : slope) e = 0;
        for_each_row<Kernel>(planes, n, count, [&](std::int64_t to, std::int64_t from) {
            const float* __restrict const a = x.data() + from;
            const float* __restrict const row = c.data() + to;
            float* __restrict const s = slope.data() + from;
            for (std::int64_t q = 0; q < count; ++q) {
                if constexpr (std::is_same_v<Pool, mean>) {
                    const float part = row[q] / (Kernel * Kernel);
                    for (int i = 0; i < Kernel; ++i)
                        for (int j = 0; j < Kernel; ++j) {
                            if (Kernel == 2) s[i * n + 2 * q + j] = part;
                            else s[i * n + 2 * q + j] += part;
                        }
                } else if constexpr (Kernel == 2) {
                    const float e = a[2 * q], f = a[2 * q + 1], g = a[n + 2 * q], h = a[n + 2 * q + 1];
                    const bool right = f > e, below_right = h > g, below = larger(g, h) > larger(e, f);
                    s[2 * q] = below || right ? 0 : row[q];
                    s[2 * q + 1] = below || !right ? 0 : row[q];
                    s[n + 2 * q] = !below || below_right ? 0 : row[q];
                    s[n + 2 * q + 1] = !below || !below_right ? 0 : row[q];
                } else {
                    std::int64_t at = 2 * q;
                    float most = a[at];
                    for (int i = 0; i < Kernel; ++i)
                        for (int j = 0; j < Kernel; ++j) {
                            const std::int64_t here = i * n + 2 * q + j;
                            at = a[here] > most ? here : at;
                            most = larger(most, a[here]);
                        }
                    s[at] += row[q];
                }
            }
        });
    }
};

template <class Pool, int Kernel, int Channels, int Extent> void compare(std::int64_t samples) {
    constexpr int count = (Extent - Kernel) / 2 + 1;
    images x(samples, Channels, Extent, Extent), y(samples, Channels, count, count), c(y.extents()), slope(x.extents()), expected(y.extents()), expected_slope(x.extents());
    bench::fill(x, -1, 1, 1);
    bench::fill(c, -1, 1, 2);
    const by_hand<Pool, Kernel> hand{x, c, expected, expected_slope};
    hand.forward();
    hand.backward();
    using namespace croton;
    auto f = function<cpu>("pool", [](tensor<float, -1, Channels, Extent, Extent> a) { return Pool::template pool<Kernel>(a); });
    auto g = function<cpu>("slope of pool", [](tensor<float, -1, Channels, Extent, Extent> a, tensor<float, -1, Channels, count, count> b) {
        return grad(sum(Pool::template pool<Kernel>(a) * b), a);
    });
    const std::string size = std::to_string(Kernel) + " x " + std::to_string(Kernel), extent = std::to_string(Extent);
    const std::string title = std::string(Pool::name) + " of windows of " + size + " by 2 of " + std::to_string(samples) + " x " + std::to_string(Channels) + " x " + extent + " x " + extent +
                         " float32";
    bench::table forward(title);
    f.call_into(std::tie(y), x);
    forward.check("croton, hand", bench::max_difference(y, expected), 1e-6);
    forward.row("croton", 0, [&] { f.call_into(std::tie(y), x); });
    forward.row("raw: loop by hand", 1.10, [&] { hand.forward(); });
    forward.measure();
    bench::table backward(title + ", derivative");
    g.call_into(std::tie(slope), x, c);
    backward.check("croton, hand", bench::max_difference(slope, expected_slope), 1e-6);
    backward.row("croton", 0, [&] { g.call_into(std::tie(slope), x, c); });
    backward.row("raw: loop by hand", 1.10, [&] { hand.backward(); });
    backward.measure();
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    compare<largest, 2, 6, 28>(100);
    compare<largest, 2, 16, 10>(100);
    compare<largest, 3, 16, 27>(32);
    compare<mean, 2, 6, 28>(100);
    compare<mean, 2, 16, 10>(100);
    compare<mean, 3, 16, 27>(32);
}
