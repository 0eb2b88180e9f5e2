// SPDX-License-Identifier: MIT
// Matrices with zeros on one side of the diagonal, as they are found in memory.
#ifndef CROTON_DEVICE_CPU_TRIANGULAR_HPP
#define CROTON_DEVICE_CPU_TRIANGULAR_HPP

#include <croton/kernel/argument.hpp>

#include <algorithm>
#include <cstdint>

namespace croton::inline v0_1::detail::cpu_device {

/// The side of the diagonal where a matrix has numbers that are not 0.
enum class triangle { none, lower, upper };

/// Whether `count` numbers that lie `stride` apart are all 0.
template <class T> bool are_zero(const T* at, std::int64_t count, std::int64_t stride) {
    unsigned found = 0;
    if (stride == 1)
        for (std::int64_t j = 0; j < count; ++j) found |= static_cast<unsigned>(at[j] != T{});
    else
        for (std::int64_t j = 0; j < count; ++j) found |= static_cast<unsigned>(at[j * stride] != T{});
    return found == 0;
}

/// Whether all numbers above the diagonal of a square matrix are 0.
template <class T> bool is_zero_above(const kernel::matrix<const T>& m) {
    for (std::int64_t i = 0; i < m.rows; ++i) {
        // In blocks, so that the first one ends it.
        for (std::int64_t j0 = i + 1; j0 < m.cols; j0 += 256) {
            const std::int64_t count = std::min<std::int64_t>(256, m.cols - j0);
            if (!are_zero(m.data + i * m.row_stride + j0 * m.col_stride, count, m.col_stride)) return false;
        }
    }
    return true;
}
/// The same of those below it, walked as they lie in memory.
template <class T> bool is_zero_below(const kernel::matrix<const T>& m) {
    for (std::int64_t i = 1; i < m.rows; ++i) {
        if (!are_zero(m.data + i * m.row_stride, i, m.col_stride)) return false;
    }
    return true;
}

/// Whether a square matrix has a 0 in one of the two corners that are 0 in a triangular one.
template <class T> bool has_zero_corner(const kernel::matrix<const T>& m) {
    return m.rows == m.cols && (m.data[(m.cols - 1) * m.col_stride] == T{} || m.data[(m.rows - 1) * m.row_stride] == T{});
}

/// Looks at the two corners first, which tell most matrices.
template <class T> triangle triangle_of(const kernel::matrix<const T>& m) {
    if (m.rows != m.cols || m.rows < 2) return triangle::none;
    // One that lies column by column is walked along its columns.
    const bool turned = m.col_stride != 1 && m.row_stride == 1;
    const kernel::matrix<const T> walked = turned ? kernel::matrix<const T>{m.data, m.cols, m.rows, m.col_stride, m.row_stride} : m;
    const std::int64_t last = m.rows - 1;
    if (walked.data[last * walked.col_stride] == T{} && is_zero_above(walked)) return turned ? triangle::upper : triangle::lower;
    if (walked.data[last * walked.row_stride] == T{} && is_zero_below(walked)) return turned ? triangle::lower : triangle::upper;
    return triangle::none;
}

/// Copies a matrix to one whose rows are contiguous; says whether all numbers are finite.
template <class T> bool copy_finite(const kernel::matrix<const T>& from, const kernel::matrix<T>& to) {
    constexpr std::int64_t block = 32;
    unsigned found = 0;
    // What minus itself is not 0 is infinite or NaN.
    if (from.col_stride == 1) {
        for (std::int64_t i = 0; i < to.rows; ++i) {
            const T* const x = from.data + i * from.row_stride;
            T* const y = to.data + i * to.row_stride;
            for (std::int64_t j = 0; j < to.cols; ++j) {
                y[j] = x[j];
                found |= static_cast<unsigned>(!(x[j] - x[j] == T{}));
            }
        }
        return found == 0;
    }
    for (std::int64_t i0 = 0; i0 < to.rows; i0 += block)
        for (std::int64_t j0 = 0; j0 < to.cols; j0 += block)
            for (std::int64_t i = i0; i < std::min(to.rows, i0 + block); ++i)
                for (std::int64_t j = j0; j < std::min(to.cols, j0 + block); ++j) {
                    const T x = from.data[i * from.row_stride + j * from.col_stride];
                    to.data[i * to.row_stride + j] = x;
                    found |= static_cast<unsigned>(!(x - x == T{}));
                }
    return found == 0;
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
