// SPDX-License-Identifier: MIT
// Products of strided matrices and vectors as CBLAS knows them, and as plain loops.
#ifndef CROTON_DEVICE_CPU_BLAS_HPP
#define CROTON_DEVICE_CPU_BLAS_HPP

#include <croton/config.hpp>
#include <croton/device/cpu/blas_library.hpp>
#include <croton/device/cpu/triangular.hpp>
#include <croton/kernel/argument.hpp>
#include <croton/kernel/kernel.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace croton::inline v0_1::detail::cpu_device {

using kernel::matrix;
using kernel::vector;

template <class T> matrix<T> transposed(const matrix<T>& m) {
    return {m.data, m.cols, m.rows, m.col_stride, m.row_stride};
}

template <class Arch, class T> void scale(T beta, const matrix<T>& c) {
    for (std::int64_t i = 0; i < c.rows; ++i)
        for (std::int64_t j = 0; j < c.cols; ++j) {
            T& out = c.data[i * c.row_stride + j * c.col_stride];
            out = beta == T{} ? T{} : kernel::times(beta, out);
        }
}

/// The product as loops: blocks of `a` and `b` stay in cache, the innermost loop runs along rows.
template <class Arch, class T>
void multiply_loops(T alpha, const matrix<const T>& a, const matrix<const T>& b, T beta, const matrix<T>& c) {
    constexpr std::int64_t depth = 128, width = 512;
    scale<Arch>(beta, c);
    for (std::int64_t k0 = 0; k0 < a.cols; k0 += depth)
        for (std::int64_t j0 = 0; j0 < c.cols; j0 += width) {
            const std::int64_t k1 = std::min(a.cols, k0 + depth), columns = std::min(c.cols, j0 + width) - j0;
            for (std::int64_t i = 0; i < c.rows; ++i) {
                T* out = c.data + i * c.row_stride + j0 * c.col_stride;
                for (std::int64_t k = k0; k < k1; ++k) {
                    const T factor = kernel::times(alpha, T(a.data[i * a.row_stride + k * a.col_stride]));
                    const T* row = b.data + k * b.row_stride + j0 * b.col_stride;
                    if (b.col_stride == 1 && c.col_stride == 1)
                        for (std::int64_t j = 0; j < columns; ++j) out[j] = kernel::plus_product(out[j], factor, row[j]);
                    else
                        for (std::int64_t j = 0; j < columns; ++j) out[j * c.col_stride] = kernel::plus_product(out[j * c.col_stride], factor, row[j * b.col_stride]);
                }
            }
        }
}

/// Matrix times vector as loops: dot products where rows are contiguous, sums of columns otherwise.
template <class Arch, class T>
void multiply_loops(T alpha, const matrix<const T>& a, const vector<const T>& x, T beta, const vector<T>& y) {
    if (a.row_stride == 1 && a.col_stride != 1) {
        multiply_loops<Arch, T>(alpha, {x.data, 1, x.size, 1, x.stride}, transposed(a), beta,
                                {y.data, 1, y.size, 1, y.stride});
        return;
    }
    for (std::int64_t i = 0; i < a.rows; ++i) {
        const T* row = a.data + i * a.row_stride;
        T sums[8] = {};
        std::int64_t k = 0;
        for (; k + 8 <= a.cols; k += 8)
            for (std::int64_t l = 0; l < 8; ++l) sums[l] = kernel::plus_product(sums[l], row[(k + l) * a.col_stride], x.data[(k + l) * x.stride]);
        for (; k < a.cols; ++k) sums[0] = kernel::plus_product(sums[0], row[k * a.col_stride], x.data[k * x.stride]);
        for (std::int64_t l = 0; l < 4; ++l) sums[l] = kernel::plus(sums[l], sums[l + 4]);
        T& out = y.data[i * y.stride];
        const T sum = kernel::times(alpha, kernel::plus(kernel::plus(sums[0], sums[1]), kernel::plus(sums[2], sums[3])));
        out = beta == T{} ? sum : kernel::plus_product(sum, beta, out);
    }
}

/// `c = 0 a b + beta c`, where 0 times a NaN or an infinity is NaN. BLAS would not look at `a` and `b`.
template <class Arch, class T> void multiply_by_zero(const matrix<const T>& a, const matrix<const T>& b, T beta, const matrix<T>& c) {
    const auto largest = [](const matrix<const T>& m) {
        double most = 0;
        for (std::int64_t i = 0; i < m.rows; ++i)
            for (std::int64_t j = 0; j < m.cols; ++j) {
                const double x = std::abs(static_cast<double>(m.data[i * m.row_stride + j * m.col_stride]));
                if (!(x <= std::numeric_limits<double>::max())) return std::numeric_limits<double>::infinity();
                most = std::max(most, x);
            }
        return most;
    };
    const double x = largest(a), y = largest(b);
    if (x <= static_cast<double>(std::numeric_limits<T>::max()) && x * y * static_cast<double>(a.cols) <= static_cast<double>(std::numeric_limits<T>::max())) {
        scale<Arch>(beta, c);
        return;
    }
    for (std::int64_t i = 0; i < c.rows; ++i)
        for (std::int64_t j = 0; j < c.cols; ++j) {
            T sum{};
            for (std::int64_t k = 0; k < a.cols; ++k)
                sum = kernel::plus_product(sum, T(a.data[i * a.row_stride + k * a.col_stride]), T(b.data[k * b.row_stride + j * b.col_stride]));
            T& out = c.data[i * c.row_stride + j * c.col_stride];
            out = kernel::plus_product(beta == T{} ? T{} : kernel::times(beta, out), sum, T{});
        }
}

inline constexpr std::int64_t blas_limit = std::numeric_limits<int>::max();

/// A contiguous copy of `m` at the beginning of `room`, which is what lies behind it afterwards. Where the elements do not
/// matter, none is read.
template <class Arch, class T> matrix<std::remove_const_t<T>> packed_copy(const matrix<T>& m, std::byte*& room, bool read = true) {
    using value = std::remove_const_t<T>;
    matrix<value> copy{reinterpret_cast<value*>(room), m.rows, m.cols, m.cols, 1};
    room += m.rows * m.cols * static_cast<std::int64_t>(sizeof(value));
    if (read)
        for (std::int64_t i = 0; i < m.rows; ++i)
            for (std::int64_t j = 0; j < m.cols; ++j)
                copy.data[i * m.cols + j] = m.data[i * m.row_stride + j * m.col_stride];
    return copy;
}

#if CROTON_HAS_CBLAS

/// How CBLAS sees a matrix in row-major order.
struct blas_layout {
    CBLAS_TRANSPOSE transpose;
    int leading;
    bool fits;
};

template <class T> blas_layout layout_of(const matrix<T>& m) {
    const std::int64_t rows = m.rows, cols = m.cols;
    if ((m.col_stride == 1 || cols == 1) && (rows == 1 || m.row_stride >= std::max<std::int64_t>(1, cols))) {
        const std::int64_t leading = rows == 1 ? cols : m.row_stride;
        return {CblasNoTrans, static_cast<int>(leading), leading <= blas_limit};
    }
    if ((m.row_stride == 1 || rows == 1) && (cols == 1 || m.col_stride >= std::max<std::int64_t>(1, rows))) {
        const std::int64_t leading = cols == 1 ? rows : m.col_stride;
        return {CblasTrans, static_cast<int>(leading), leading <= blas_limit};
    }
    return {CblasNoTrans, 0, false};
}

inline void call_gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, float alpha, const float* a, int lda,
                      const float* b, int ldb, float beta, float* c, int ldc) {
    cblas_sgemm(CblasRowMajor, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
inline void call_gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, double alpha, const double* a,
                      int lda, const double* b, int ldb, double beta, double* c, int ldc) {
    cblas_dgemm(CblasRowMajor, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
inline void call_gemv(CBLAS_TRANSPOSE t, int m, int n, float alpha, const float* a, int lda, const float* x, int incx,
                      float beta, float* y, int incy) {
    cblas_sgemv(CblasRowMajor, t, m, n, alpha, a, lda, x, incx, beta, y, incy);
}
inline void call_gemv(CBLAS_TRANSPOSE t, int m, int n, double alpha, const double* a, int lda, const double* x, int incx,
                      double beta, double* y, int incy) {
    cblas_dgemv(CblasRowMajor, t, m, n, alpha, a, lda, x, incx, beta, y, incy);
}

inline void call_syrk(CBLAS_TRANSPOSE t, int n, int k, float alpha, const float* a, int lda, float* c, int ldc) {
    cblas_ssyrk(CblasRowMajor, CblasLower, t, n, k, alpha, a, lda, 0, c, ldc);
}
inline void call_syrk(CBLAS_TRANSPOSE t, int n, int k, double alpha, const double* a, int lda, double* c, int ldc) {
    cblas_dsyrk(CblasRowMajor, CblasLower, t, n, k, alpha, a, lda, 0, c, ldc);
}

// Below these sizes two triangles cost more than they save (measured with OpenBLAS 0.3.21: 0.9 of the whole product at these, 0.55 to 0.7 beyond).
inline constexpr std::int64_t small_symmetric = 32, small_depth = 64;

/// Whether a product is that of a matrix with its own transpose, of which one triangle is computed.
template <class T> bool is_symmetric(const matrix<const T>& a, const matrix<const T>& b, T beta) {
    return a.data == b.data && a.rows == b.cols && a.row_stride == b.col_stride && a.col_stride == b.row_stride && beta == T{} && a.rows >= small_symmetric &&
           a.cols >= small_depth;
}

/// What lies below the diagonal, above it: in blocks, so that lines of either side stay in the cache.
template <class Arch, class T> void mirror(const matrix<T>& c) {
    constexpr std::int64_t block = 32;
    for (std::int64_t i0 = 0; i0 < c.rows; i0 += block)
        for (std::int64_t j0 = 0; j0 <= i0; j0 += block)
            for (std::int64_t i = i0; i < std::min(c.rows, i0 + block); ++i)
                for (std::int64_t j = j0; j < std::min(i, j0 + block); ++j)
                    c.data[j * c.row_stride + i] = c.data[i * c.row_stride + j];
}

inline void call_trmm(CBLAS_SIDE side, CBLAS_UPLO kept, CBLAS_TRANSPOSE t, int m, int n, float alpha, const float* a, int lda, float* c, int ldc) {
    cblas_strmm(CblasRowMajor, side, kept, t, CblasNonUnit, m, n, alpha, a, lda, c, ldc);
}
inline void call_trmm(CBLAS_SIDE side, CBLAS_UPLO kept, CBLAS_TRANSPOSE t, int m, int n, double alpha, const double* a, int lda, double* c, int ldc) {
    cblas_dtrmm(CblasRowMajor, side, kept, t, CblasNonUnit, m, n, alpha, a, lda, c, ldc);
}

// From so many rows, and so many numbers of the other factor, on half of the products are worth the search for zeros and the copy. OpenBLAS 0.3.21 takes, of the whole product,
// 1.3 to 2.2 at 64 x 32, 1 at 64 x 128 and 128 x 64, and 0.65 to 0.8 beyond, where the triangle is the first factor; where it is the second one, 1 at 128 x 128.
inline constexpr std::int64_t small_triangle = 64, least_beside_first = 64 * 128, least_beside_second = 128 * 128;

/// `c = alpha a b` where a factor has zeros on one side of its diagonal, with which BLAS does not multiply; false where there is none such. A NaN or
/// an infinity times one of those zeros is NaN, so that the other factor must be finite.
template <class T>
bool multiply_triangle(T alpha, const matrix<const T>& a, const blas_layout& la, const matrix<const T>& b, const blas_layout& lb, const matrix<T>& c, int leading) {
    const auto found = [&](const matrix<const T>& m, std::int64_t other, std::int64_t rows, std::int64_t least) {
        return m.rows >= rows && m.rows * other >= least ? triangle_of(m) : triangle::none;
    };
    triangle kept = found(a, b.cols, small_triangle, least_beside_first);
    const bool first = kept != triangle::none;
    if (!first) kept = found(b, a.rows, 2 * small_triangle, least_beside_second);
    if (kept == triangle::none || !copy_finite(first ? b : a, c)) return false;
    const blas_layout& l = first ? la : lb;
    // BLAS asks for the side as the matrix lies in memory.
    const bool upper = (kept == triangle::upper) != (l.transpose == CblasTrans);
    call_trmm(first ? CblasLeft : CblasRight, upper ? CblasUpper : CblasLower, l.transpose, static_cast<int>(c.rows), static_cast<int>(c.cols), alpha,
              first ? a.data : b.data, l.leading, c.data, leading);
    return true;
}

// BLAS counts a vector of negative stride from its lowest address.
template <class T> T* lowest(const vector<T>& v) {
    return v.stride < 0 ? v.data + (v.size - 1) * v.stride : v.data;
}

/// `c = alpha a b + beta c` by BLAS; `c` lies as it wants it. What does not is copied to `room`.
template <class Arch, class T>
void multiply_blas(T alpha, const matrix<const T>& a, const matrix<const T>& b, T beta, const matrix<T>& c, std::byte* room) {
    const blas_layout lc = layout_of(c);
    if (lc.transpose == CblasTrans) return multiply_blas<Arch, T>(alpha, transposed(b), transposed(a), beta, transposed(c), room);
    matrix<const T> left = a, right = b;
    blas_layout la = layout_of(left), lb = layout_of(right);
    const auto pack = [&](matrix<const T>& m, blas_layout& l) {
        if (l.fits) return;
        const matrix<T> copy = packed_copy<Arch>(m, room);
        m = {copy.data, copy.rows, copy.cols, copy.row_stride, copy.col_stride};
        l = layout_of(m);
    };
    pack(left, la);
    pack(right, lb);
    if (is_symmetric<T>(a, b, beta)) {
        call_syrk(la.transpose, static_cast<int>(c.rows), static_cast<int>(a.cols), alpha, left.data, la.leading, c.data, lc.leading);
        mirror<Arch>(c);
        return;
    }
    if (beta == T{} && multiply_triangle<T>(alpha, left, la, right, lb, c, lc.leading)) return;
    call_gemm(la.transpose, lb.transpose, static_cast<int>(c.rows), static_cast<int>(c.cols), static_cast<int>(a.cols), alpha, left.data, la.leading, right.data,
              lb.leading, beta, c.data, lc.leading);
}

#endif

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
