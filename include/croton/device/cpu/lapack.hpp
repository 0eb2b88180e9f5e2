// SPDX-License-Identifier: MIT
// Routines of matrices on the CPU: by LAPACK and BLAS where they are linked, else by the routines' own code.
#ifndef CROTON_DEVICE_CPU_LAPACK_HPP
#define CROTON_DEVICE_CPU_LAPACK_HPP

#include <croton/config.hpp>
#include <croton/device/cpu/blas_library.hpp>
#include <croton/kernel/routine/matrices.hpp>
#include <croton/kernel/routine/orthogonal.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>

#if CROTON_HAS_LAPACK
// Names of our own for LAPACK's functions: a program may have declared them in its way. Behind the arguments stand the lengths of letters.
extern "C" {
CROTON_LAPACK(spotrf) void croton_spotrf(const char*, const int*, float*, const int*, int*, std::size_t) CROTON_LAPACK_NAME(spotrf);
CROTON_LAPACK(dpotrf) void croton_dpotrf(const char*, const int*, double*, const int*, int*, std::size_t) CROTON_LAPACK_NAME(dpotrf);
CROTON_LAPACK(sgetrf) void croton_sgetrf(const int*, const int*, float*, const int*, int*, int*) CROTON_LAPACK_NAME(sgetrf);
CROTON_LAPACK(dgetrf) void croton_dgetrf(const int*, const int*, double*, const int*, int*, int*) CROTON_LAPACK_NAME(dgetrf);
CROTON_LAPACK(sgelqf) void croton_sgelqf(const int*, const int*, float*, const int*, float*, float*, const int*, int*) CROTON_LAPACK_NAME(sgelqf);
CROTON_LAPACK(sgeqrf) void croton_sgeqrf(const int*, const int*, float*, const int*, float*, float*, const int*, int*) CROTON_LAPACK_NAME(sgeqrf);
CROTON_LAPACK(sorgqr) void croton_sorgqr(const int*, const int*, const int*, float*, const int*, const float*, float*, const int*, int*) CROTON_LAPACK_NAME(sorgqr);
CROTON_LAPACK(ssyevd) void croton_ssyevd(const char*, const char*, const int*, float*, const int*, float*, float*, const int*, int*, const int*, int*, std::size_t, std::size_t)
    CROTON_LAPACK_NAME(ssyevd);
CROTON_LAPACK(sgesdd) void croton_sgesdd(const char*, const int*, const int*, float*, const int*, float*, float*, const int*, float*, const int*, float*, const int*, int*, int*, std::size_t)
    CROTON_LAPACK_NAME(sgesdd);
CROTON_LAPACK(dgelqf) void croton_dgelqf(const int*, const int*, double*, const int*, double*, double*, const int*, int*) CROTON_LAPACK_NAME(dgelqf);
CROTON_LAPACK(dgeqrf) void croton_dgeqrf(const int*, const int*, double*, const int*, double*, double*, const int*, int*) CROTON_LAPACK_NAME(dgeqrf);
CROTON_LAPACK(dorgqr) void croton_dorgqr(const int*, const int*, const int*, double*, const int*, const double*, double*, const int*, int*) CROTON_LAPACK_NAME(dorgqr);
CROTON_LAPACK(dsyevd) void croton_dsyevd(const char*, const char*, const int*, double*, const int*, double*, double*, const int*, int*, const int*, int*, std::size_t, std::size_t)
    CROTON_LAPACK_NAME(dsyevd);
CROTON_LAPACK(dgesdd) void croton_dgesdd(const char*, const int*, const int*, double*, const int*, double*, double*, const int*, double*, const int*, double*, const int*, int*, int*, std::size_t)
    CROTON_LAPACK_NAME(dgesdd);
}
#endif

namespace croton::inline v0_1 {

namespace detail::cpu_device {

using kernel::elements;
using kernel::matrix_task;

#if CROTON_HAS_LAPACK
/// Whether the functions are there: those that nobody linked are null.
template <class F> bool is_linked(F* f) {
    // A compiler takes it for granted of what must be linked.
    F* volatile const found = f;
    return found != nullptr;
}
#endif

/// Whether the rows of a matrix lie as LAPACK takes columns: one element behind the other.
template <class T> bool has_plain_rows(const elements<T>& a, std::int64_t rows, std::int64_t columns) {
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    return (a.column == 1 || columns == 1) && (a.row >= columns || rows == 1) && a.row <= most && rows < most && columns < most;
}
template <class T> int leading(const elements<T>& a, std::int64_t rows, std::int64_t columns) {
    return static_cast<int>(rows == 1 ? std::max<std::int64_t>(1, columns) : a.row);
}

/// Up to here the routines' own code is faster than a call of a library.
inline constexpr std::int64_t most_by_hand = 8;

/// One matrix by the routine's own code, or by a library: a specialisation has the same members. Sizes are in numbers.
template <class Routine, class T, class Arch> struct matrix_body {
    static std::int64_t room(const matrix_task& t) { return Routine::template room<T>(t); }
    static bool run(const matrix_task& t, elements<T> y, const elements<const T>* in, T* room) { return Routine::matrix(t, y, in, room); }
};

#if CROTON_HAS_CBLAS
template <class T> constexpr auto trsm() {
    if constexpr (sizeof(T) == 4) return &cblas_strsm;
    else return &cblas_dtrsm;
}

/// Solves the equations of a triangle where their right sides lie; false where BLAS does not take them as they lie.
template <class T> bool solve_triangle(const matrix_task& t, const elements<const T>& a, const elements<T>& x, std::int64_t attributes) {
    bool lower = (attributes & kernel::triangular::lower) != 0, turned = (attributes & kernel::triangular::transposed) != 0;
    elements<const T> seen = a;
    if (!has_plain_rows(seen, t.rows, t.rows)) {
        // Columns that lie so are the rows of the transposed matrix.
        std::swap(seen.row, seen.column);
        lower = !lower;
        turned = !turned;
    }
    if (!has_plain_rows(seen, t.rows, t.rows) || !has_plain_rows(x, t.rows, t.columns)) return false;
    trsm<T>()(CblasRowMajor, CblasLeft, lower ? CblasLower : CblasUpper, turned ? CblasTrans : CblasNoTrans, (attributes & kernel::triangular::unit) != 0 ? CblasUnit : CblasNonUnit,
              static_cast<int>(t.rows), static_cast<int>(t.columns), T(1), seen.data, leading(seen, t.rows, t.rows), x.data, leading(x, t.rows, t.columns));
    return true;
}

template <class T, class Arch> struct matrix_body<kernel::triangular, T, Arch> {
    static std::int64_t room(const matrix_task&) { return 0; }
    static bool run(const matrix_task& t, elements<T> x, const elements<const T>* in, T* room) {
        if (std::max(t.rows, t.columns) <= most_by_hand) return kernel::triangular::matrix<T>(t, x, in, room);
        if (kernel::triangular::is_singular(t, in[0])) return false;
        for (std::int64_t i = 0; i < t.rows; ++i)
            for (std::int64_t j = 0; j < t.columns; ++j) x(i, j) = in[1](i, j);
        return solve_triangle<T>(t, in[0], x, t.attributes) || kernel::triangular::matrix<T>(t, x, in, room);
    }
};

/// Of L = [A; B C] by halves, the last first: so all but small squares are products.
template <class T, class Arch> struct matrix_body<kernel::cholesky_gradient, T, Arch> {
    using routine = kernel::cholesky_gradient;

    static constexpr std::int64_t least_halved = 24;
    static std::int64_t room(const matrix_task&) { return 0; }
    static bool run(const matrix_task& t, elements<T> slope, const elements<const T>* in, T* room) {
        if (t.rows < least_halved || !has_plain_rows(in[0], t.rows, t.rows) || !has_plain_rows(slope, t.rows, t.rows)) return routine::matrix<T>(t, slope, in, room);
        routine::copy_triangle(t.rows, in[1], slope);
        reverse(t.rows, in[0], slope);
        routine::finish(t.rows, slope);
        return true;
    }

private:
    static void reverse(std::int64_t n, const elements<const T>& l, const elements<T>& slope) {
        if (n < least_halved) return routine::reverse(n, l, slope);
        const std::int64_t half = (n / 2 + 7) / 8 * 8, rest = n - half;
        const elements<const T> b{&l(half, 0), l.row, l.column}, c{&l(half, half), l.row, l.column};
        const elements<T> of_b{&slope(half, 0), slope.row, slope.column}, of_c{&slope(half, half), slope.row, slope.column};
        reverse(rest, c, of_c);
        // The other triangle has room for what a symmetric matrix is to a product.
        for (std::int64_t i = 0; i < rest; ++i) {
            for (std::int64_t j = 0; j < i; ++j) of_c(j, i) = of_c(i, j);
            of_c(i, i) *= 2;
        }
        subtract_product(CblasNoTrans, rest, half, rest, of_c, b, of_b);
        for (std::int64_t i = 0; i < rest; ++i) of_c(i, i) /= 2;
        trsm<T>()(CblasRowMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, static_cast<int>(rest), static_cast<int>(half), T(1), l.data, static_cast<int>(l.row), of_b.data,
                  static_cast<int>(slope.row));
        subtract_product(CblasTrans, half, half, rest, of_b, b, slope);
        reverse(half, l, slope);
    }
    /// `c -= a b` or `c -= a^T b`, `[m,n]`.
    static void subtract_product(CBLAS_TRANSPOSE turned, std::int64_t m, std::int64_t n, std::int64_t depth, const elements<T>& a, const elements<const T>& b, const elements<T>& c) {
        call_gemm(turned, CblasNoTrans, static_cast<int>(m), static_cast<int>(n), static_cast<int>(depth), T(-1), a.data, static_cast<int>(a.row), b.data, static_cast<int>(b.row), T(1),
                  c.data, static_cast<int>(c.row));
    }
};

template <class T, class Arch> struct matrix_body<kernel::lu_solve, T, Arch> {
    static std::int64_t room(const matrix_task&) { return 0; }
    static bool run(const matrix_task& t, elements<T> x, const elements<const T>* in, T* room) {
        if (std::max(t.rows, t.columns) <= most_by_hand || !has_plain_rows(in[0], t.rows, t.rows) || !has_plain_rows(x, t.rows, t.columns))
            return kernel::lu_solve::matrix<T>(t, x, in, room);
        return kernel::lu_solve::substitute<T>(t, x, in, [&](std::int64_t attributes) { solve_triangle<T>(t, in[0], x, attributes); });
    }
};
#endif

#if CROTON_HAS_LAPACK
template <class T, class Arch> struct matrix_body<kernel::cholesky, T, Arch> {
    static constexpr auto potrf() {
        if constexpr (sizeof(T) == 4) return &croton_spotrf;
        else return &croton_dpotrf;
    }
    static std::int64_t room(const matrix_task&) { return 0; }
    static bool run(const matrix_task& t, elements<T> l, const elements<const T>* in, T* room) {
        if (t.rows <= most_by_hand || !is_linked(potrf()) || !has_plain_rows(l, t.rows, t.rows)) return kernel::cholesky::matrix<T>(t, l, in, room);
        for (std::int64_t i = 0; i < t.rows; ++i) {
            for (std::int64_t j = 0; j <= i; ++j) l(i, j) = in[0](i, j);
            for (std::int64_t j = i + 1; j < t.rows; ++j) l(i, j) = 0;
        }
        const int n = static_cast<int>(t.rows), lead = leading(l, t.rows, t.rows);
        int wrong = 0;
        potrf()("U", &n, l.data, &lead, &wrong, 1);  // rows are LAPACK's columns
        bool positive = wrong == 0;  // not every library looks at NaN
        for (std::int64_t i = 0; i < t.rows; ++i) positive = positive && l(i, i) > 0;
        return positive;
    }
};

template <class T, class Arch> struct matrix_body<kernel::lu, T, Arch> {
    static constexpr auto getrf() {
        if constexpr (sizeof(T) == 4) return &croton_sgetrf;
        else return &croton_dgetrf;
    }
    static std::int64_t room(const matrix_task& t) { return t.columns; }  // no number is smaller than the int that it is for
    static bool run(const matrix_task& t, elements<T> f, const elements<const T>* in, T* room) {
        if (t.columns <= most_by_hand || !is_linked(getrf()) || !has_plain_rows(f, t.rows, t.columns)) return kernel::lu::matrix<T>(t, f, in, room);
        for (std::int64_t i = 0; i < t.columns; ++i)
            for (std::int64_t j = 0; j < t.columns; ++j) f(i, j) = in[0](i, j);
        const int n = static_cast<int>(t.columns), lead = leading(f, t.rows, t.columns);
        int* const pivots = reinterpret_cast<int*>(room);
        int wrong = 0;
        getrf()(&n, &n, f.data, &lead, pivots, &wrong);
        for (std::int64_t i = 0; i < t.columns; ++i) f(t.columns, i) = static_cast<T>(pivots[i] - 1);
        return true;
    }
};

// Rows are LAPACK's columns: of what lies there it sees the transposed matrix, whose A^T = L Q is the same as A = Q R, reflection by reflection. Where there are more rows than columns, or many of both,
// it takes longer than A = Q R of a copy by columns: twice as long of 500 x 50 (OpenBLAS 0.3.21).

inline constexpr int lapack_block = 32;  // columns that LAPACK takes at a time, for which it wants room

/// Copies a matrix to where it lies by columns, or back.
template <class From, class To> void copy_matrix(std::int64_t rows, std::int64_t columns, const elements<From>& from, const elements<To>& to) {
    constexpr std::int64_t strip = 8;
    for (std::int64_t first = 0; first < columns; first += strip)
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = first; j < std::min(columns, first + strip); ++j) to(i, j) = from(i, j);
}

template <class T, class Arch> struct matrix_body<kernel::qr, T, Arch> {
    static constexpr auto gelqf() {
        if constexpr (sizeof(T) == 4) return &croton_sgelqf;
        else return &croton_dgelqf;
    }
    static constexpr auto geqrf() {
        if constexpr (sizeof(T) == 4) return &croton_sgeqrf;
        else return &croton_dgeqrf;
    }
    static bool is_copied(const matrix_task& t) { return t.rows - 1 > t.columns || (t.rows - 1 == t.columns && t.columns >= 200); }
    static std::int64_t room(const matrix_task& t) { return lapack_block * t.columns + (is_copied(t) ? (t.rows - 1) * t.columns : 0); }
    static bool run(const matrix_task& t, elements<T> f, const elements<const T>* in, T* room) {
        if (std::max(t.rows - 1, t.columns) <= most_by_hand || !is_linked(gelqf()) || !is_linked(geqrf()) || !has_plain_rows(f, t.rows, t.columns))
            return kernel::qr::matrix<T>(t, f, in, room);
        const int n = static_cast<int>(t.columns), m = static_cast<int>(t.rows - 1), lead = leading(f, t.rows, t.columns), work = lapack_block * n;
        int wrong = 0;
        if (is_copied(t)) {
            const elements<T> copy{room + work, 1, m};
            copy_matrix(m, n, in[0], copy);
            geqrf()(&m, &n, copy.data, &m, &f(m, 0), room, &work, &wrong);
            copy_matrix(m, n, copy, f);
            return true;
        }
        for (std::int64_t i = 0; i < t.rows; ++i)
            for (std::int64_t j = 0; j < t.columns; ++j) f(i, j) = i < t.rows - 1 ? in[0](i, j) : T(0);
        gelqf()(&n, &m, f.data, &lead, &f(m, 0), room, &work, &wrong);
        return true;
    }
};

template <class T, class Arch> struct matrix_body<kernel::qr_columns, T, Arch> {
    static constexpr auto orgqr() {
        if constexpr (sizeof(T) == 4) return &croton_sorgqr;
        else return &croton_dorgqr;
    }
    static std::int64_t room(const matrix_task& t) { return (lapack_block + t.rows) * t.columns; }
    static bool run(const matrix_task& t, elements<T> q, const elements<const T>* in, T* room) {
        if (std::max(t.rows, t.columns) <= most_by_hand || !is_linked(orgqr()) || !has_plain_rows(in[0], t.rows + 1, t.columns)) return kernel::qr_columns::matrix<T>(t, q, in, room);
        const int m = static_cast<int>(t.rows), k = static_cast<int>(t.columns), work = lapack_block * k;
        const elements<T> copy{room + work, 1, m};
        copy_matrix(m, k, in[0], copy);
        int wrong = 0;
        orgqr()(&m, &k, &k, copy.data, &m, &in[0](t.rows, 0), room, &work, &wrong);
        copy_matrix(m, k, copy, q);
        return true;
    }
};

template <class T, class Arch> struct matrix_body<kernel::eigh, T, Arch> {
    static constexpr auto syevd() {
        if constexpr (sizeof(T) == 4) return &croton_ssyevd;
        else return &croton_dsyevd;
    }
    static std::int64_t numbers(const matrix_task& t) { return 1 + 6 * t.columns + 2 * t.columns * t.columns; }
    static std::int64_t integers(const matrix_task& t) { return 3 + 5 * t.columns; }
    static std::int64_t room(const matrix_task& t) { return numbers(t) + integers(t); }
    static bool run(const matrix_task& t, elements<T> e, const elements<const T>* in, T* room) {
        if (!is_linked(syevd()) || !has_plain_rows(e, t.rows, t.columns)) return kernel::eigh::matrix<T>(t, e, in, room);
        if (!kernel::is_finite(in[0], t.columns, t.columns, true)) return false;
        for (std::int64_t i = 0; i < t.columns; ++i)
            for (std::int64_t j = 0; j < t.columns; ++j) e(1 + i, j) = j <= i ? in[0](i, j) : T(0);
        const int n = static_cast<int>(t.columns), lead = leading(e, t.rows, t.columns), work = static_cast<int>(numbers(t)), places = static_cast<int>(integers(t));
        int wrong = 0;
        syevd()("V", "U", &n, &e(1, 0), &lead, e.data, room, &work, reinterpret_cast<int*>(room + work), &places, &wrong, 1, 1);
        return wrong == 0;
    }
};

template <class T, class Arch> struct matrix_body<kernel::svd, T, Arch> {
    static constexpr auto gesdd() {
        if constexpr (sizeof(T) == 4) return &croton_sgesdd;
        else return &croton_dgesdd;
    }
    static std::int64_t work_of(const matrix_task& t) {
        const std::int64_t k = t.columns, larger = std::max(kernel::svd::rows_of(t), t.length);
        return std::max(4 * k * k + 7 * k, 3 * k + std::max(larger, 5 * k * k + 4 * k)) + 2 * lapack_block * (larger + k);
    }
    /// A copy of the matrix, one of its factors as LAPACK gives it, what it works in, its integers.
    static std::int64_t room(const matrix_task& t) {
        return std::max(kernel::svd::room<T>(t), kernel::svd::rows_of(t) * t.length + t.columns * std::max(kernel::svd::rows_of(t), t.length) + work_of(t) + 8 * t.columns);
    }
    static bool run(const matrix_task& t, elements<T> f, const elements<const T>* in, T* room) {
        constexpr std::int64_t most = std::numeric_limits<int>::max();
        if (!is_linked(gesdd()) || !has_plain_rows(f, t.rows, t.columns) || work_of(t) > most) return kernel::svd::matrix<T>(t, f, in, room);
        const std::int64_t rows = kernel::svd::rows_of(t), columns = t.length;
        if (!kernel::is_finite(in[0], rows, columns, false)) return false;
        // One of the factors lies as LAPACK gives it, the other one is copied: the longer one of a matrix that it takes the quicker way.
        const bool tall = rows > columns;
        const std::int64_t k = t.columns;
        T* const apart = room + rows * columns;
        T* const work = apart + k * std::max(rows, columns);
        const elements<T> copy{room, tall ? 1 : columns, tall ? rows : 1}, u{&f(0, 0), f.row, 1}, v{&f(rows + 1, 0), f.row, 1};
        copy_matrix(rows, columns, in[0], copy);
        const int m = static_cast<int>(tall ? rows : columns), n = static_cast<int>(tall ? columns : rows), lead = leading(f, t.rows, k), size = static_cast<int>(work_of(t));
        int wrong = 0;
        gesdd()("S", &m, &n, room, &m, &f(rows, 0), apart, &m, tall ? v.data : u.data, &lead, work, &size, reinterpret_cast<int*>(work + size), &wrong, 1);
        copy_matrix(m, k, elements<T>{apart, 1, m}, tall ? u : v);
        return wrong == 0;
    }
};
#endif

}  // namespace detail::cpu_device

/// Whether the linear algebra of `cpu` runs through LAPACK in this process.
inline bool has_lapack() {
#if CROTON_HAS_LAPACK
    return detail::cpu_device::is_linked(&croton_dpotrf) && detail::cpu_device::is_linked(&croton_dgetrf);
#else
    return false;
#endif
}

}  // namespace croton::inline v0_1

#endif
