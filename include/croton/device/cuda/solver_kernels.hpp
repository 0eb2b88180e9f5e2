// SPDX-License-Identifier: MIT
// What the GPU does to matrices around a library's factorisations, element by element: triangles, pivots, and what is wrong with them.
#ifndef CROTON_DEVICE_CUDA_SOLVER_KERNELS_HPP
#define CROTON_DEVICE_CUDA_SOLVER_KERNELS_HPP

#include <croton/config.hpp>

#include <algorithm>
#include <cstdint>

namespace croton::inline v0_1::detail::cuda_device {

/// Matrices that are as far from each other.
template <class T> struct matrix_stack {
    T* data;
    std::int64_t step, row, column;

    CROTON_HD T* at(std::int64_t matrix) const { return data + matrix * step; }
    CROTON_HD T& at(std::int64_t matrix, std::int64_t i, std::int64_t j) const { return data[matrix * step + i * row + j * column]; }
    matrix_stack transposed() const { return {data, step, column, row}; }
};

/// The argument of a kernel that calls `f` with each number below `count`.
template <class F> struct each_arguments {
    F f;
    std::int64_t count, blocks;

    /// `most` blocks of `threads` threads at most.
    static each_arguments of(const F& f, std::int64_t count, std::int64_t threads, std::int64_t most) { return {f, count, std::min((count + threads - 1) / threads, most)}; }
};
template <class Threads, class F> CROTON_DEVICE void run_each(Threads& t, const each_arguments<F>& a) {
    for (std::int64_t i = t.block() * t.threads() + t.thread(); i < a.count; i += a.blocks * t.threads()) a.f(i);
}

/// Of each matrix: its address, for a library that takes many at once.
template <class T> struct addresses {
    matrix_stack<T> of;
    T** to;
    CROTON_HD void operator()(std::int64_t matrix) const { to[matrix] = of.at(matrix); }
};

/// Of each element of a factor L: zeros above the diagonal, positive numbers on it. Not every library looks at NaN.
template <class T> struct positive_triangle {
    matrix_stack<T> l;
    std::int64_t n;
    int* wrong;
    CROTON_HD void operator()(std::int64_t at) const {
        const std::int64_t j = at % n, i = at / n % n, m = at / n / n;
        T& x = l.at(m, i, j);
        if (j > i) x = 0;
        if (j == i && !(x > T(0))) wrong[m] = 1;
    }
};

/// Of each element: the lower triangle with its diagonal times `diagonal`, zeros above it.
template <class T> struct lower_triangle {
    matrix_stack<T> a;
    std::int64_t n;
    T diagonal;
    CROTON_HD void operator()(std::int64_t at) const {
        const std::int64_t j = at % n, i = at / n % n, m = at / n / n;
        T& x = a.at(m, i, j);
        x = j > i ? T(0) : j == i ? x * diagonal : x;
    }
};
template <class T> struct turned_copy {
    matrix_stack<T> from, to;
    std::int64_t n;
    CROTON_HD void operator()(std::int64_t at) const {
        const std::int64_t j = at % n, i = at / n % n, m = at / n / n;
        to.at(m, i, j) = from.at(m, j, i);
    }
};
/// Half of the matrix and of what it is transposed.
template <class T> struct symmetric_part {
    matrix_stack<T> a;
    std::int64_t n;
    CROTON_HD void operator()(std::int64_t at) const {
        const std::int64_t j = at % n, i = at / n % n, m = at / n / n;
        if (j < i) a.at(m, i, j) = a.at(m, j, i) = (a.at(m, i, j) + a.at(m, j, i)) / 2;
    }
};

/// Of each element of a diagonal.
template <class T> struct zero_on_diagonal {
    matrix_stack<T> a;
    std::int64_t n;
    int* wrong;
    CROTON_HD void operator()(std::int64_t at) const {
        const std::int64_t i = at % n, m = at / n;
        if (a.at(m, i, i) == T(0)) wrong[m] = 1;
    }
};

/// The exchanges of a factorisation, which LAPACK counts from 1, as the last row of its factors, and back.
template <class T> struct pivots_as_numbers {
    matrix_stack<T> f;
    std::int64_t n;
    const int* pivots;
    CROTON_HD void operator()(std::int64_t at) const {
        const std::int64_t i = at % n, p = pivots[at] - 1;
        // Of NaN a library may find none.
        f.at(at / n, n, i) = static_cast<T>(p < i || p >= n ? i : p);
    }
};
template <class T> struct numbers_as_pivots {
    matrix_stack<T> f;
    std::int64_t n;
    int* pivots;
    CROTON_HD void operator()(std::int64_t at) const { pivots[at] = static_cast<int>(f.at(at / n, n, at % n)) + 1; }
};

/// Of each element of a matrix, or of its lower triangle: whether it is no finite number.
template <class T> struct not_finite {
    matrix_stack<T> a;
    std::int64_t rows, columns;
    bool lower;
    int* wrong;
    CROTON_HD void operator()(std::int64_t at) const {
        const std::int64_t j = at % columns, i = at / columns % rows, m = at / columns / rows;
        if (lower && j > i) return;
        const T x = a.at(m, i, j);
        if (!(x - x == T(0))) wrong[m] = 1;
    }
};
/// Then the matrix is made 0, and what is not read anyway.
template <class T> struct cleared {
    matrix_stack<T> a;
    std::int64_t rows, columns;
    bool lower;
    const int* wrong;
    CROTON_HD void operator()(std::int64_t at) const {
        const std::int64_t j = at % columns, i = at / columns % rows, m = at / columns / rows;
        if (wrong[m] != 0 || (lower && j > i)) a.at(m, i, j) = 0;
    }
};

/// Of each matrix: what the library said of it besides.
struct either_wrong {
    const int* info;
    int* wrong;
    CROTON_HD void operator()(std::int64_t matrix) const {
        if (info[matrix] != 0) wrong[matrix] = 1;
    }
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
