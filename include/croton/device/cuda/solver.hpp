// SPDX-License-Identifier: MIT
// Routines of matrices on a GPU: how they lie for a library in LAPACK's terms, which takes matrices by columns. The library is a policy, so that tests need no GPU.
#ifndef CROTON_DEVICE_CUDA_SOLVER_HPP
#define CROTON_DEVICE_CUDA_SOLVER_HPP

#include <croton/core/error.hpp>
#include <croton/device/cuda/solver_kernels.hpp>
#include <croton/kernel/argument.hpp>
#include <croton/kernel/routine/matrices.hpp>
#include <croton/kernel/routine/orthogonal.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace croton::inline v0_1::detail::cuda_device {

/// The matrices of a call while a routine lays them out and works on them. A `Library` has, for float and double, with extents and leading dimensions as LAPACK's,
///   potrf(n, a, lead, work, size, info)                           of the upper triangle
///   trsm(upper, transposed, unit, m, n, a, lda, b, ldb)           from the right
///   gemm(n, a, lda, b, ldb, c, ldc)                               c = a b^T
///   getrf(n, a, lead, work, pivots, info), getrs(transposed, n, m, a, lda, pivots, b, ldb, info)
///   geqrf(m, n, a, lead, tau, work, size, info), orgqr(m, k, a, lead, tau, work, size, info)
///   syevd(n, a, lead, values, work, size, info)                   of the upper triangle, with vectors
///   gesvd(m, n, a, s, u, vt, work, size, info)                    m >= n, the first n columns of u; all arrays dense
/// of one matrix; by `potrf_size` and so on what they work in, in numbers; where it says `batches(order, count)`, for the addresses of `count` matrices,
///   potrf_batched(n, a, lead, info, count), trsm_batched(upper, transposed, unit, m, n, a, lda, b, ldb, count), gemm_batched(n, a, lda, b, ldb, c, ldc, count)
///   getrf_batched(n, a, lead, pivots, info, count), getrs_batched(transposed, n, m, a, lda, pivots, b, ldb, count)
/// and `copy`, `each`, `zero`, `read` and `rehearses` of the device.
template <class Library, class T, int Result> class solver_call {
public:
    /// Without room it counts the bytes that are taken of it.
    solver_call(const kernel::routine_call& c, std::byte* room) : task(kernel::task_of(c)), c_(c), room_(room) {
        for (int i = 0; i < axes(); ++i) count *= c.extent[i];
        constexpr std::int64_t most = std::numeric_limits<int>::max();
        if (std::max({task.rows, task.columns, task.length}) > most) throw device_error("linear algebra on a GPU takes matrices of at most " + std::to_string(most) + " rows and columns");
    }

    const kernel::matrix_task task;
    std::int64_t count = 1;

    bool counts() const { return room_ == nullptr; }
    std::int64_t bytes() const { return used_; }
    template <class N> N* take(std::int64_t numbers) {
        std::byte* const at = counts() ? nullptr : room_ + used_;
        used_ += (numbers * static_cast<std::int64_t>(sizeof(N)) + 63) / 64 * 64;
        return reinterpret_cast<N*>(at);
    }
    /// Dense matrices, by rows or as LAPACK has them.
    matrix_stack<T> take_rows(std::int64_t rows, std::int64_t columns) { return {take<T>(count * rows * columns), rows * columns, columns, 1}; }
    matrix_stack<T> take_columns(std::int64_t rows, std::int64_t columns) { return {take<T>(count * rows * columns), rows * columns, 1, rows}; }

    /// An argument that is only read, where it lies or copied by `bring`: by rows, or where they lie so by columns.
    matrix_stack<T> argument(int slot, std::int64_t rows, std::int64_t columns, bool either = false) {
        matrix_stack<T> m{reinterpret_cast<T*>(c_.data[slot]), 0, c_.stride[slot][axes()], c_.stride[slot][axes() + 1]};
        if (lies_evenly(slot, m.step) && (by_rows(m, rows, columns) || (either && by_rows(m.transposed(), columns, rows)))) return m;
        return take_rows(rows, columns);
    }
    void bring(const matrix_stack<T>& m, int slot, std::int64_t rows, std::int64_t columns) {
        if (m.data != reinterpret_cast<const T*>(c_.data[slot])) fill(m, slot, 0, rows, columns);
    }
    /// Where the result is made by rows: its own memory, or room that `give` copies from.
    matrix_stack<T> result() { return argument(Result, task.rows, task.columns); }

    /// Copies rows of an argument.
    void fill(const matrix_stack<T>& to, int slot, std::int64_t first, std::int64_t rows, std::int64_t columns) const { copy(rows, columns, rows_of(slot, first), operand(to)); }
    /// Copies to rows of the result what has been made elsewhere.
    void give(const matrix_stack<T>& from, std::int64_t first, std::int64_t rows, std::int64_t columns) const {
        if (from.data != reinterpret_cast<const T*>(c_.data[Result])) copy(rows, columns, operand(from), rows_of(Result, first));
    }

    template <class F> void each(std::int64_t pieces, const F& f) const {
        if (pieces > 0) Library::each(count * pieces, f);
    }
    template <class F> void each_matrix(const F& f) const {
        for (std::int64_t i = 0; i < count; ++i) f(i);
    }
    /// Whether the library takes all matrices at once, by their addresses.
    bool batched() const { return Library::batches(std::max(task.rows, task.columns), count); }
    T** take_addresses() { return take<T*>(batched() ? count : 0); }
    T** point(T** to, const matrix_stack<T>& m) const {
        each(1, addresses<T>{m, to});
        return to;
    }
    int number() const { return static_cast<int>(count); }
    void clear(int* flags) const { Library::zero(flags, static_cast<std::size_t>(count) * sizeof(int)); }
    /// The first matrix whose flag is set, or -1: the host waits for it.
    std::int64_t first_of(const int* flags) const {
        if (Library::rehearses()) return -1;
        constexpr std::int64_t most = 1024;
        int part[most];
        for (std::int64_t first = 0; first < count; first += most) {
            const std::int64_t n = std::min(most, count - first);
            Library::read(part, flags + first, static_cast<std::size_t>(n) * sizeof(int));
            for (std::int64_t i = 0; i < n; ++i)
                if (part[i] != 0) return first + i;
        }
        return -1;
    }

private:
    int axes() const { return c_.rank - 2; }

    /// Whether all matrices of a slot are as far from each other.
    bool lies_evenly(int slot, std::int64_t& step) const {
        std::int64_t within = 1;
        for (int a = axes(); a-- > 0;) {
            if (c_.extent[a] == 1) continue;
            if (within == 1) step = c_.stride[slot][a];
            else if (c_.stride[slot][a] != step * within) return false;
            within *= c_.extent[a];
        }
        return true;
    }
    /// Takes it where LAPACK can: then the distance of rows is one that it accepts.
    static bool by_rows(matrix_stack<T>&& m, std::int64_t rows, std::int64_t columns) { return by_rows(m, rows, columns); }
    static bool by_rows(matrix_stack<T>& m, std::int64_t rows, std::int64_t columns) {
        if ((columns > 1 && m.column != 1) || (rows > 1 && m.row < columns) || m.row > std::numeric_limits<int>::max()) return false;
        if (rows <= 1) m.row = columns;
        m.column = 1;
        return true;
    }
    kernel::operand operand(const matrix_stack<T>& m) const {
        kernel::operand o{reinterpret_cast<std::byte*>(m.data), {}};
        std::int64_t step = m.step;
        for (int a = axes(); a-- > 0; step *= c_.extent[a]) o.stride[static_cast<std::size_t>(a)] = step;
        o.stride[static_cast<std::size_t>(axes())] = m.row;
        o.stride[static_cast<std::size_t>(axes() + 1)] = m.column;
        return o;
    }
    kernel::operand rows_of(int slot, std::int64_t first) const {
        kernel::operand o{c_.data[slot] + first * c_.stride[slot][axes()] * static_cast<std::int64_t>(sizeof(T)), {}};
        for (int a = 0; a < c_.rank; ++a) o.stride[static_cast<std::size_t>(a)] = c_.stride[slot][a];
        return o;
    }
    void copy(std::int64_t rows, std::int64_t columns, const kernel::operand& from, const kernel::operand& to) const {
        if (rows * columns == 0) return;
        std::int64_t extents[max_rank]{};
        for (int a = 0; a < axes(); ++a) extents[a] = c_.extent[a];
        extents[axes()] = rows;
        extents[axes() + 1] = columns;
        Library::template copy<T>(c_.rank, extents, from, to);
    }

    const kernel::routine_call& c_;
    std::byte* room_;
    std::int64_t used_ = 0;
};

/// A routine by `Library`: takes its room, and unless that is only counted does the work. Gives the number of the first matrix that it fails on, or -1.
template <class Library, class Routine, class T> struct solver_body;

// By rows we mean what LAPACK sees as the columns of the transposed matrix: the lower triangle is its upper one, and a product stands in the other order.

template <class Library, class T> struct solver_body<Library, kernel::cholesky, T> {
    template <class Call> static std::int64_t run(Call& c) {
        const std::int64_t n = c.task.columns;
        const auto l = c.result();
        const int lead = static_cast<int>(l.row), size = Library::template potrf_size<T>(static_cast<int>(n), lead);
        int* const wrong = c.template take<int>(c.count);
        T* const work = c.template take<T>(size);
        T** const all = c.take_addresses();
        if (c.counts()) return -1;
        c.fill(l, 0, 0, n, n);
        c.clear(wrong);
        if (c.batched()) Library::potrf_batched(static_cast<int>(n), c.point(all, l), lead, wrong, c.number());
        else c.each_matrix([&](std::int64_t i) { Library::potrf(static_cast<int>(n), l.at(i), lead, work, size, wrong + i); });
        c.each(n * n, positive_triangle<T>{l, n, wrong});
        c.give(l, 0, n, n);
        return c.first_of(wrong);
    }
};

template <class Library, class T> struct solver_body<Library, kernel::cholesky_gradient, T> {
    template <class Call> static std::int64_t run(Call& c) {
        const std::int64_t n = c.task.rows;
        const auto l = c.argument(0, n, n), slope = c.result(), inner = c.take_rows(n, n);
        T **const factors = c.take_addresses(), **const slopes = c.take_addresses(), **const inners = c.take_addresses();
        if (c.counts()) return -1;
        c.bring(l, 0, n, n);
        c.fill(slope, 1, 0, n, n);
        c.each(n * n, lower_triangle<T>{slope, n, T(1)});
        const int order = static_cast<int>(n), lda = static_cast<int>(l.row), ldb = static_cast<int>(slope.row), ldc = static_cast<int>(inner.row);
        if (c.batched()) Library::gemm_batched(order, c.point(slopes, slope), ldb, c.point(factors, l), lda, c.point(inners, inner), ldc, c.number());
        else c.each_matrix([&](std::int64_t i) { Library::gemm(order, slope.at(i), ldb, l.at(i), lda, inner.at(i), ldc); });
        c.each(n * n, lower_triangle<T>{inner, n, T(0.5)});
        const auto divide = [&](const matrix_stack<T>& x, T** addresses, int lead) {
            if (c.batched()) Library::trsm_batched(true, true, false, order, order, factors, lda, addresses, lead, c.number());
            else c.each_matrix([&](std::int64_t i) { Library::trsm(true, true, false, order, order, l.at(i), lda, x.at(i), lead); });
        };
        divide(inner, inners, ldc);
        c.each(n * n, turned_copy<T>{inner, slope, n});
        divide(slope, slopes, ldb);
        c.each(n * n, symmetric_part<T>{slope, n});
        c.give(slope, 0, n, n);
        return -1;
    }
};

template <class Library, class T> struct solver_body<Library, kernel::triangular, T> {
    template <class Call> static std::int64_t run(Call& c) {
        using kernel::triangular;
        const std::int64_t n = c.task.rows, m = c.task.columns;
        const auto a = c.argument(0, n, n, true);
        const auto x = c.result();
        int* const wrong = c.template take<int>(c.count);
        T** const triangles = c.take_addresses();
        T** const sides = c.take_addresses();
        if (c.counts()) return -1;
        const bool unit = (c.task.attributes & triangular::unit) != 0, by_columns = a.column != 1;
        const bool lower = ((c.task.attributes & triangular::lower) != 0) != by_columns, turned = ((c.task.attributes & triangular::transposed) != 0) != by_columns;
        c.bring(a, 0, n, n);
        c.fill(x, 1, 0, n, m);
        if (!unit) {
            c.clear(wrong);
            c.each(n, zero_on_diagonal<T>{a, n, wrong});
        }
        const int right = static_cast<int>(m), order = static_cast<int>(n), lda = static_cast<int>(by_columns ? a.column : a.row), ldb = static_cast<int>(x.row);
        if (c.batched()) Library::trsm_batched(lower, turned, unit, right, order, c.point(triangles, a), lda, c.point(sides, x), ldb, c.number());
        else c.each_matrix([&](std::int64_t i) { Library::trsm(lower, turned, unit, right, order, a.at(i), lda, x.at(i), ldb); });
        c.give(x, 0, n, m);
        return unit ? -1 : c.first_of(wrong);
    }
};

template <class Library, class T> struct solver_body<Library, kernel::lu, T> {
    template <class Call> static std::int64_t run(Call& c) {
        const std::int64_t n = c.task.columns;
        const auto f = c.result();
        const int lead = static_cast<int>(f.row), size = Library::template getrf_size<T>(static_cast<int>(n), lead);
        int* const pivots = c.template take<int>(c.count * n);
        int* const info = c.template take<int>(c.count);  // what is singular has a 0 on the diagonal
        T* const work = c.template take<T>(size);
        T** const all = c.take_addresses();
        if (c.counts()) return -1;
        c.fill(f, 0, 0, n, n);
        if (c.batched()) Library::getrf_batched(static_cast<int>(n), c.point(all, f), lead, pivots, info, c.number());
        else c.each_matrix([&](std::int64_t i) { Library::getrf(static_cast<int>(n), f.at(i), lead, work, pivots + i * n, info + i); });
        c.each(n, pivots_as_numbers<T>{f, n, pivots});
        c.give(f, 0, n + 1, n);
        return -1;
    }
};

template <class Library, class T> struct solver_body<Library, kernel::lu_solve, T> {
    template <class Call> static std::int64_t run(Call& c) {
        const std::int64_t n = c.task.rows, m = c.task.columns;
        const auto f = c.argument(0, n + 1, n);
        const auto x = c.take_columns(n, m);
        int* const wrong = c.template take<int>(c.count);
        int* const info = c.template take<int>(1);  // of impossible arguments only
        int* const pivots = c.template take<int>(c.count * n);
        T** const factors = c.take_addresses();
        T** const sides = c.take_addresses();
        if (c.counts()) return -1;
        const bool turned = (c.task.attributes & kernel::lu_solve::transposed) != 0;
        c.bring(f, 0, n + 1, n);
        c.fill(x, 1, 0, n, m);
        c.clear(wrong);
        c.each(n, zero_on_diagonal<T>{f, n, wrong});
        c.each(n, numbers_as_pivots<T>{f, n, pivots});
        const int order = static_cast<int>(n), right = static_cast<int>(m), lead = static_cast<int>(f.row);
        if (c.batched()) Library::getrs_batched(!turned, order, right, c.point(factors, f), lead, pivots, c.point(sides, x), order, c.number());
        else c.each_matrix([&](std::int64_t i) { Library::getrs(!turned, order, right, f.at(i), lead, pivots + i * n, x.at(i), order, info); });
        c.give(x, 0, n, m);
        return c.first_of(wrong);
    }
};

// What has no counterpart for the transposed matrix in cuSOLVER is copied by columns.

template <class Library, class T> struct solver_body<Library, kernel::qr, T> {
    template <class Call> static std::int64_t run(Call& c) {
        const std::int64_t m = c.task.rows - 1, n = c.task.columns;
        const auto a = c.take_columns(m, n), tau = c.take_rows(1, n);
        const int rows = static_cast<int>(m), columns = static_cast<int>(n), size = m > 0 ? Library::template geqrf_size<T>(rows, columns) : 0;
        int* const info = c.template take<int>(1);  // of impossible arguments only
        T* const work = c.template take<T>(size);
        if (c.counts()) return -1;
        c.fill(a, 0, 0, m, n);
        Library::zero(tau.data, static_cast<std::size_t>(c.count * n) * sizeof(T));  // of what is wide the last ones stay so
        if (m > 0) c.each_matrix([&](std::int64_t i) { Library::geqrf(rows, columns, a.at(i), rows, tau.at(i), work, size, info); });
        c.give(a, 0, m, n);
        c.give(tau, m, 1, n);
        return -1;
    }
};

template <class Library, class T> struct solver_body<Library, kernel::qr_columns, T> {
    template <class Call> static std::int64_t run(Call& c) {
        const std::int64_t m = c.task.rows, k = c.task.columns;
        const auto q = c.take_columns(m, k), tau = c.take_rows(1, k);
        const int rows = static_cast<int>(m), columns = static_cast<int>(k), size = Library::template orgqr_size<T>(rows, columns);
        int* const info = c.template take<int>(1);  // of impossible arguments only
        T* const work = c.template take<T>(size);
        if (c.counts()) return -1;
        c.fill(q, 0, 0, m, k);
        c.fill(tau, 0, m, 1, k);
        c.each_matrix([&](std::int64_t i) { Library::orgqr(rows, columns, q.at(i), rows, tau.at(i), work, size, info); });
        c.give(q, 0, m, k);
        return -1;
    }
};

// Of numbers that are not finite the libraries do not say what they do, or whether they end: such a matrix is replaced by zeros, and fails.

template <class Library, class T> struct solver_body<Library, kernel::eigh, T> {
    template <class Call> static std::int64_t run(Call& c) {
        const std::int64_t n = c.task.columns;
        const auto e = c.result();
        const matrix_stack<T> v{e.data + (c.counts() ? 0 : e.row), e.step, e.row, 1};
        const int order = static_cast<int>(n), lead = static_cast<int>(e.row), size = Library::template syevd_size<T>(order, lead);
        int* const wrong = c.template take<int>(c.count);
        int* const info = c.template take<int>(c.count);
        T* const work = c.template take<T>(size);
        if (c.counts()) return -1;
        c.fill(v, 0, 0, n, n);
        c.clear(wrong);
        c.each(n * n, not_finite<T>{v, n, n, true, wrong});
        c.each(n * n, cleared<T>{v, n, n, true, wrong});
        c.each_matrix([&](std::int64_t i) { Library::syevd(order, v.at(i), lead, e.at(i), work, size, info + i); });
        c.each(1, either_wrong{info, wrong});
        c.give(e, 0, n + 1, n);
        return c.first_of(wrong);
    }
};

template <class Library, class T> struct solver_body<Library, kernel::svd, T> {
    template <class Call> static std::int64_t run(Call& c) {
        const std::int64_t m = kernel::svd::rows_of(c.task), n = c.task.length, k = c.task.columns, r = std::max(m, n);
        // cuSOLVER takes no wide matrix: that is seen as its transpose, as it lies by rows.
        const bool wide = m < n;
        const auto a = c.take_columns(r, k), u = c.take_columns(r, k), vt = c.take_columns(k, k), s = c.take_rows(1, k);
        const int rows = static_cast<int>(r), columns = static_cast<int>(k), size = Library::template gesvd_size<T>(rows, columns);
        int* const wrong = c.template take<int>(c.count);
        int* const info = c.template take<int>(c.count);
        T* const work = c.template take<T>(size);
        if (c.counts()) return -1;
        const auto given = wide ? a.transposed() : a;
        c.fill(given, 0, 0, m, n);
        c.clear(wrong);
        c.each(m * n, not_finite<T>{given, m, n, false, wrong});
        c.each(m * n, cleared<T>{given, m, n, false, wrong});
        c.each_matrix([&](std::int64_t i) { Library::gesvd(rows, columns, a.at(i), s.at(i), u.at(i), vt.at(i), work, size, info + i); });
        c.each(1, either_wrong{info, wrong});
        c.give(wide ? vt.transposed() : u, 0, m, k);
        c.give(s, m, 1, k);
        c.give(wide ? u : vt.transposed(), m + 1, n, k);
        return c.first_of(wrong);
    }
};

/// The bytes that a routine works in besides, and the routine.
template <class Library, class Routine, class T> std::int64_t solver_room(const kernel::routine_call& call) {
    solver_call<Library, T, Routine::arguments> c(call, nullptr);
    (void)solver_body<Library, Routine, T>::run(c);
    return c.bytes();
}
template <class Library, class Routine, class T> std::int64_t run_solver(const kernel::routine_call& call, std::byte* room) {
    solver_call<Library, T, Routine::arguments> c(call, room);
    return solver_body<Library, Routine, T>::run(c);
}

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
