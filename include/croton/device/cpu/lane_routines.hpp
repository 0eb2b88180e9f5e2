// SPDX-License-Identifier: MIT
// Triangles and equations of many small matrices, one in each lane.
#ifndef CROTON_DEVICE_CPU_LANE_ROUTINES_HPP
#define CROTON_DEVICE_CPU_LANE_ROUTINES_HPP

#include <croton/device/cpu/lane_matrices.hpp>
#include <croton/device/cpu/shared_loop.hpp>
#include <croton/kernel/routine/matrices.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>

namespace croton::inline v0_1::detail::cpu_device {

/// The matrices of a register, whose numbers are `line` elements from each other, row by row.
template <class T, class Arch> struct matrix_in_lanes : lane_matrices<T, Arch> {
    using typename lane_matrices<T, Arch>::V;
    using number = T;

    T* data;
    std::int64_t line, columns;

    CROTON_INLINE T* at(std::int64_t i, std::int64_t j) const { return data + (i * columns + j) * line; }
    CROTON_INLINE V operator()(std::int64_t i, std::int64_t j) const { return lane_matrices<T, Arch>::read(at(i, j)); }
    CROTON_INLINE void put(std::int64_t i, std::int64_t j, const V& v) const { lane_matrices<T, Arch>::write(at(i, j), v); }

    /// Numbers (i, j) and (k, l) of the matrices for which `where` holds change places.
    CROTON_INLINE void exchange(const auto& where, std::int64_t i, std::int64_t j, std::int64_t k, std::int64_t l) const {
        const V a = (*this)(i, j), b = (*this)(k, l);
        put(i, j, where ? b : a);
        put(k, l, where ? a : b);
    }

    CROTON_INLINE static V all(T x) { return V{} + x; }
    CROTON_INLINE static V size_of(const V& x) { return x < 0 ? -x : x; }
    CROTON_INLINE static V root(V x) {
        for (std::int64_t l = 0; l < lane_matrices<T, Arch>::lanes; ++l) x[l] = std::sqrt(x[l]);
        return x;
    }
};

/// A routine by lanes, with the same numbers as its own code. Each has
///   rows(argument, n)          of an argument, or of the result that follows them, of which the first has n columns and the second m
///   solve(a, x, n, m, bits)    whose result stands in the last argument: which lanes fail
template <class Routine> struct in_lanes {
    static constexpr bool known = false;
};
template <> struct in_lanes<kernel::lu> {
    static constexpr bool known = true;
    static std::int64_t rows(int slot, std::int64_t n) { return slot == 0 ? n : n + 1; }

    template <class M> static auto solve(const M& f, const M&, std::int64_t n, std::int64_t, std::int64_t) {
        using V = typename M::V;
        for (std::int64_t k = 0; k < n; ++k) {
            V chosen = M::all(static_cast<typename M::number>(k)), most = M::size_of(f(k, k));
            for (std::int64_t j = k + 1; j < n; ++j) {
                const V here = M::size_of(f(k, j));
                chosen = here > most ? M::all(static_cast<typename M::number>(j)) : chosen;
                most = here > most ? here : most;
            }
            f.put(n, k, chosen);
            for (std::int64_t j = k + 1; j < n; ++j) {
                const auto changes = chosen == M::all(static_cast<typename M::number>(j));
                for (std::int64_t i = 0; i < n; ++i) f.exchange(changes, i, k, i, j);
            }
            // Where there is nothing to divide by, it goes on with the next row.
            const V by = f(k, k);
            const auto stays = by == V{};
            for (std::int64_t j = k + 1; j < n; ++j) {
                const V x = f(k, j), factor = stays ? x : x / by;
                f.put(k, j, factor);
                for (std::int64_t i = k + 1; i < n; ++i) {
                    const V y = f(i, j);
                    f.put(i, j, stays ? y : y - f(i, k) * factor);
                }
            }
        }
        return V{} != V{};
    }
};
template <> struct in_lanes<kernel::cholesky> {
    static constexpr bool known = true;
    static std::int64_t rows(int, std::int64_t n) { return n; }

    template <class M> static auto solve(const M& l, const M&, std::int64_t n, std::int64_t, std::int64_t) {
        using V = typename M::V;
        auto fails = V{} != V{};
        for (std::int64_t i = 0; i < n; ++i) {
            for (std::int64_t j = 0; j <= i; ++j) {
                V sum = l(i, j);
                for (std::int64_t k = 0; k < j; ++k) sum -= l(i, k) * l(j, k);
                if (i == j) fails = fails | ~(sum > V{});
                l.put(i, j, i == j ? M::root(sum) : sum / l(j, j));
            }
            for (std::int64_t j = i + 1; j < n; ++j) l.put(i, j, V{});
        }
        return fails;
    }
};
template <> struct in_lanes<kernel::triangular> {
    static constexpr bool known = true;
    static std::int64_t rows(int, std::int64_t n) { return n; }

    template <class M> static auto solve(const M& a, const M& x, std::int64_t n, std::int64_t m, std::int64_t bits) {
        using V = typename M::V;
        auto fails = V{} != V{};
        const bool turned = (bits & kernel::triangular::transposed) != 0, forward = ((bits & kernel::triangular::lower) != 0) != turned, divides = (bits & kernel::triangular::unit) == 0;
        for (std::int64_t step = 0; step < n; ++step) {
            const std::int64_t i = forward ? step : n - 1 - step;
            for (std::int64_t s = 0; s < step; ++s) {
                const std::int64_t k = forward ? s : n - 1 - s;
                const V factor = turned ? a(k, i) : a(i, k);
                for (std::int64_t j = 0; j < m; ++j) x.put(i, j, x(i, j) - factor * x(k, j));
            }
            if (!divides) continue;
            const V by = a(i, i);
            fails = fails | (by == V{});
            for (std::int64_t j = 0; j < m; ++j) x.put(i, j, x(i, j) / by);
        }
        return fails;
    }
};
template <> struct in_lanes<kernel::lu_solve> {
    static constexpr bool known = true;
    static std::int64_t rows(int slot, std::int64_t n) { return slot == 0 ? n + 1 : n; }

    template <class M> static auto solve(const M& f, const M& x, std::int64_t n, std::int64_t m, std::int64_t bits) {
        using triangles = in_lanes<kernel::triangular>;
        constexpr std::int64_t of_lower = kernel::triangular::lower, of_upper = kernel::triangular::unit, across = kernel::triangular::transposed;
        const bool turned = (bits & kernel::lu_solve::transposed) != 0;
        if (turned) exchange_rows(f, x, n, m, false);
        const auto first = triangles::solve(f, x, n, m, turned ? of_upper | across : of_lower);
        const auto second = triangles::solve(f, x, n, m, turned ? of_lower | across : of_upper);
        if (!turned) exchange_rows(f, x, n, m, true);
        return first | second;
    }

private:
    template <class M> static void exchange_rows(const M& f, const M& x, std::int64_t n, std::int64_t m, bool from_last) {
        using V = typename M::V;
        for (std::int64_t step = 0; step < n; ++step) {
            const std::int64_t i = from_last ? n - 1 - step : step;
            const V with = f(n, i);
            for (std::int64_t k = i + 1; k < n; ++k) {
                const auto changes = with == M::all(static_cast<typename M::number>(k));
                for (std::int64_t j = 0; j < m; ++j) x.exchange(changes, i, j, k, j);
            }
        }
    }
};

/// Runs `Routine` on the matrices of a call, which lie along its axis before the last two, and rows of them along those in front.
template <class Routine, class T, class Arch> class lane_routine : lane_matrices<T, Arch> {
    using typename lane_matrices<T, Arch>::lines;
    using lane_matrices<T, Arch>::lanes, lane_matrices<T, Arch>::bytes, lane_matrices<T, Arch>::room_bytes;
    using matrices = matrix_in_lanes<T, Arch>;
    static constexpr int arguments = Routine::arguments;
    static constexpr std::int64_t largest = 8, most_columns = 16;

    static std::int64_t along(const kernel::routine_call& c) { return c.extent[c.rank - 3]; }
    /// The extent of the square matrix, which is the first argument or its upper rows.
    static std::int64_t size_of(const kernel::routine_call& c) { return arguments == 1 ? c.extent[c.rank - 1] : c.extent[c.rank - 2]; }

public:
    static bool fits(const kernel::routine_call& c) {
        if (c.rank <= 2) return false;
        const std::int64_t n = size_of(c), m = c.extent[c.rank - 1];
        return along(c) >= 2 * lanes && n > 0 && n <= largest && m > 0 && m <= most_columns;
    }
    /// False where a matrix fails.
    [[gnu::noinline]] static bool run(const kernel::routine_call& c);
};

template <class Routine, class T, class Arch> bool lane_routine<Routine, T, Arch>::run(const kernel::routine_call& c) {
    using body = in_lanes<Routine>;
    const int last = c.rank - 3;
    const std::int64_t n = size_of(c), m = c.extent[c.rank - 1], count = along(c);
    // The first argument, the second one, which becomes the result, or the result in the place of the first.
    const auto rows_of = [&](int slot) { return body::rows(slot, n); };
    const std::int64_t before = arguments == 1 ? 0 : rows_of(0) * n, numbers = before + rows_of(arguments) * m;
    const auto shown = [&](int slot) { return lines(rows_of(slot), slot == 0 ? n : m, c.stride[slot][c.rank - 2], c.stride[slot][c.rank - 1]); };
    const lines first_lines = shown(0), last_lines = shown(arguments - 1), to = shown(arguments);
    const std::int64_t width = lane_matrices<T, Arch>::width_of(numbers, count), tiles = (count + width - 1) / width;
    std::int64_t all_rows = 1;
    for (int a = 0; a < last; ++a) all_rows *= c.extent[a];
    const int parts = parts_of((2 * numbers + n * numbers) * count * all_rows, tiles * all_rows);
    std::atomic<bool> fails = false;
    auto some = [&](int part) {
        alignas(64) T tile[room_bytes / bytes];
        for (std::int64_t t = tiles * all_rows * part / parts, end = tiles * all_rows * (part + 1) / parts; t < end; ++t) {
            std::int64_t row = t / tiles, offset[arguments + 1] = {};
            for (int a = last; a-- > 0; row /= c.extent[a])
                for (int slot = 0; slot <= arguments; ++slot) offset[slot] += row % c.extent[a] * c.stride[slot][a];
            const std::int64_t first = t % tiles * width, some_matrices = std::min(width, count - first);
            const auto place = [&](int slot) { return reinterpret_cast<T*>(c.data[slot]) + offset[slot] + first * c.stride[slot][last]; };
            lane_matrices<T, Arch>::take(tile, width, first_lines, place(0), c.stride[0][last], some_matrices);
            if constexpr (arguments == 2) lane_matrices<T, Arch>::take(tile + before * width, width, last_lines, place(1), c.stride[1][last], some_matrices);
            for (std::int64_t l = 0; l < some_matrices; l += lanes) {
                const auto failed = body::solve(matrices{{}, tile + l, width, n}, matrices{{}, tile + before * width + l, width, m}, n, m, c.attributes);
                for (std::int64_t i = 0; i < std::min(lanes, some_matrices - l); ++i)
                    if (failed[i] != 0) fails.store(true, std::memory_order_relaxed);
            }
            lane_matrices<T, Arch>::give(tile + before * width, width, to, place(arguments), c.stride[arguments][last], some_matrices);
        }
    };
    if (parts == 1) some(0);
    else parallel(parts, some);
    return !fails.load(std::memory_order_relaxed);
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
