// SPDX-License-Identifier: MIT
// Products of matrices with vectors by registers, at the speed at which memory gives the matrix.
#ifndef CROTON_DEVICE_CPU_GEMV_HPP
#define CROTON_DEVICE_CPU_GEMV_HPP

#include <croton/device/cpu/narrow_gemv.hpp>
#include <croton/device/cpu/product_tile.hpp>
#include <croton/device/cpu/routines.hpp>
#include <croton/kernel/argument.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace croton::inline v0_1::detail::cpu_device {

/// Of a matrix whose rows or whose columns are runs of memory. Threads share results, so that no rounding depends on them.
template <class T, class Arch> class gemv {
    using some = some_lanes<T, Arch>;
    using V = typename some::V;
    static constexpr int lanes = static_cast<int>(some::lanes);
    // What is gathered of a vector at a time, and what of a result is summed before it is stored.
    static constexpr std::int64_t block = 16384 / sizeof(T);
    // Columns that are added at once: as many streams as the processor reads ahead without trouble.
    static constexpr int together = 8;
    // By registers of 32 bytes eight rows are added up before the next ones have come, and a first cache of 32 kB has no room for both: of 400 x 784 floats, of which eight rows
    // at a time are multiplied and added up, asking takes 1.2 times as long (Zen 3).
    static constexpr bool asks_ahead = register_bytes<Arch>() != 32;

    using narrow = narrow_gemv<T, Arch>;

    using matrix_t = kernel::matrix<const T>;
    using vector_t = kernel::vector<const T>;
    using result_t = kernel::vector<T>;

public:
    static bool fits(const matrix_t& a) { return a.col_stride == 1 || a.row_stride == 1; }

    /// `y = alpha a x + beta y`, none of which is empty; `beta == 0` does not read `y`.
    static void run(T alpha, const matrix_t& a, const vector_t& x, T beta, const result_t& y) {
        // One column is both; along its rows there is nothing to sum.
        if (a.row_stride != 1 || (a.col_stride == 1 && a.cols != 1)) return run_rows(alpha, a, x, beta, y);
        const std::int64_t unit = 4 * lanes, units = (y.size + unit - 1) / unit;
        const int parts = parts_of(4 * a.rows * a.cols, units);
        auto some_of = [&](int part) {
            const std::int64_t end = std::min(y.size, units * (part + 1) / parts * unit);
            for (std::int64_t i = units * part / parts * unit; i < end; i += block) run_columns(alpha, a, x, beta, y, i, std::min(block, end - i));
        };
        if (parts == 1) some_of(0);
        else parallel(parts, some_of);
    }

    /// The same on this thread, of an `a` whose rows are runs of memory.
    static void multiply_rows(T alpha, const matrix_t& a, const vector_t& x, T beta, const result_t& y) { run_rows(alpha, a, x, beta, y, 0, a.rows); }

    /// `sum += x a` of an `a` whose rows are runs of memory, or `sum = x a` where this is the `first`. What lies `ahead` numbers behind each is asked for where that pays, to
    /// be near when it is needed.
    static void add_rows(const matrix_t& a, const vector_t& x, T* sum, bool first, std::int64_t ahead) {
        if (a.cols <= 4 * lanes) return run_columns(T(1), {a.data, a.cols, a.rows, 1, a.row_stride}, x, first ? T{} : T(1), {sum, a.cols, 1}, 0, a.cols);
        if (first) std::fill_n(sum, a.cols, T{});
        const auto add = [&]<int Rows>(std::integral_constant<int, Rows>, std::int64_t k) CROTON_INLINED {
            const T* const from = a.data + k * a.row_stride;
            if constexpr (asks_ahead) add_columns<Rows>(from, a.row_stride, x, k, a.cols, sum, ahead);
            else add_columns<Rows>(from, a.row_stride, x, k, a.cols, sum);
        };
        std::int64_t k = 0;
        for (; k + together <= a.rows; k += together) add(std::integral_constant<int, together>(), k);
        for (; k < a.rows; ++k) add(std::integral_constant<int, 1>(), k);
    }

private:
    static void finish(T alpha, T sum, T beta, T& out) { out = beta == T{} ? alpha * sum : alpha * sum + beta * out; }
    CROTON_INLINE static void finish(T alpha, const T* sum, T beta, T* out, const some& part) {
        const V v = alpha * some::load_all(sum);
        part.store(out, beta == T{} ? v : v + beta * part.load(out));
    }

    static void run_rows(T alpha, const matrix_t& a, const vector_t& x, T beta, const result_t& y) {
        const std::int64_t units = (a.rows + lanes - 1) / lanes;
        const int parts = parts_of(4 * a.rows * a.cols, units);
        if (parts == 1) return run_rows(alpha, a, x, beta, y, 0, a.rows);
        parallel(parts, [&](int part) { run_rows(alpha, a, x, beta, y, units * part / parts * lanes, std::min(a.rows, units * (part + 1) / parts * lanes)); });
    }
    static void run_rows(T alpha, const matrix_t& a, const vector_t& x, T beta, const result_t& y, std::int64_t first, std::int64_t end) {
        if (run_few(alpha, a, x, beta, y, first, end)) return;
        T gathered[block];
        const std::int64_t depth = x.stride == 1 ? a.cols : block;
        for (std::int64_t k = 0; k < a.cols; k += depth) {
            const std::int64_t count = std::min(depth, a.cols - k);
            const T* from = x.data + k * x.stride;
            if (x.stride != 1) {
                for (std::int64_t l = 0; l < count; ++l) gathered[l] = from[l * x.stride];
                from = gathered;
            }
            const T factor = k == 0 ? beta : T{1};
            std::int64_t i = first;
            for (; end - i > lanes / 2; i += lanes) dots<lanes>(alpha, a, i, end - i, k, count, from, factor, y);
            if constexpr (lanes > together)
                for (; end - i > few; i += together) dots<together>(alpha, a, i, end - i, k, count, from, factor, y);
            for (; end - i > 1; i += few) dots<few>(alpha, a, i, end - i, k, count, from, factor, y);
            if (i + 1 == end) dots<1>(alpha, a, i, 1, k, count, from, factor, y);
        }
    }

    /// Rows from `first` to `end` of two to four numbers; false where they are not such.
    static bool run_few(T alpha, const matrix_t& a, const vector_t& x, T beta, const result_t& y, std::int64_t first, std::int64_t end) {
        if constexpr (narrow::found) {
            if (a.cols < 2 || a.cols > 4 || a.col_stride != 1 || a.row_stride != a.cols || y.stride != 1 || end - first < lanes) return false;
            T factor[4], sum[block];
            for (std::int64_t k = 0; k < a.cols; ++k) factor[k] = x.data[k * x.stride];
            const auto dots = [&](std::int64_t i, std::int64_t rows, T* to) {
                const T* const from = a.data + i * a.cols;
                if (a.cols == 2) narrow::template dots<2>(from, factor, rows, to);
                else if (a.cols == 3) narrow::template dots<3>(from, factor, rows, to);
                else narrow::template dots<4>(from, factor, rows, to);
            };
            if (alpha == T(1) && beta == T{}) {
                dots(first, end - first, y.data + first);
                return true;
            }
            for (std::int64_t i = first, rows; i < end; i += rows) {
                // The last rows are at least a register.
                rows = std::min(end - i, block);
                if (const std::int64_t left = end - i - rows; left > 0 && left < lanes) rows -= lanes;
                dots(i, rows, sum);
                for (std::int64_t l = 0; l < rows; l += lanes) finish(alpha, sum + l, beta, y.data + i + l, some(rows - l));
            }
            return true;
        }
        return false;
    }

    static constexpr int few = lanes < 4 ? lanes : 4;
    template <int Rows> static constexpr int chains = Rows < 8 ? 8 / Rows : 1;

    /// `Rows` results at once; rows that there are not are computed as the last one, and not stored.
    template <int Rows>
    CROTON_INLINE static void dots(T alpha, const matrix_t& a, std::int64_t i, std::int64_t rows, std::int64_t k, std::int64_t depth, const T* x, T beta,
                                   const result_t& y) {
        V sum[lanes] = {};
        add_rows<Rows>(sum, a.data + i * a.row_stride + k, a.row_stride, rows, depth, x, std::make_integer_sequence<int, Rows>());
        alignas(sizeof(V)) T sums[lanes];
        const V all = folded<T, Arch>(sum);
        std::memcpy(sums, &all, sizeof all);
        if (Rows == lanes && rows >= Rows && y.stride == 1) return finish(alpha, sums, beta, y.data + i, some(lanes));
        for (std::int64_t r = 0; r < std::min<std::int64_t>(Rows, rows); ++r) finish(alpha, sums[r], beta, y.data[(i + r) * y.stride]);
    }
    template <int Rows, int... R>
    CROTON_INLINE static void add_rows(V* to, const T* a, std::int64_t stride, std::int64_t rows, std::int64_t depth, const T* x,
                                       std::integer_sequence<int, R...>) {
        constexpr int count = chains<Rows>;
        const T* const row[Rows] = {(a + std::min<std::int64_t>(R, rows - 1) * stride)...};
        V sum[count][Rows] = {};
        std::int64_t at = 0;
        for (; at + count * lanes <= depth; at += count * lanes)
            CROTON_UNROLLED
            for (int c = 0; c < count; ++c) {
                const V of_x = some::load_all(x + at + c * lanes);
                ((sum[c][R] += some::load_all(row[R] + at + c * lanes) * of_x), ...);
            }
        for (; at < depth; at += lanes) {
            const some part{depth - at};
            const V of_x = part.load(x + at);
            ((sum[0][R] += part.load(row[R] + at) * of_x), ...);
        }
        CROTON_UNROLLED
        for (int c = 1; c < count; ++c) ((sum[0][R] += sum[c][R]), ...);
        ((to[R] = sum[0][R]), ...);
    }

    /// `size` results from `i` on, which are summed in cache.
    static void run_columns(T alpha, const matrix_t& a, const vector_t& x, T beta, const result_t& y, std::int64_t i, std::int64_t size);

    /// The same of few results, where rows of the numbers that are summed lie one behind the other; false where they do not.
    static bool sum_few(const matrix_t& a, const vector_t& x, T* to) {
        if constexpr (narrow::found) {
            if (a.rows < 2 || a.rows > narrow::most_columns || a.rows % lanes == 0 || a.col_stride != a.rows || x.stride != 1 || a.cols < narrow::least_rows) return false;
            narrow::sums(a.data, x.data, a.cols, a.rows, to);
            return true;
        }
        return false;
    }

    template <int Registers> static void columns_in_registers(const matrix_t& a, const T* from, const vector_t& x, std::int64_t size, T* to) {
        columns_in_registers(a, from, x, size, to, std::make_integer_sequence<int, Registers>());
    }
    template <int... R>
    static void columns_in_registers(const matrix_t& a, const T* from, const vector_t& x, std::int64_t size, T* to, std::integer_sequence<int, R...>) {
        // Two sums of each: an addition waits for the one before it.
        constexpr int count = static_cast<int>(sizeof...(R));
        V even[count] = {}, odd[count] = {};
        const some last{size - (count - 1) * lanes};
        const auto add = [&](V* sum, std::int64_t k) CROTON_INLINED {
            const T factor = x.data[k * x.stride];
            const T* const column = from + k * a.col_stride;
            ((sum[R] += factor * (R + 1 < count ? some::load_all(column + R * lanes) : last.load(column + R * lanes))), ...);
        };
        std::int64_t k = 0;
        for (; k + 2 <= a.cols; k += 2) add(even, k), add(odd, k + 1);
        if (k < a.cols) add(even, k);
        ((even[R] += odd[R]), ...);
        (some(lanes).store(to + R * lanes, even[R]), ...);
    }

    // `ahead...`: how far ahead memory is asked for, where it is.
    template <int Columns, class... Ahead>
    static void add_columns(const T* from, std::int64_t stride, const vector_t& x, std::int64_t k, std::int64_t size, T* sum, Ahead... ahead) {
        add_columns(from, stride, x, k, size, sum, std::make_integer_sequence<int, Columns>(), ahead...);
    }
    template <int... C, class... Ahead>
    static void add_columns(const T* from, std::int64_t stride, const vector_t& x, std::int64_t k, std::int64_t size, T* sum, std::integer_sequence<int, C...>,
                            Ahead... ahead) {
        const T* const column[] = {(from + C * stride)...};
        const T factor[] = {x.data[(k + C) * x.stride]...};
        const auto add = [&](const some& part, std::int64_t at) CROTON_INLINED {
            V s = part.load(sum + at), other{};
            ((C % 2 == 0 ? s += factor[C] * part.load(column[C] + at) : other += factor[C] * part.load(column[C] + at)), ...);
            part.store(sum + at, s + other);
        };
        std::int64_t at = 0;
        if constexpr (sizeof...(Ahead) > 0) {
            constexpr std::int64_t line = std::max<std::int64_t>(lanes, 64 / sizeof(T));
            for (; at + line <= size; at += line) {
                (__builtin_prefetch(column[C] + at + (ahead + ...)), ...);
                for (std::int64_t l = 0; l < line; l += lanes) add(some(lanes), at + l);
            }
        }
        for (; at + lanes <= size; at += lanes) add(some(lanes), at);
        if (at < size) add(some(size - at), at);
    }
};

template <class T, class Arch>
void gemv<T, Arch>::run_columns(T alpha, const matrix_t& a, const vector_t& x, T beta, const result_t& y, std::int64_t i, std::int64_t size) {
    const T* const from = a.data + i;
    alignas(64) T sum[block];
    if (size == a.rows && sum_few(a, x, sum)) {
    } else if (size <= 4 * lanes) {
        const std::int64_t registers = (size + lanes - 1) / lanes;
        if (registers == 1) columns_in_registers<1>(a, from, x, size, sum);
        else if (registers == 2) columns_in_registers<2>(a, from, x, size, sum);
        else if (registers == 3) columns_in_registers<3>(a, from, x, size, sum);
        else columns_in_registers<4>(a, from, x, size, sum);
    } else {
        std::fill_n(sum, size, T{});
        std::int64_t k = 0;
        for (; k + together <= a.cols; k += together) add_columns<together>(from + k * a.col_stride, a.col_stride, x, k, size, sum);
        for (; k + 2 <= a.cols; k += 2) add_columns<2>(from + k * a.col_stride, a.col_stride, x, k, size, sum);
        for (; k < a.cols; ++k) add_columns<1>(from + k * a.col_stride, a.col_stride, x, k, size, sum);
    }
    if (y.stride == 1) {
        for (std::int64_t l = 0; l < size; l += lanes) finish(alpha, sum + l, beta, y.data + i + l, some(size - l));
    } else {
        for (std::int64_t l = 0; l < size; ++l) finish(alpha, sum[l], beta, y.data[(i + l) * y.stride]);
    }
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
