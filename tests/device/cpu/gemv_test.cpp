// SPDX-License-Identifier: MIT
// Matrices times vectors by registers: every size around a block, every stride, every instruction set that this program has.
#include <croton/device/cpu/gemv.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using namespace croton::kernel;
namespace of = croton::detail::cpu_device;

namespace {

// Multiples of a quarter that are small: every sum of their products is exact, in whatever order.
template <class T> T small(std::mt19937& random) { return static_cast<T>(static_cast<int>(random() % 17) - 8) / T(4); }

template <class T> struct strided {
    std::vector<T> data;
    std::int64_t size, stride;

    strided(std::int64_t n, std::int64_t s, std::mt19937& random) : data(static_cast<std::size_t>(1 + (n - 1) * (s < 0 ? -s : s)), T(-77)), size(n), stride(s) {
        for (std::int64_t i = 0; i < n; ++i) *at(i) = small<T>(random);
    }
    T* first() { return stride < 0 ? data.data() + (size - 1) * -stride : data.data(); }
    T* at(std::int64_t i) { return first() + i * stride; }
};

template <class T, class Arch> void check(std::int64_t rows, std::int64_t cols, bool by_rows, std::int64_t gap, std::int64_t x_stride, std::int64_t y_stride, T alpha, T beta) {
    std::mt19937 random(static_cast<unsigned>(rows * 131 + cols));
    const std::int64_t along = by_rows ? cols : rows, across = by_rows ? rows : cols;
    // Nothing lies behind the last element: what is read there is found by sanitizers.
    std::vector<T> data(static_cast<std::size_t>((across - 1) * (along + gap) + along));
    for (T& v : data) v = small<T>(random);
    const matrix<const T> a{data.data(), rows, cols, by_rows ? along + gap : 1, by_rows ? 1 : along + gap};
    strided<T> x(cols, x_stride, random), y(rows, y_stride, random), wanted = y;
    for (std::int64_t i = 0; i < rows; ++i) {
        T sum = 0;
        for (std::int64_t k = 0; k < cols; ++k) sum += a.data[i * a.row_stride + k * a.col_stride] * *x.at(k);
        *wanted.at(i) = alpha * sum + (beta == T(0) ? T(0) : beta * *wanted.at(i));
    }
    if (beta == T(0))
        for (std::int64_t i = 0; i < rows; ++i) *y.at(i) = std::numeric_limits<T>::quiet_NaN();
    REQUIRE(of::gemv<T, Arch>::fits(a));
    of::gemv<T, Arch>::run(alpha, a, {x.first(), cols, x_stride}, beta, {y.first(), rows, y_stride});
    CAPTURE(rows);
    CAPTURE(cols);
    CAPTURE(by_rows);
    CAPTURE(x_stride);
    CAPTURE(y_stride);
    // Also what lies between the numbers of the result.
    const bool same = y.data == wanted.data;
    CHECK(same);
}

// Rows that are added up some at a time, beside what was there.
template <class T, class Arch> void check_rows(std::int64_t rows, std::int64_t cols, std::int64_t x_stride, bool first, std::int64_t ahead) {
    std::mt19937 random(static_cast<unsigned>(rows * 131 + cols));
    const std::int64_t apart = cols + 3;
    std::vector<T> data(static_cast<std::size_t>((rows - 1) * apart + cols)), sum(static_cast<std::size_t>(cols + 1), T(-77));
    for (T& v : data) v = small<T>(random);
    strided<T> x(rows, x_stride, random);
    std::vector<T> wanted = sum;
    for (std::int64_t k = 0; k < cols; ++k) {
        T& out = wanted[static_cast<std::size_t>(k)];
        if (first) out = 0;
        for (std::int64_t i = 0; i < rows; ++i) out += data[static_cast<std::size_t>(i * apart + k)] * *x.at(i);
    }
    of::gemv<T, Arch>::add_rows({data.data(), rows, cols, apart, 1}, {x.first(), rows, x_stride}, sum.data(), first, ahead);
    CAPTURE(rows);
    CAPTURE(cols);
    const bool same = sum == wanted;
    CHECK(same);
}

template <class T, class Arch> void check_all() {
    for (const std::int64_t rows : {1, 3, 4, 8, 9, 16, 21})
        for (const std::int64_t cols : {1, 5, 16, 31, 63, 64, 65, 71, 100, 129, 200})
            for (const std::int64_t stride : {1, -2}) check_rows<T, Arch>(rows, cols, stride, rows % 2 == 0, cols % 2 == 0 ? 0 : 7 * cols);
    const std::int64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 10, 15, 16, 17, 20, 31, 33, 47, 49, 63, 64, 65, 100, 129}, strides[] = {1, 3, -1, -2};
    std::mt19937 random(5);
    const T factors[][2] = {{1, 0}, {2, 1}, {-1, 0.5}, {0.5, 0}};
    for (std::int64_t rows : sizes)
        for (std::int64_t cols : sizes)
            for (bool by_rows : {true, false}) {
                const auto& f = factors[random() % 4];
                check<T, Arch>(rows, cols, by_rows, random() % 2 * 3, strides[random() % 4], strides[random() % 4], f[0], f[1]);
            }
    // Few numbers in each of many rows, which lie one behind the other or not.
    for (const std::int64_t few : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 15, 16, 17, 20, 31, 32, 33})
        for (const std::int64_t many : {7, 8, 15, 16, 17, 33, 255, 256, 257, 271, 300, 1000, 1999, 5001})
            for (const auto& f : factors) {
                const std::int64_t gap = random() % 4 == 0 ? 1 : 0, stride = random() % 4 == 0 ? 2 : 1, other = random() % 4 == 0 ? -2 : 1;
                check<T, Arch>(many, few, true, gap, other, stride, f[0], f[1]);
                check<T, Arch>(few, many, false, gap, stride, other, f[0], f[1]);
            }
    // More than what is gathered and summed at a time.
    for (bool by_rows : {true, false})
        for (const std::int64_t stride : {1, 2}) {
            check<T, Arch>(5, 9001, by_rows, 1, stride, stride, T(2), T(1));
            check<T, Arch>(9001, 5, by_rows, 1, stride, stride, T(2), T(0.5));
        }
}

}  // namespace

TEST_CASE_TEMPLATE("every size and stride", T, float, double) { check_all<T, croton::simd::native>(); }

#if CROTON_HAS_AVX512
TEST_CASE_TEMPLATE("every size and stride in the registers of older processors", T, float, double) {
    check_all<T, xsimd::fma3<xsimd::avx2>>();
    check_all<T, xsimd::sse2>();
}
#endif

TEST_CASE("no rounding depends on the threads") {
    std::mt19937 random(3);
    for (bool by_rows : {true, false}) {
        const std::int64_t rows = by_rows ? 517 : 5003, cols = by_rows ? 5003 : 517;
        std::vector<float> a(static_cast<std::size_t>(rows * cols)), x(static_cast<std::size_t>(cols)), one(static_cast<std::size_t>(rows)), three = one;
        for (float& v : a) v = static_cast<float>(random()) * 1e-9f - 2;
        for (float& v : x) v = static_cast<float>(random()) * 1e-9f - 2;
        const matrix<const float> m{a.data(), rows, cols, by_rows ? cols : 1, by_rows ? 1 : rows};
        croton::set_threads(1);
        of::gemv<float, croton::simd::native>::run(1, m, {x.data(), cols, 1}, 0, {one.data(), rows, 1});
        croton::set_threads(3);
        of::gemv<float, croton::simd::native>::run(1, m, {x.data(), cols, 1}, 0, {three.data(), rows, 1});
        croton::set_threads(0);
        const bool same = one == three;
        CHECK(same);
    }
}
