// SPDX-License-Identifier: MIT
// Many small matrices, one in each lane: they stand turned in a tile, a line for each of their numbers.
#ifndef CROTON_DEVICE_CPU_LANE_MATRICES_HPP
#define CROTON_DEVICE_CPU_LANE_MATRICES_HPP

#include <croton/config.hpp>
#include <croton/device/cpu/lanes.hpp>
#include <croton/device/cpu/tile.hpp>
#include <croton/kernel/argument.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace croton::inline v0_1::detail::cpu_device {

/// Of floating-point numbers.
template <class T, class Arch> struct lane_matrices {
    using V = typename lanes_of<T, register_bytes<Arch>()>::type;
    static constexpr std::int64_t lanes = sizeof(V) / sizeof(T), bytes = sizeof(T);
    // All tiles of a routine stay in the nearest cache.
    static constexpr std::int64_t room_bytes = 24 * 1024;

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
            join();
        }
        /// Row by row.
        lines(std::int64_t rows, std::int64_t cols, std::int64_t row_stride, std::int64_t col_stride)
            : outer(rows), inner(cols), apart(row_stride), step(col_stride), down(cols), across(1) {
            join();
        }
        std::int64_t count() const { return outer * inner; }

    private:
        void join() {
            if (outer > 1 && apart != inner * step) return;
            inner *= outer;
            outer = 1;
        }
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
    static void write(T* p, const V& v) { std::memcpy(p, &v, sizeof v); }

    /// How many of `count` matrices that have so many numbers together stand in tiles at a time.
    static std::int64_t width_of(std::int64_t numbers, std::int64_t count) {
        return std::max(lanes, std::min(room_bytes / (numbers * bytes), (count + lanes - 1) / lanes * lanes) / lanes * lanes);
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
