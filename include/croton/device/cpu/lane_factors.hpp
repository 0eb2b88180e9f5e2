// SPDX-License-Identifier: MIT
// The triangles of many small matrices, one in each lane.
#ifndef CROTON_DEVICE_CPU_LANE_FACTORS_HPP
#define CROTON_DEVICE_CPU_LANE_FACTORS_HPP

#include <croton/device/cpu/lane_matrices.hpp>
#include <croton/device/cpu/shared_loop.hpp>
#include <croton/kernel/routine/matrices.hpp>

#include <algorithm>
#include <cstdint>

namespace croton::inline v0_1::detail::cpu_device {

/// `kernel::lu`, with the same numbers.
template <class T, class Arch> class lane_factors : lane_matrices<T, Arch> {
    using typename lane_matrices<T, Arch>::V, typename lane_matrices<T, Arch>::lines;
    using lane_matrices<T, Arch>::lanes, lane_matrices<T, Arch>::bytes, lane_matrices<T, Arch>::room_bytes;
    using lane_matrices<T, Arch>::take, lane_matrices<T, Arch>::give, lane_matrices<T, Arch>::read, lane_matrices<T, Arch>::write;
    static constexpr std::int64_t largest = 8;

    CROTON_INLINE static V all(T x) { return V{} + x; }
    CROTON_INLINE static V size_of(const V& x) { return x < 0 ? -x : x; }

    /// The matrices of a register: their numbers are `line` elements from each other, row by row, and so are those of their exchanges behind them.
    static void factor(T* f, std::int64_t line, std::int64_t n) {
        const auto at = [&](std::int64_t i, std::int64_t j) CROTON_INLINED { return f + (i * n + j) * line; };
        for (std::int64_t k = 0; k < n; ++k) {
            V chosen = all(static_cast<T>(k)), most = size_of(read(at(k, k)));
            for (std::int64_t j = k + 1; j < n; ++j) {
                const V here = size_of(read(at(k, j)));
                chosen = here > most ? all(static_cast<T>(j)) : chosen;
                most = here > most ? here : most;
            }
            write(at(n, k), chosen);
            for (std::int64_t j = k + 1; j < n; ++j) {
                const auto changes = chosen == all(static_cast<T>(j));
                for (std::int64_t i = 0; i < n; ++i) {
                    const V x = read(at(i, k)), y = read(at(i, j));
                    write(at(i, k), changes ? y : x);
                    write(at(i, j), changes ? x : y);
                }
            }
            // Where there is nothing to divide by, it goes on with the next row.
            const V by = read(at(k, k));
            const auto stays = by == V{};
            for (std::int64_t j = k + 1; j < n; ++j) {
                const V x = read(at(k, j)), factor = stays ? x : x / by;
                write(at(k, j), factor);
                for (std::int64_t i = k + 1; i < n; ++i) {
                    const V y = read(at(i, j));
                    write(at(i, j), stays ? y : y - read(at(i, k)) * factor);
                }
            }
        }
    }

    /// The matrices of a call lie along its axis before the last two, and rows of them along those in front.
    static std::int64_t along(const kernel::routine_call& c) { return c.extent[c.rank - 3]; }

public:
    static bool fits(const kernel::routine_call& c) { return c.rank > 2 && along(c) >= 2 * lanes && c.extent[c.rank - 1] <= largest && c.extent[c.rank - 1] > 0; }

    [[gnu::noinline]] static void run(const kernel::routine_call& c);
};

template <class T, class Arch> void lane_factors<T, Arch>::run(const kernel::routine_call& c) {
    const int last = c.rank - 3;
    const std::int64_t n = c.extent[c.rank - 1], count = along(c), numbers = n * (n + 1), width = lane_matrices<T, Arch>::width_of(numbers, count), tiles = (count + width - 1) / width;
    std::int64_t all_rows = 1;
    for (int a = 0; a < last; ++a) all_rows *= c.extent[a];
    const auto shown = [&](int slot, std::int64_t rows) { return lines(rows, n, c.stride[slot][c.rank - 2], c.stride[slot][c.rank - 1]); };
    const lines from = shown(0, n), to = shown(1, n + 1);
    const int parts = parts_of((2 * numbers + n * numbers) * count * all_rows, tiles * all_rows);
    auto some = [&](int part) {
        alignas(64) T tile[room_bytes / bytes];
        for (std::int64_t t = tiles * all_rows * part / parts, end = tiles * all_rows * (part + 1) / parts; t < end; ++t) {
            std::int64_t row = t / tiles, offset[2] = {};
            for (int a = last; a-- > 0; row /= c.extent[a])
                for (int slot = 0; slot < 2; ++slot) offset[slot] += row % c.extent[a] * c.stride[slot][a];
            const std::int64_t first = t % tiles * width, some_matrices = std::min(width, count - first);
            const auto place = [&](int slot) { return reinterpret_cast<T*>(c.data[slot]) + offset[slot] + first * c.stride[slot][last]; };
            take(tile, width, from, place(0), c.stride[0][last], some_matrices);
            for (std::int64_t l = 0; l < some_matrices; l += lanes) factor(tile + l, width, n);
            give(tile, width, to, place(1), c.stride[1][last], some_matrices);
        }
    };
    if (parts == 1) some(0);
    else parallel(parts, some);
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
