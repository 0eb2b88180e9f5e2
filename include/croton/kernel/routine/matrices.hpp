// SPDX-License-Identifier: MIT
// Routines of matrices: what they are run with, and systems of equations by plain code.
#ifndef CROTON_KERNEL_ROUTINE_MATRICES_HPP
#define CROTON_KERNEL_ROUTINE_MATRICES_HPP

#include <cmath>
#include <type_traits>

#include <croton/core/literals.hpp>
#include <croton/kernel/routine.hpp>

namespace croton::inline v0_1::kernel {

/// The elements of one matrix.
template <class T> struct elements {
    T* data;
    std::int64_t row, column;  // strides
    T& operator()(std::int64_t i, std::int64_t j) const { return data[i * row + j * column]; }
};

/// One matrix of a call: the extents of the result, and the columns of the measured argument. The other extents follow from these.
struct matrix_task {
    std::int64_t rows = 0, columns = 0, length = 0, attributes = 0;
};

constexpr matrix_task task_of(const routine_call& c) { return {c.extent[c.rank - 2], c.extent[c.rank - 1], c.length, c.attributes}; }

/// Calls f(result, arguments) for one matrix after the other, until it says false of one: gives the number of that, or -1.
template <class Routine, class T, class F> std::int64_t each_matrix(const routine_call& c, const F& f) {
    constexpr int slots = Routine::arguments + 1;
    const int axes = c.rank - 2;
    std::int64_t count = 1;
    for (int i = 0; i < axes; ++i) count *= c.extent[i];
    for (std::int64_t n = 0; n < count; ++n) {
        elements<const T> in[slots]{};
        for (int k = 0; k < slots; ++k) {
            std::int64_t rest = n, offset = 0;
            for (int a = axes; a-- > 0; rest /= c.extent[a]) offset += rest % c.extent[a] * c.stride[k][a];
            in[k] = {reinterpret_cast<const T*>(c.data[k]) + offset, c.stride[k][axes], c.stride[k][axes + 1]};
        }
        const elements<const T>& to = in[slots - 1];
        if (!f(elements<T>{const_cast<T*>(to.data), to.row, to.column}, in)) return n;
    }
    return -1;
}

/// What the routines have in common. Each has
///   room<T>(task)                      how many numbers it works on besides, where there are any
///   matrix(task, result, in, room)     one matrix by plain code; false where it fails, which `failure` explains
///   caller(attributes)                 what the program has called, where that may be something else than `name`: the sentence of a failure begins with it
template <int Arguments> struct matrix_routine {
    static constexpr int arguments = Arguments;
    static constexpr bool of_matrices = true;
    template <class T> static std::int64_t room(const matrix_task&) { return 0; }
};

/// [n,n] -> [n,n]: the lower triangle of a symmetric matrix -> L of L L^T.
struct cholesky : matrix_routine<1> {
    static constexpr std::string_view name = "cholesky"sv, failure = "matrix is not positive definite"sv;
    static std::int64_t operations(std::int64_t count, std::int64_t length) { return count * length / 3; }

    template <class T> static bool matrix(const matrix_task& t, elements<T> l, const elements<const T>* in, T*) {
        for (std::int64_t i = 0; i < t.rows; ++i) {
            for (std::int64_t j = 0; j <= i; ++j) {
                T sum = in[0](i, j);
                for (std::int64_t k = 0; k < j; ++k) sum -= l(i, k) * l(j, k);
                if (i == j && !(sum > 0)) return false;
                l(i, j) = i == j ? std::sqrt(sum) : sum / l(j, j);
            }
            for (std::int64_t j = i + 1; j < t.rows; ++j) l(i, j) = 0;
        }
        return true;
    }
};

/// [n,n], [n,n] -> [n,n]: L of L L^T and a slope of it -> the symmetric slope of the matrix. Of both the lower triangles are read.
struct cholesky_gradient : matrix_routine<2> {
    static constexpr std::string_view name = "cholesky_gradient"sv;
    static std::int64_t operations(std::int64_t count, std::int64_t length) { return 2 * count * length / 3; }

    template <class T> static bool matrix(const matrix_task& t, elements<T> slope, const elements<const T>* in, T*) {
        copy_triangle(t.rows, in[1], slope);
        reverse(t.rows, in[0], slope);
        finish(t.rows, slope);
        return true;
    }
    template <class T> static void copy_triangle(std::int64_t n, const elements<const T>& from, const elements<T>& to) {
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j <= i; ++j) to(i, j) = from(i, j);
    }
    /// The steps of `cholesky` from the last one to the first: the slope of `l` becomes that of the triangle that was read.
    template <class T> static void reverse(std::int64_t n, const elements<const T>& l, const elements<T>& slope) {
        for (std::int64_t j = n; j-- > 0;) {
            for (std::int64_t i = j + 1; i < n; ++i) {
                const T each = slope(i, j) /= l(j, j);
                slope(j, j) -= each * l(i, j);
                for (std::int64_t k = 0; k < j; ++k) {
                    slope(i, k) -= each * l(j, k);
                    slope(j, k) -= each * l(i, k);
                }
            }
            const T twice = slope(j, j) / l(j, j);
            slope(j, j) = twice / 2;
            for (std::int64_t k = 0; k < j; ++k) slope(j, k) -= twice * l(j, k);
        }
    }
    /// What was read once stands for two numbers of a symmetric matrix.
    template <class T> static void finish(std::int64_t n, const elements<T>& slope) {
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < i; ++j) slope(i, j) = slope(j, i) = slope(i, j) / 2;
    }
};

/// [n,n], [n,m] -> [n,m]: equations of which the matrix is a triangle. The other one is not read, nor, where it is `unit`, the diagonal.
struct triangular : matrix_routine<2> {
    static constexpr std::string_view name = "solve_triangular"sv, failure = "singular matrix"sv;
    static constexpr std::int64_t lower = 1, transposed = 2, unit = 4;
    static constexpr std::string_view attribute[3] = {"lower"sv, "transposed"sv, "unit diagonal"sv};
    static std::int64_t operations(std::int64_t count, std::int64_t length) { return count * length; }

    template <class T> static bool is_singular(const matrix_task& t, const elements<const T>& a) {
        bool zero = false;
        for (std::int64_t i = 0; i < t.rows; ++i) zero = zero || a(i, i) == T(0);
        return zero && (t.attributes & unit) == 0;
    }
    template <class T> static bool matrix(const matrix_task& t, elements<T> x, const elements<const T>* in, T*) {
        if (is_singular(t, in[0])) return false;
        const bool turned = (t.attributes & transposed) != 0, forward = ((t.attributes & lower) != 0) != turned;
        for (std::int64_t step = 0; step < t.rows; ++step) {
            const std::int64_t i = forward ? step : t.rows - 1 - step;
            for (std::int64_t j = 0; j < t.columns; ++j) x(i, j) = in[1](i, j);
            for (std::int64_t s = 0; s < step; ++s) {
                const std::int64_t k = forward ? s : t.rows - 1 - s;
                const T factor = turned ? in[0](k, i) : in[0](i, k);
                for (std::int64_t j = 0; j < t.columns; ++j) x(i, j) -= factor * x(k, j);
            }
            if ((t.attributes & unit) == 0)
                for (std::int64_t j = 0; j < t.columns; ++j) x(i, j) /= in[0](i, i);
        }
        return true;
    }
};

/// [n,n] -> [n+1,n]: A = L U P, where U has a unit diagonal, both in one matrix; below it the columns that were exchanged, one with each.
/// As rows lie in memory this is what LAPACK makes of the transposed matrix, whose rows are pivoted. What is singular has a 0 on the diagonal.
struct lu : matrix_routine<1> {
    static constexpr std::string_view name = "lu"sv;
    static std::int64_t operations(std::int64_t count, std::int64_t length) { return 2 * count * length / 3; }

    template <class T> static bool matrix(const matrix_task& t, elements<T> f, const elements<const T>* in, T*) {
        const std::int64_t n = t.columns;
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < n; ++j) f(i, j) = in[0](i, j);
        for (std::int64_t k = 0; k < n; ++k) {
            std::int64_t p = k;
            for (std::int64_t j = k + 1; j < n; ++j)
                if (std::abs(f(k, j)) > std::abs(f(k, p))) p = j;
            f(n, k) = static_cast<T>(p);
            for (std::int64_t i = 0; p != k && i < n; ++i) {
                const T kept = f(i, k);
                f(i, k) = f(i, p);
                f(i, p) = kept;
            }
            if (f(k, k) == T(0)) continue;
            for (std::int64_t j = k + 1; j < n; ++j) f(k, j) /= f(k, k);
            for (std::int64_t i = k + 1; i < n; ++i)
                for (std::int64_t j = k + 1; j < n; ++j) f(i, j) -= f(i, k) * f(k, j);
        }
        return true;
    }
};

/// [n+1,n], [n,m] -> [n,m]: equations of a matrix that `lu` has taken apart.
struct lu_solve : matrix_routine<2> {
    static constexpr std::string_view name = "solve"sv, failure = "singular matrix"sv;
    static constexpr std::int64_t transposed = 1;
    static constexpr std::string_view attribute[1] = {"transposed"sv};
    /// Whose equations they are, where the program has not written `solve`: of those that are equal and have several callers, of the first.
    static constexpr std::int64_t caller_step = 2, of_inverse = 2, of_power = 4, of_determinant = 6, callers = 6;
    static constexpr std::string_view caller(std::int64_t attributes) {
        const std::int64_t who = attributes & callers;
        return who == of_inverse ? "inv" : who == of_power ? "matrix_power" : who == of_determinant ? "gradient of a determinant" : name;
    }
    static std::int64_t operations(std::int64_t count, std::int64_t length) { return 2 * count * length; }

    template <class T> static void exchange_rows(const matrix_task& t, elements<T> x, const elements<const T>& factors, bool from_last) {
        for (std::int64_t step = 0; step < t.rows; ++step) {
            const std::int64_t i = from_last ? t.rows - 1 - step : step, p = static_cast<std::int64_t>(factors(t.rows, i));
            for (std::int64_t j = 0; p != i && j < t.columns; ++j) {
                const T kept = x(i, j);
                x(i, j) = x(p, j);
                x(p, j) = kept;
            }
        }
    }
    /// `solve(x, attributes)` solves the equations of a triangle where the right side lies.
    template <class T, class Solve> static bool substitute(const matrix_task& t, elements<T> x, const elements<const T>* in, const Solve& solve) {
        matrix_task of_diagonal = t;
        of_diagonal.attributes = 0;
        if (triangular::is_singular(of_diagonal, in[0])) return false;
        for (std::int64_t i = 0; i < t.rows; ++i)
            for (std::int64_t j = 0; j < t.columns; ++j) x(i, j) = in[1](i, j);
        const bool turned = (t.attributes & transposed) != 0;
        const std::int64_t of_lower = triangular::lower, of_upper = triangular::unit;
        if (turned) exchange_rows(t, x, in[0], false);
        solve(turned ? of_upper | triangular::transposed : of_lower);
        solve(turned ? of_lower | triangular::transposed : of_upper);
        if (!turned) exchange_rows(t, x, in[0], true);
        return true;
    }
    template <class T> static bool matrix(const matrix_task& t, elements<T> x, const elements<const T>* in, T*) {
        return substitute(t, x, in, [&](std::int64_t attributes) {
            matrix_task of_triangle = t;
            of_triangle.attributes = attributes;
            // A row is read before it is written, and not again.
            const elements<const T> both[2] = {in[0], {x.data, x.row, x.column}};
            triangular::matrix<T>(of_triangle, x, both, nullptr);
        });
    }
};

}  // namespace croton::inline v0_1::kernel

#endif
