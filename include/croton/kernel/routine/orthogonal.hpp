// SPDX-License-Identifier: MIT
// Matrices as products of orthogonal ones with triangles and diagonals, by plain code: Householder's reflections and Jacobi's rotations.
#ifndef CROTON_KERNEL_ROUTINE_ORTHOGONAL_HPP
#define CROTON_KERNEL_ROUTINE_ORTHOGONAL_HPP

#include <cmath>
#include <limits>

#include <croton/core/literals.hpp>
#include <croton/kernel/routine/matrices.hpp>

namespace croton::inline v0_1::kernel {

/// [m,n] -> [m+1,n]: R in the upper triangle, below it the reflections that Q is made of, and in the last row the factor of each.
struct qr : matrix_routine<1> {
    static constexpr std::string_view name = "qr"sv;
    static std::int64_t operations(std::int64_t count, std::int64_t length) { return 2 * count * length; }

    /// Row or column `j` reflected: applied to columns `from` to `to` of `x`.
    template <class T, class V> static void reflect(const elements<T>& x, const elements<V>& v, T factor, std::int64_t j, std::int64_t rows, std::int64_t from, std::int64_t to) {
        for (std::int64_t c = from; c < to; ++c) {
            T sum = x(j, c);
            for (std::int64_t i = j + 1; i < rows; ++i) sum += v(i, j) * x(i, c);
            x(j, c) -= factor * sum;
            for (std::int64_t i = j + 1; i < rows; ++i) x(i, c) -= factor * sum * v(i, j);
        }
    }
    template <class T> static bool matrix(const matrix_task& t, elements<T> f, const elements<const T>* in, T*) {
        const std::int64_t m = t.rows - 1, n = t.columns;
        for (std::int64_t i = 0; i < m; ++i)
            for (std::int64_t j = 0; j < n; ++j) f(i, j) = in[0](i, j);
        for (std::int64_t j = 0; j < n; ++j) {
            f(m, j) = 0;
            T below = 0;
            for (std::int64_t i = j + 1; i < m; ++i) below = std::hypot(below, f(i, j));
            if (below == T(0)) continue;
            const T length = -std::copysign(std::hypot(f(j, j), below), f(j, j)), shifted = f(j, j) - length;
            for (std::int64_t i = j + 1; i < m; ++i) f(i, j) /= shifted;
            f(m, j) = -shifted / length;
            f(j, j) = length;
            reflect(f, f, f(m, j), j, m, j + 1, n);
        }
        return true;
    }
};

/// [m+1,n] -> [m,k]: the columns of Q, of what `qr` makes.
struct qr_columns : matrix_routine<1> {
    static constexpr std::string_view name = "qr_columns"sv;
    static std::int64_t operations(std::int64_t count, std::int64_t length) { return 2 * count * length; }

    template <class T> static bool matrix(const matrix_task& t, elements<T> q, const elements<const T>* in, T*) {
        for (std::int64_t i = 0; i < t.rows; ++i)
            for (std::int64_t j = 0; j < t.columns; ++j) q(i, j) = i == j ? T(1) : T(0);
        for (std::int64_t j = t.columns; j-- > 0;) qr::reflect<T>(q, in[0], in[0](t.rows, j), j, t.rows, j, t.columns);
        return true;
    }
};

template <class T> bool is_finite(const elements<const T>& a, std::int64_t rows, std::int64_t columns, bool lower) {
    bool finite = true;
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < (lower ? i + 1 : columns); ++j) finite = finite && std::isfinite(a(i, j));
    return finite;
}

/// The rotation that takes away what two directions have in common: tangent, cosine and sine.
template <class T> struct rotation {
    T t, c, s;
    static rotation of(T first, T second, T common) {
        const T half = (second - first) / (2 * common), t = std::copysign(T(1), half) / (std::abs(half) + std::hypot(T(1), half)), c = 1 / std::hypot(T(1), t);
        return {t, c, c * t};
    }
    void apply(T& x, T& y) const {
        const T kept = x;
        x = c * kept - s * y;
        y = s * kept + c * y;
    }
};

inline constexpr int most_sweeps = 60;

/// [n,n] -> [n+1,n]: of a symmetric matrix, whose lower triangle is read, the eigenvalues in order, then the eigenvectors, a row each.
struct eigh : matrix_routine<1> {
    static constexpr std::string_view name = "eigh"sv, failure = "did not converge"sv;
    static std::int64_t operations(std::int64_t count, std::int64_t length) { return 9 * count * length; }
    template <class T> static std::int64_t room(const matrix_task& t) { return t.columns * t.columns; }

    template <class T> static bool matrix(const matrix_task& t, elements<T> e, const elements<const T>* in, T* room) {
        const std::int64_t n = t.columns;
        if (!is_finite(in[0], n, n, true)) return false;
        const elements<T> a{room, n, 1};
        T largest = 0;
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j <= i; ++j) {
                a(i, j) = a(j, i) = in[0](i, j);
                largest = std::fmax(largest, std::abs(a(i, j)));
                e(1 + i, j) = i == j ? T(1) : T(0);
                if (i != j) e(1 + j, i) = 0;
            }
        const T nothing = largest * std::numeric_limits<T>::epsilon() / 16;
        bool settled = false;
        for (int sweep = 0; !settled && sweep < most_sweeps; ++sweep) {
            settled = true;
            for (std::int64_t p = 0; p < n; ++p)
                for (std::int64_t q = p + 1; q < n; ++q) {
                    if (std::abs(a(p, q)) <= nothing) continue;
                    settled = false;
                    const auto turn = rotation<T>::of(a(p, p), a(q, q), a(p, q));
                    for (std::int64_t i = 0; i < n; ++i) turn.apply(a(i, p), a(i, q));
                    for (std::int64_t i = 0; i < n; ++i) turn.apply(a(p, i), a(q, i));
                    for (std::int64_t i = 0; i < n; ++i) turn.apply(e(1 + p, i), e(1 + q, i));
                    a(p, q) = a(q, p) = 0;
                }
        }
        for (std::int64_t i = 0; i < n; ++i) e(0, i) = a(i, i);
        for (std::int64_t i = 0; i < n; ++i) {
            std::int64_t least = i;
            for (std::int64_t j = i + 1; j < n; ++j)
                if (e(0, j) < e(0, least)) least = j;
            if (least == i) continue;
            std::swap(e(0, i), e(0, least));
            for (std::int64_t j = 0; j < n; ++j) std::swap(e(1 + i, j), e(1 + least, j));
        }
        return settled;
    }
};

/// [m,n] -> [m+n+1,k], where k is the smaller of m and n: U, a row of the singular values, the largest first, and V.
struct svd : matrix_routine<1> {
    static constexpr std::string_view name = "svd"sv, failure = "did not converge"sv;
    static std::int64_t operations(std::int64_t count, std::int64_t length) { return 10 * count * length; }
    static std::int64_t rows_of(const matrix_task& t) { return t.rows - t.length - 1; }
    template <class T> static std::int64_t room(const matrix_task& t) { return (t.rows + t.columns) * t.columns; }

    /// One direction that is orthogonal to the first `c` columns of x, in column `c`.
    template <class T> static void complete(const elements<T>& x, std::int64_t rows, std::int64_t c) {
        for (std::int64_t unit = 0; unit < rows; ++unit) {
            for (std::int64_t i = 0; i < rows; ++i) x(i, c) = i == unit ? T(1) : T(0);
            T length = 0;
            for (int round = 0; round < 2; ++round) {
                for (std::int64_t k = 0; k < c; ++k) {
                    T common = 0;
                    for (std::int64_t i = 0; i < rows; ++i) common += x(i, k) * x(i, c);
                    for (std::int64_t i = 0; i < rows; ++i) x(i, c) -= common * x(i, k);
                }
                length = 0;
                for (std::int64_t i = 0; i < rows; ++i) length += x(i, c) * x(i, c);
            }
            if (2 * length * static_cast<T>(rows) < 1) continue;
            for (std::int64_t i = 0; i < rows; ++i) x(i, c) /= std::sqrt(length);
            return;
        }
    }
    template <class T> static bool matrix(const matrix_task& t, elements<T> f, const elements<const T>* in, T* room) {
        const std::int64_t m = rows_of(t), n = t.length, k = t.columns, rows = m < n ? n : m;
        if (!is_finite(in[0], m, n, false)) return false;
        // Of a wide matrix the transposed one is taken apart. Its columns are turned until they are orthogonal.
        const elements<T> w{room, k, 1}, turned{room + rows * k, k, 1};
        T largest = 0;
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < k; ++j) largest = std::fmax(largest, std::abs(w(i, j) = m < n ? in[0](j, i) : in[0](i, j)));
        // Squares neither overflow nor vanish.
        const T scale = largest > 0 ? std::exp2(std::floor(std::log2(largest))) : T(1);
        T all = 0;
        for (std::int64_t i = 0; i < rows * k; ++i) {
            room[i] /= scale;
            all += room[i] * room[i];
        }
        // A column that is no longer than the rounding errors of the longest has no direction, and would be turned for ever.
        const T nothing = std::numeric_limits<T>::epsilon() * std::sqrt(all);
        for (std::int64_t i = 0; i < k; ++i)
            for (std::int64_t j = 0; j < k; ++j) turned(i, j) = i == j ? T(1) : T(0);
        bool settled = false, loose = false;
        for (int sweep = 0; !settled && sweep < most_sweeps; ++sweep) {
            settled = true;
            loose = false;
            for (std::int64_t p = 0; p < k; ++p)
                for (std::int64_t q = p + 1; q < k; ++q) {
                    T first = 0, second = 0, common = 0;
                    for (std::int64_t i = 0; i < rows; ++i) {
                        first += w(i, p) * w(i, p);
                        second += w(i, q) * w(i, q);
                        common += w(i, p) * w(i, q);
                    }
                    if (!(std::abs(common) > 2 * std::numeric_limits<T>::epsilon() * std::sqrt(first) * std::sqrt(second))) continue;
                    if (std::sqrt(std::fmin(first, second)) <= nothing) {
                        loose = true;
                        continue;
                    }
                    settled = false;
                    const auto turn = rotation<T>::of(first, second, common);
                    for (std::int64_t i = 0; i < rows; ++i) turn.apply(w(i, p), w(i, q));
                    for (std::int64_t i = 0; i < k; ++i) turn.apply(turned(i, p), turned(i, q));
                }
        }
        const elements<T> u{f.data, f.row, f.column}, s{&f(m, 0), f.row, f.column}, v{&f(m + 1, 0), f.row, f.column}, &tall = m < n ? v : u, &square = m < n ? u : v;
        for (std::int64_t c = 0; c < k; ++c) {
            T length = 0;
            for (std::int64_t i = 0; i < rows; ++i) length += w(i, c) * w(i, c);
            s(0, c) = std::sqrt(length);
        }
        for (std::int64_t c = 0; c < k; ++c) {
            std::int64_t most = c;
            for (std::int64_t j = c + 1; j < k; ++j)
                if (s(0, j) > s(0, most)) most = j;
            if (most != c) {
                std::swap(s(0, c), s(0, most));
                for (std::int64_t i = 0; i < rows; ++i) std::swap(w(i, c), w(i, most));
                for (std::int64_t i = 0; i < k; ++i) std::swap(turned(i, c), turned(i, most));
            }
            for (std::int64_t i = 0; i < k; ++i) square(i, c) = turned(i, c);
            if (s(0, c) > (loose ? nothing : T(0)))
                for (std::int64_t i = 0; i < rows; ++i) tall(i, c) = w(i, c) / s(0, c);
            else complete(tall, rows, c);
            s(0, c) *= scale;
        }
        return settled;
    }
};

}  // namespace croton::inline v0_1::kernel

#endif
