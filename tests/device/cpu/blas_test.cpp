// SPDX-License-Identifier: MIT
#include <croton/device/cpu/cpu.hpp>

#include "device/kernels.hpp"

using croton::kernel::matrix;
using croton::kernel::vector;

namespace {

// A matrix inside a larger buffer, in one of the forms a product can meet.
enum class form { rows, columns, wide_rows, wide_columns, spread, turned, broadcast };
const form forms[] = {form::rows, form::columns, form::wide_rows, form::wide_columns, form::spread, form::turned, form::broadcast};

template <class T> struct placed {
    std::vector<T> data;
    matrix<T> m;
};

template <class T> placed<T> place(std::int64_t rows, std::int64_t cols, form f, unsigned seed) {
    placed<T> p;
    std::int64_t rs = cols, cs = 1, start = 0;
    if (f == form::columns) rs = 1, cs = rows;
    if (f == form::wide_rows) rs = cols + 3;
    if (f == form::wide_columns) rs = 1, cs = rows + 5;
    if (f == form::spread) rs = 2 * cols * 3, cs = 3;
    if (f == form::turned) rs = -cols, cs = -1, start = rows * cols - 1;
    if (f == form::broadcast) rs = 0;
    p.data.resize(static_cast<std::size_t>((rows + 6) * (cols + 6) * 6));
    std::mt19937 random(seed);
    for (T& v : p.data) v = static_cast<T>(static_cast<int>(random() % 17) - 8) / static_cast<T>(std::is_integral_v<T> ? 1 : 4);
    p.m = {p.data.data() + start, rows, cols, rs, cs};
    return p;
}

template <class T> matrix<const T> constant(const matrix<T>& m) { return {m.data, m.rows, m.cols, m.row_stride, m.col_stride}; }

template <class T> void compare(const placed<T>& x, const placed<T>& y, double tolerance) {
    for (std::size_t i = 0; i < x.data.size(); ++i)
        if (!(std::fabs(static_cast<double>(x.data[i]) - static_cast<double>(y.data[i])) <=
              tolerance * (1 + std::fabs(static_cast<double>(y.data[i]))))) {
            CAPTURE(i);
            CHECK(x.data[i] == y.data[i]);
            return;
        }
}

}  // namespace

TEST_CASE_TEMPLATE("products of matrices in every form", T, float, double, std::int32_t, std::int64_t) {
    const std::int64_t shapes[][3] = {{0, 3, 2}, {3, 0, 2}, {3, 2, 0}, {1, 1, 1}, {2, 3, 4}, {1, 9, 7}, {9, 1, 7}, {7, 9, 1}, {17, 33, 5}, {40, 30, 50}, {3, 21, 260}, {6, 90, 40}, {8, 17, 65}};
    const double tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-13;
    for (const auto& shape : shapes)
        for (form fa : forms)
            for (form fb : forms)
                for (form fc : {form::rows, form::columns, form::wide_rows, form::spread, form::turned}) {
                    const std::int64_t m = shape[0], n = shape[1], k = shape[2];
                    CAPTURE(m);
                    CAPTURE(n);
                    CAPTURE(k);
                    const auto a = place<T>(m, k, fa, 1), b = place<T>(k, n, fb, 2);
                    const std::pair<T, T> factors[] = {{T(1), T(0)}, {T(2), T(1)}, {T(-1), T(3)}, {T(0), T(2)}, {T(0), T(0)}};
                    for (auto [alpha, beta] : factors) {
                        auto c = place<T>(m, n, fc, 3), d = place<T>(m, n, fc, 3);
                        croton::cpu::gemm<T>(alpha, constant(a.m), constant(b.m), beta, c.m);
                        croton::reference::gemm<T>(alpha, constant(a.m), constant(b.m), beta, d.m);
                        compare(c, d, tolerance);
                    }
                }
}

// Who multiplies a copy of the result needs room, too.
TEST_CASE_TEMPLATE("large products into results that no block can write", T, float, double) {
    const auto one = croton::threads(1);
    const std::int64_t m = 130, n = 300, k = 410;
    for (form fa : {form::rows, form::columns})
        for (form fb : {form::rows, form::columns})
            for (form fc : {form::spread, form::turned, form::wide_columns}) {
                const auto a = place<T>(m, k, fa, 1), b = place<T>(k, n, fb, 2);
                auto c = place<T>(m, n, fc, 3), d = place<T>(m, n, fc, 3);
                croton::cpu::gemm<T>(T(1), constant(a.m), constant(b.m), T(2), c.m);
                croton::reference::gemm<T>(T(1), constant(a.m), constant(b.m), T(2), d.m);
                compare(c, d, std::is_same_v<T, float> ? 1e-4 : 1e-12);
            }
}

TEST_CASE_TEMPLATE("matrix times vector in every form", T, float, double, std::int32_t, std::int64_t) {
    const double tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-13;
    for (std::int64_t m : {0, 1, 3, 20, 65})
        for (std::int64_t n : {0, 1, 2, 17, 100})
            for (form f : forms)
                for (std::int64_t incx : {1, 2, -1, 0})
                    for (std::int64_t incy : {1, 3, -2})
                        for (T beta : {T(0), T(1), T(3)}) {
                            const auto a = place<T>(m, n, f, 1), x = place<T>(n + 1, 2, form::rows, 2);
                            auto y = place<T>(m + 1, 3, form::rows, 3), z = y;
                            z.m.data = z.data.data();
                            const vector<const T> vx{x.m.data + (incx < 0 ? n : 0), n, incx};
                            croton::cpu::gemv<T>(T(2), constant(a.m), vx, beta, {y.m.data + (incy < 0 ? 2 * m : 0), m, incy});
                            croton::reference::gemv<T>(T(2), constant(a.m), vx, beta, {z.m.data + (incy < 0 ? 2 * m : 0), m, incy});
                            CAPTURE(m);
                            CAPTURE(n);
                            compare(y, z, tolerance);
                        }
}

TEST_CASE("beta == 0 never reads the result") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (std::int64_t n : {1, 3, 20, 70}) {
        const auto a = place<float>(n, n, form::rows, 1), b = place<float>(n, n, form::columns, 2);
        for (float alpha : {0.0f, 1.0f}) {
            std::vector<float> c(static_cast<std::size_t>(n * n), nan);
            croton::cpu::gemm<float>(alpha, constant(a.m), constant(b.m), 0, {c.data(), n, n, n, 1});
            for (float v : c) CHECK(v == v);
            for (auto& mat : {a, b}) {
                std::vector<float> y(static_cast<std::size_t>(n), nan);
                croton::cpu::gemv<float>(alpha, constant(mat.m), {b.m.data, n, 1}, 0, {y.data(), n, 1});
                for (float v : y) CHECK(v == v);
            }
        }
    }
}

TEST_CASE_TEMPLATE("a matrix times its own transpose", T, float, double) {
    const std::int64_t shapes[][2] = {{1, 70}, {31, 64}, {32, 63}, {32, 64}, {45, 70}, {97, 64}};
    for (const auto& shape : shapes)
        for (form fa : forms)
            for (form fc : {form::rows, form::columns, form::wide_rows, form::spread})
                for (T beta : {T(0), T(0.5)}) {
                    const std::int64_t n = shape[0], k = shape[1];
                    const auto a = place<T>(n, k, fa, 3);
                    auto c = place<T>(n, n, fc, 5), expected = place<T>(n, n, fc, 5);
                    const auto left = constant(a.m);
                    const matrix<const T> right{left.data, left.cols, left.rows, left.col_stride, left.row_stride};
                    CAPTURE(n);
                    croton::cpu::gemm<T>(T(1.5), left, right, beta, c.m);
                    croton::reference::gemm<T>(T(1.5), left, right, beta, expected.m);
                    compare(c, expected, std::is_same_v<T, float> ? 1e-5 : 1e-13);
                }
}
