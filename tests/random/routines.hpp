// SPDX-License-Identifier: MIT
// What routines do with one row or one matrix, by their definitions and in double.
#ifndef CROTON_TESTS_RANDOM_ROUTINES_HPP
#define CROTON_TESTS_RANDOM_ROUTINES_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include <croton/kernel/routine/matrices.hpp>

namespace random_programs {

using row_of_numbers = std::vector<double>;

/// The row that the routine `name` makes of the rows `in`; all have one length.
inline row_of_numbers row_by_routine(std::string_view name, std::int64_t attributes, const std::vector<row_of_numbers>& in) {
    const std::size_t n = in[0].size();
    row_of_numbers out(n);
    if (name == "sort" || name == "argsort") {
        std::vector<std::size_t> places(n);
        std::iota(places.begin(), places.end(), std::size_t{0});
        std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return in[0][a] < in[0][b] || (in[0][b] != in[0][b] && in[0][a] == in[0][a]); });
        for (std::size_t i = 0; i < n; ++i) out[i] = name == "sort" ? in[0][places[i]] : static_cast<double>(places[i]);
        return out;
    }
    if (name == "permute") {
        for (std::size_t i = 0; i < n; ++i) {
            const auto place = static_cast<std::size_t>(in[0][i]);
            if (place >= n) throw std::logic_error("routine: a place outside of its row");
            if ((attributes & 1) != 0) out[place] = in[1][i];
            else out[i] = in[1][place];
        }
        return out;
    }
    const bool reversed = (attributes & 1) != 0, exclusive = (attributes & 2) != 0;
    for (std::size_t k = 0; k < n; ++k) {
        // Each from the beginning: nothing is kept from one to the next.
        const auto at = [&](std::size_t i) { return reversed ? n - 1 - i : i; };
        long double state = name == "cumprod" ? 1 : 0, high = -HUGE_VAL;
        const std::size_t end = exclusive ? k : k + 1;
        for (std::size_t i = 0; i < end; ++i) high = std::max<long double>(high, in[0][at(i)]);
        for (std::size_t i = 0; i < end; ++i) {
            const double x = in[0][at(i)];
            if (name == "cumsum") state += x;
            else if (name == "cumprod") state *= x;
            else if (name == "logcumsumexp") state += std::exp(x - high);
            else if (name == "weighted_cumsum") state = x * state + in[1][at(i)];
            else throw std::logic_error("routine: one that no user names");
        }
        out[at(k)] = static_cast<double>(name == "logcumsumexp" ? high + std::log(state) : state);
    }
    return out;
}

/// A matrix whose rows lie one behind the other.
struct matrix_of_numbers {
    std::int64_t rows = 0, columns = 0;
    std::vector<double> at;
    double& operator()(std::int64_t i, std::int64_t j) { return at[static_cast<std::size_t>(i * columns + j)]; }
};

/// The extents of argument `k` of a routine whose result has `rows` and `columns`.
inline std::pair<std::int64_t, std::int64_t> matrix_argument(std::string_view name, int k, std::int64_t rows, std::int64_t columns) {
    if (k == 1) return {rows, columns};
    if (name == "lu") return {columns, columns};
    return {name == "solve" ? rows + 1 : rows, rows};
}

/// The matrix that the routine `name` makes of the matrices `in`, by its plain code.
inline matrix_of_numbers matrix_by_routine(std::string_view name, std::int64_t attributes, std::int64_t rows, std::int64_t columns, const std::vector<matrix_of_numbers>& in) {
    namespace kernel = croton::kernel;
    matrix_of_numbers out{rows, columns, std::vector<double>(static_cast<std::size_t>(rows * columns))};
    std::vector<kernel::elements<const double>> parts;
    for (const matrix_of_numbers& m : in) parts.push_back({m.at.data(), m.columns, 1});
    const kernel::matrix_task task{rows, columns, in[0].columns, attributes};
    const kernel::elements<double> to{out.at.data(), columns, 1};
    bool done = false;
    if (name == "cholesky") done = kernel::cholesky::matrix<double>(task, to, parts.data(), nullptr);
    else if (name == "solve_triangular") done = kernel::triangular::matrix<double>(task, to, parts.data(), nullptr);
    else if (name == "lu") done = kernel::lu::matrix<double>(task, to, parts.data(), nullptr);
    else if (name == "solve") done = kernel::lu_solve::matrix<double>(task, to, parts.data(), nullptr);
    else throw std::logic_error("routine: one of matrices that no user names");
    if (!done) {
        // What is no number has none.
        for (const matrix_of_numbers& m : in)
            for (const double x : m.at)
                if (!std::isfinite(x)) return {rows, columns, std::vector<double>(out.at.size(), std::nan(""))};
        throw std::logic_error("routine: a matrix that has no factors");
    }
    return out;
}

/// The determinant of a matrix, and in `b` what it must be multiplied by to give that: by Gauss and Jordan.
inline double eliminate(matrix_of_numbers a, matrix_of_numbers& b) {
    const std::int64_t n = a.rows;
    double determinant = 1;
    for (std::int64_t k = 0; k < n; ++k) {
        std::int64_t p = k;
        for (std::int64_t i = k + 1; i < n; ++i)
            if (std::fabs(a(i, k)) > std::fabs(a(p, k))) p = i;
        for (std::int64_t j = 0; p != k && j < n; ++j) std::swap(a(k, j), a(p, j));
        for (std::int64_t j = 0; p != k && j < b.columns; ++j) std::swap(b(k, j), b(p, j));
        determinant *= p != k ? -a(k, k) : a(k, k);
        for (std::int64_t i = 0; i < n; ++i) {
            if (i == k) continue;
            const double factor = a(i, k) / a(k, k);
            for (std::int64_t j = 0; j < n; ++j) a(i, j) -= factor * a(k, j);
            for (std::int64_t j = 0; j < b.columns; ++j) b(i, j) -= factor * b(k, j);
        }
    }
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < b.columns; ++j) b(i, j) /= a(i, i);
    return determinant;
}

}  // namespace random_programs

#endif
