// SPDX-License-Identifier: MIT
// Short runs that do not lie as registers read them: packed into tiles, and run as one where the tile has no gaps.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

namespace {

template <class T> array<T, 3> image_of(std::int64_t height, std::int64_t width, std::int64_t channels) {
    array<T, 3> x(height, width, channels);
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(i * 7 % 101);
    return x;
}

template <class A, class F> bool all_are(const A& y, F value) {
    for (std::int64_t i = 0; i < y.extent(0); ++i)
        for (std::int64_t j = 0; j < y.extent(1); ++j)
            for (std::int64_t k = 0; k < y.extent(2); ++k)
                if (y(i, j, k) != value(i, j, k)) return false;
    return true;
}

template <class T> void check_all() {
    using image = tensor<T, dynamic, dynamic, dynamic>;
    const auto mirrored = function<cpu>([](image x) { return flip<2>(x); });
    const auto scaled = function<cpu>([](image x, matrix<T> w) { return flip<2>(x) * newaxis<2>(w); });
    const auto planes = function<cpu>([](image x) { return transpose<2, 0, 1>(cast<float>(x) * 2.f); });
    const auto pixels = function<cpu>([](image x) { return cast<T>(transpose<1, 2, 0>(x)); });
    const auto columns = function<cpu>([](image x) { return flip<1>(x); });
    const auto second = function<cpu>([](image x) {
        auto y = x(slice(none, none, 2), slice(none, none, 2));
        return y + y;
    });
    const auto sums = function<cpu>([](image x) { return cast<double>(sum<0, 1>(cast<std::int64_t>(x))); });
    const auto counted = function<cpu>([](image x) { return flip<2>(x) + cast<T>(cumsum<2>(ones_like(x))); });
    for (const std::int64_t channels : {1, 2, 3, 4, 5, 9, 15, 16, 17, 40})
        for (const auto& size : {std::array{1, 1}, {1, 4}, {3, 5}, {2, 33}, {20, 31}, {5, 700}}) {
            const std::int64_t height = size[0], width = size[1];
            CAPTURE(channels);
            CAPTURE(height);
            CAPTURE(width);
            const auto x = image_of<T>(height, width, channels);
            const std::int64_t last = channels - 1;
            CHECK(all_are(mirrored(x), [&](auto i, auto j, auto k) { return x(i, j, last - k); }));
            CHECK(all_are(counted(x), [&](auto i, auto j, auto k) { return static_cast<T>(x(i, j, last - k) + static_cast<T>(k + 1)); }));
            array<T, 2> w(height, width);
            for (std::int64_t i = 0; i < w.size(); ++i) w.data()[i] = static_cast<T>(i % 3);
            CHECK(all_are(scaled(x, w), [&](auto i, auto j, auto k) { return static_cast<T>(x(i, j, last - k) * w(i, j)); }));
            CHECK(all_are(columns(x), [&](auto i, auto j, auto k) { return x(i, width - 1 - j, k); }));
            const auto half = second(x);
            REQUIRE(half.extent(0) == (height + 1) / 2);
            REQUIRE(half.extent(1) == (width + 1) / 2);
            CHECK(all_are(half, [&](auto i, auto j, auto k) { return static_cast<T>(x(2 * i, 2 * j, k) + x(2 * i, 2 * j, k)); }));
            const auto totals = sums(x);
            bool right = true;
            for (std::int64_t k = 0; k < channels; ++k) {
                double total = 0;
                for (std::int64_t i = 0; i < height; ++i)
                    for (std::int64_t j = 0; j < width; ++j) total += static_cast<double>(x(i, j, k));
                right = right && totals(k) == total;
            }
            CHECK(right);
            const auto p = planes(x);
            CHECK(all_are(p, [&](auto k, auto i, auto j) { return static_cast<float>(x(i, j, k)) * 2.f; }));
            const array<T, 3> back = transpose<2, 0, 1>(x);
            CHECK(all_are(pixels(back), [&](auto i, auto j, auto k) { return x(i, j, k); }));
            // Some channels of a larger image, into some of another one, around which all stays.
            const auto large = image_of<T>(height, width, channels + 3);
            const auto some = large(slice(), slice(), slice(2, channels + 2));
            auto room = image_of<T>(height, width, channels + 2);
            const auto before = room;
            auto inner = room(slice(), slice(), slice(1, channels + 1));
            mirrored.call_into(std::tie(inner), some);
            CHECK(all_are(room, [&](auto i, auto j, auto k) { return k == 0 || k == channels + 1 ? before(i, j, k) : some(i, j, channels - k); }));
            CHECK(all_are(mirrored(some), [&](auto i, auto j, auto k) { return some(i, j, last - k); }));
        }
}

}  // namespace

TEST_CASE("short runs in tiles, uint8") { check_all<std::uint8_t>(); }
TEST_CASE("short runs in tiles, int16") { check_all<std::int16_t>(); }
TEST_CASE("short runs in tiles, single precision") { check_all<float>(); }
TEST_CASE("short runs in tiles, double precision") { check_all<double>(); }
