// SPDX-License-Identifier: MIT
// Products of many small matrices: some of them stand turned in tiles, one in each lane.
#ifndef CROTON_DEVICE_CPU_LANE_PRODUCTS_HPP
#define CROTON_DEVICE_CPU_LANE_PRODUCTS_HPP

#include <croton/config.hpp>
#include <croton/device/cpu/lane_matrices.hpp>
#include <croton/device/cpu/shared_loop.hpp>
#include <croton/kernel/argument.hpp>
#include <croton/kernel/batch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace croton::inline v0_1::detail::cpu_device {

/// Of floating-point numbers.
template <class T, class Arch> class lane_products : lane_matrices<T, Arch> {
    using typename lane_matrices<T, Arch>::V, typename lane_matrices<T, Arch>::lines;
    using lane_matrices<T, Arch>::lanes, lane_matrices<T, Arch>::bytes, lane_matrices<T, Arch>::room_bytes;
    using lane_matrices<T, Arch>::take, lane_matrices<T, Arch>::give, lane_matrices<T, Arch>::read, lane_matrices<T, Arch>::write;
    // Matrices of more numbers take longer to turn than to multiply one by one, vectors and second factors by columns later than those by rows: 6 x 6 of floats take 0.7 of that time, 8 x 8
    // by rows 1.3, by columns 0.9 (a Xeon with AVX-512; with AVX2 0.8, 1.4 and 0.9).
    static constexpr std::int64_t most_numbers = 192, most_by_rows = 128;

    /// `Columns` numbers of one row of each product of a register.
    template <int Columns>
    CROTON_INLINE static void some_columns(T alpha, const T* a, std::int64_t a_step, const T* b, std::int64_t b_step, std::int64_t b_apart, std::int64_t depth, T beta, T* c, std::int64_t c_apart) {
        V sum[Columns] = {};
        for (std::int64_t p = 0; p < depth; ++p, a += a_step, b += b_step) {
            const V factor = read(a);
            CROTON_UNROLLED
            for (int j = 0; j < Columns; ++j) sum[j] += factor * read(b + j * b_apart);
        }
        CROTON_UNROLLED
        for (int j = 0; j < Columns; ++j) {
            V v = sum[j] * alpha;
            if (beta != T{}) v += read(c + j * c_apart) * beta;
            write(c + j * c_apart, v);
        }
    }

public:
    /// Whether as many of these products as a register has lanes are computed at once; none of them is empty.
    static bool fits(T alpha, const kernel::matrix<const T>& a, const kernel::matrix<const T>& b, const kernel::batch& over) {
        const std::int64_t most = a.rows == 1 || b.cols == 1 || (b.col_stride != 1 && sizeof(V) > 16) ? most_numbers : most_by_rows;
        return alpha != T{} && over.count >= 2 * lanes && over.c != 0 && a.rows <= most && a.cols <= most && b.cols <= most &&
               a.rows * a.cols + b.rows * b.cols + a.rows * b.cols <= most;
    }

    /// `c = alpha a b + beta c` of each; `beta == 0` does not read `c`.
    [[gnu::noinline]] static void run(T alpha, const kernel::matrix<const T>& a, const kernel::matrix<const T>& b, T beta, const kernel::matrix<T>& c, const kernel::batch& over);
};

template <class T, class Arch>
void lane_products<T, Arch>::run(T alpha, const kernel::matrix<const T>& a, const kernel::matrix<const T>& b, T beta, const kernel::matrix<T>& c, const kernel::batch& over) {
    const lines of_a(a), of_b(b), of_c(c);
    const std::int64_t numbers = of_a.count() + of_b.count() + of_c.count();
    const std::int64_t width = lane_matrices<T, Arch>::width_of(numbers, over.count), tiles = (over.count + width - 1) / width;
    const int parts = parts_of(2 * (numbers + c.rows * a.cols * c.cols) * over.count, tiles);
    auto some = [&](int part) {
        alignas(64) T tile[room_bytes / bytes];
        T *const left = tile, *const right = left + of_a.count() * width, *const to = right + of_b.count() * width;
        const std::int64_t begin = tiles * part / parts, end = tiles * (part + 1) / parts;
        for (std::int64_t t = begin; t < end; ++t) {
            const std::int64_t first = t * width, n = std::min(width, over.count - first);
            // A factor that is the same for all is there from the first tile on, as long as any tile is.
            if (t == begin || over.a != 0) take(left, width, of_a, a.data + first * over.a, over.a, over.a == 0 ? width : n);
            if (t == begin || over.b != 0) take(right, width, of_b, b.data + first * over.b, over.b, over.b == 0 ? width : n);
            if (beta != T{}) take(to, width, of_c, c.data + first * over.c, over.c, n);
            for (std::int64_t l = 0; l < n; l += lanes)
                for (std::int64_t i = 0; i < c.rows; ++i) {
                    const T* const row = left + i * of_a.down * width + l;
                    const auto from = [&]<int Columns>(std::integral_constant<int, Columns>, std::int64_t j) CROTON_INLINED {
                        some_columns<Columns>(alpha, row, of_a.across * width, right + j * of_b.across * width + l, of_b.down * width, of_b.across * width, a.cols, beta,
                                              to + (i * of_c.down + j * of_c.across) * width + l, of_c.across * width);
                    };
                    std::int64_t j = 0;
                    for (; j + 4 <= c.cols; j += 4) from(std::integral_constant<int, 4>{}, j);
                    for (; j < c.cols; ++j) from(std::integral_constant<int, 1>{}, j);
                }
            give(to, width, of_c, c.data + first * over.c, over.c, n);
        }
    };
    if (parts == 1) some(0);
    else parallel(parts, some);
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
