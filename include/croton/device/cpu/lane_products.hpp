// SPDX-License-Identifier: MIT
// Products of many small matrices: some of them stand turned in tiles, one in each lane.
#ifndef CROTON_DEVICE_CPU_LANE_PRODUCTS_HPP
#define CROTON_DEVICE_CPU_LANE_PRODUCTS_HPP

#include <croton/config.hpp>
#include <croton/device/cpu/lanes.hpp>
#include <croton/device/cpu/shared_loop.hpp>
#include <croton/device/cpu/tile.hpp>
#include <croton/kernel/argument.hpp>
#include <croton/kernel/batch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace croton::inline v0_1::detail::cpu_device {

/// Of floating-point numbers.
template <class T, class Arch> class lane_products {
    using V = typename lanes_of<T, register_bytes<Arch>()>::type;
    static constexpr std::int64_t lanes = sizeof(V) / sizeof(T), bytes = sizeof(T);
    // The tiles of all three stay in the nearest cache.
    static constexpr std::int64_t room_bytes = 24 * 1024;
    // Matrices of more numbers take longer to turn than to multiply one by one, vectors and second factors by columns later than those by rows: 6 x 6 of floats take 0.7 of that time, 8 x 8
    // by rows 1.3, by columns 0.9 (a Xeon with AVX-512; with AVX2 0.8, 1.4 and 0.9).
    static constexpr std::int64_t most_numbers = 192, most_by_rows = 128;

    /// How the numbers of one matrix are lines of a tile: `outer` times `inner` of them, which lie `apart` and `step` elements from each other, and of which rows and columns are so many lines apart.
    struct lines {
        std::int64_t outer, inner, apart, step, down, across;

        template <class U> explicit lines(const kernel::matrix<U>& m) {
            const bool by_columns = m.cols == 1 || (m.col_stride != 1 && m.row_stride == 1 && m.rows != 1);
            outer = by_columns ? m.cols : m.rows;
            inner = by_columns ? m.rows : m.cols;
            apart = by_columns ? m.col_stride : m.row_stride;
            step = by_columns ? m.row_stride : m.col_stride;
            down = by_columns ? 1 : m.cols;
            across = by_columns ? m.rows : 1;
            if (outer > 1 && apart != inner * step) return;
            inner *= outer;
            outer = 1;
        }
        std::int64_t count() const { return outer * inner; }
    };
    static grid in_tile(T* tile, std::int64_t width) { return {reinterpret_cast<std::byte*>(tile), bytes, width * bytes}; }
    template <class U> static grid in_memory(U* from, std::int64_t each, std::int64_t step) {
        return {const_cast<std::byte*>(reinterpret_cast<const std::byte*>(from)), each * bytes, step * bytes};
    }

    /// `n` matrices, `each` elements from one to the next, become lines of `width` numbers. What lies behind the last is 0.
    static void take(T* tile, std::int64_t width, const lines& of, const T* from, std::int64_t each, std::int64_t n) {
        for (std::int64_t o = 0; o < of.outer; ++o)
            copy_rows<Arch, unsigned{sizeof(T)}>(in_tile(tile + o * of.inner * width, width), in_memory(from + o * of.apart, each, of.step), of.inner, n, static_cast<int>(bytes));
        if (const std::int64_t used = (n + lanes - 1) / lanes * lanes; used > n)
            for (std::int64_t l = 0; l < of.count(); ++l) std::fill_n(tile + l * width + n, used - n, T{});
    }
    static void give(const T* tile, std::int64_t width, const lines& of, T* to, std::int64_t each, std::int64_t n) {
        for (std::int64_t o = 0; o < of.outer; ++o)
            copy_rows<Arch, unsigned{sizeof(T)}>(in_memory(to + o * of.apart, each, of.step), in_tile(const_cast<T*>(tile) + o * of.inner * width, width), of.inner, n, static_cast<int>(bytes));
    }
    static V read(const T* p) {
        V v;
        std::memcpy(&v, p, sizeof v);
        return v;
    }

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
            std::memcpy(c + j * c_apart, &v, sizeof v);
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
    const std::int64_t width = std::max(lanes, std::min(room_bytes / (numbers * bytes), (over.count + lanes - 1) / lanes * lanes) / lanes * lanes), tiles = (over.count + width - 1) / width;
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
