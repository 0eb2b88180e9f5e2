// SPDX-License-Identifier: MIT
// Runs the element block of a phase down columns, whose sums stay in registers from row to row.
#ifndef CROTON_DEVICE_CPU_COLUMN_SWEEP_HPP
#define CROTON_DEVICE_CPU_COLUMN_SWEEP_HPP

#include <croton/device/cpu/column_groups.hpp>
#include <croton/device/cpu/neighbours.hpp>
#include <croton/device/cpu/port.hpp>
#include <croton/device/cpu/running.hpp>

#include <algorithm>
#include <bit>

namespace croton::inline v0_1::detail::cpu_device {

/// `Loops`: the loops along rows of the same phase.
template <class Loops> struct column_sweep;
template <template <class, int, int, class, class, class> class Sweep, class Lanes, int Slots, int InnermostAxis, class U, class Rows, class Element, class Reduces, class PhaseRow>
struct column_sweep<Sweep<Lanes, Slots, InnermostAxis, U, Rows, kernel::phase<Element, Reduces, PhaseRow>>> {
    using loops = Sweep<Lanes, Slots, InnermostAxis, U, Rows, kernel::phase<Element, Reduces, PhaseRow>>;
    using around = typename loops::around;
    using running_sums = typename loops::running_sums;
    using columns = column_sinks<Element>;
    using kept_sums = running<Lanes, columns>;

    static constexpr const auto& used = loops::used;
    /// The last axis before the innermost one along which indices are values, or that one where there is none: rows that lie along it have numbers.
    static constexpr int numbered = [] {
        const int last = static_cast<int>(std::bit_width(used.axes & ((1u << InnermostAxis) - 1u))) - 1;
        return last < 0 ? InnermostAxis : last;
    }();
    static constexpr bool counts_rows = numbered < InnermostAxis;
    template <bool Partial> using port = lane_port<Lanes, Slots, InnermostAxis, Partial, numbered>;

    static constexpr int lanes = Lanes::size;
    /// So many registers of columns go down rows at once.
    static constexpr int width = used.cost <= 12 ? 4 : used.cost <= 24 ? 2 : 1;
    /// Rows that no near cache holds are read along, not down: a processor asks ahead for what lies in order. So many of them at once, whose sums of so many registers of columns
    /// are kept in memory from one turn to the next.
    static constexpr std::int64_t rows_in_turn = 16 / width, near_bytes = 128 * 1024, kept_registers = std::max<std::int64_t>(8, 8192 / std::int64_t{sizeof(kept_sums)}) & -8;

    using groups = column_groups<Lanes, columns>;
    /// Whether several rows may be one run.
    static constexpr bool may_group = lanes > 1 && loops::sink_count == 0 && (used.axes >> InnermostAxis & 1) == 0;
    /// Whether they are, of so many columns: their sums are folded from time to time, however many rows there are.
    static bool groups_rows(std::int64_t count) { return may_group && groups::are_few(count); }

    static bool is_moved(int s) { return used.uses[s] != 0 && (s >= 64 || (used.still >> s & 1) == 0); }

    template <bool Partial> CROTON_LAYER static port<Partial> panel_at(std::byte* const* p, std::int64_t line, const around& outside, std::int64_t row) {
        auto at = port_at<port<Partial>, used, -1>(p, line, outside);
        at.rows = outside.grouped;
        at.row = at.rows.first + row * at.rows.each;
        if constexpr (counts_rows) at.row += outside.index[numbered];
        return at;
    }

    template <class Port, class Down>
    CROTON_LAYER static void across(Port& at, const kernel::uniform_registers<U>& us, const kernel::row_registers<Rows>& rs, Down& down, running_sums& sums) {
        kernel::registers<Lanes, Element> es;
        kernel::run_element_block<Lanes>(run_forms_t<InnermostAxis, Element>{}, at, us, rs, es);
        down.feed(us, rs, es);
        if constexpr (Port::partial) sums.feed(us, rs, es, at.count);
        else sums.feed(us, rs, es);
        at.i += lanes;
    }
    template <class Port, class Down, int... K>
    CROTON_LAYER static void across(Port& at, const kernel::uniform_registers<U>& us, const kernel::row_registers<Rows>& rs, Down* down, running_sums& sums,
                                     std::integer_sequence<int, K...>) {
        (across(at, us, rs, down[K], sums), ...);
    }

    /// The same columns four rows further down, which processors guess only where rows are short. Beside two sums of each column these instructions cost nothing.
    template <int Width> CROTON_LAYER static void read_ahead(const auto& at, const std::int64_t* step) {
        CROTON_UNROLLED
        for (int s = 0; s < Slots; ++s)
            if ((used.uses[s] & role_load) != 0 && is_moved(s))
                for (int k = 0; k < Width; ++k) __builtin_prefetch(at.p[s] + 4 * step[s] + (at.i + k * lanes) * used.bytes[s]);
    }

    /// `Width` registers of columns, from where the port stands, down `rows` rows; then `end` of each, the port there and its number. Their sums go on from `kept`, if that is not null.
    /// `Near`: all rows are in a near cache.
    template <int Width, bool Partial, bool Near = false>
    CROTON_LAYER static void strip(port<Partial> at, const std::int64_t* stride, std::int64_t rows, const kernel::uniform_registers<U>& us, const kernel::row_registers<Rows>& rs,
                                    running_sums& sums, const kept_sums* kept, auto end) {
        kept_sums down[bound<Width>];
        // Not unrolled, they would stay in memory.
        if (kept == nullptr) {
            CROTON_UNROLLED
            for (int k = 0; k < Width; ++k) down[k].reset();
        } else {
            CROTON_UNROLLED
            for (int k = 0; k < Width; ++k) down[k] = kept[k];
        }
        const std::int64_t start = at.i;
        std::int64_t step[bound<Slots>];
        CROTON_UNROLLED
        for (int s = 0; s < Slots; ++s) step[s] = stride[s];
        const bool far_apart = !Near && rows > 4 && stride[loops::first_read] >= 1024;
        for (std::int64_t r = 0; r < rows; ++r) {
            take_fixed<used>(at);
            at.i = start;
            if constexpr (loops::column_count > 1 && Width > 1 && !Near)
                if (far_apart) read_ahead<Width>(at, step);
            across(at, us, rs, down, sums, std::make_integer_sequence<int, Width>{});
            CROTON_UNROLLED
            for (int s = 0; s < Slots; ++s)
                if (is_moved(s)) at.p[s] += step[s];
            at.row += at.rows.each;
        }
        at.i = start;
        CROTON_UNROLLED
        for (int k = 0; k < Width; ++k, at.i += lanes) end(down[k], at, k);
    }
    /// The same of one whole strip of such rows, where there are no sums along it.
    CROTON_INLINE static void down(std::byte* const* p, const std::int64_t* stride, std::int64_t rows, const around& outside, auto end) {
        running_sums none;
        auto at = panel_at<false>(p, 0, outside, 0);
        at.i = 0;
        strip<width, false, true>(at, stride, rows, outside.uniforms, outside.rows, none, nullptr, end);
    }

    /// The same of one register of a long block, which leaves the port as it was: a strip may be one row of many.
    template <bool Partial>
    CROTON_LAYER static void long_strip(port<Partial>& at, const std::int64_t* stride, std::int64_t rows, const kernel::uniform_registers<U>& us, const kernel::row_registers<Rows>& rs,
                                         running_sums& sums, const kept_sums* kept, auto end) {
        kept_sums down;
        if (kept == nullptr) down.reset();
        else down = *kept;
        const std::int64_t start = at.i;
        for (std::int64_t left = rows;; --left) {  // as in chunk
            // What stays the same along a row is there from its first register on.
            if (Partial || rows > 1 || start == 0) take_fixed<used>(at);
            across(at, us, rs, down, sums);
            at.i = start;
            if (left == 1) break;
            CROTON_UNROLLED
            for (int s = 0; s < Slots; ++s)
                if (used.uses[s] != 0) at.p[s] += stride[s];
            at.row += at.rows.each;
        }
        at.row -= at.rows.each * (rows - 1);
        if (rows > 1)
            CROTON_UNROLLED
            for (int s = 0; s < Slots; ++s)
                if (used.uses[s] != 0) at.p[s] -= stride[s] * (rows - 1);
        end(down, at, 0);
    }
    template <int Width, bool Partial>
    CROTON_LAYER static void any_strip(port<Partial>& at, const std::int64_t* stride, std::int64_t rows, const kernel::uniform_registers<U>& us, const kernel::row_registers<Rows>& rs,
                                        running_sums& sums, const kept_sums* kept, auto end) {
        if constexpr (loops::is_long) long_strip<Partial>(at, stride, rows, us, rs, sums, kept, end);
        else strip<Width, Partial>(at, stride, rows, us, rs, sums, kept, end);
    }

    /// Whether so many rows are read along.
    static bool reads_along(const std::int64_t* stride, std::int64_t rows, std::int64_t count) {
        return rows > rows_in_turn && stride[loops::first_read] != 0 && rows * count * used.bytes[loops::first_read] > near_bytes;
    }

    /// More rows than sums in registers are to be of.
    [[gnu::noinline]] static void many_rows(std::byte* const* p, const std::int64_t* stride, std::int64_t rows, std::int64_t line, std::int64_t count, const around& outside, void* total) {
        alignas(64) std::byte tiles[bound<Slots>][tile_bytes];
        std::byte* q[bound<Slots>];
        std::int64_t step[bound<Slots>];
        const auto call = [](const panel_call& self, std::byte* const* to, const std::int64_t* apart, std::int64_t n, std::int64_t columns_of_all, const grouped_rows& where, bool fresh) {
            around with = *static_cast<const around*>(self.outside);
            with.fresh = fresh;
            if (with.grouped.each > 0) with.grouped = where;
            panel(to, apart, n, self.line, columns_of_all, &with, self.total);
        };
        groups::run({call, &outside, line, total}, {Slots, used.uses, used.bytes, counts_rows && outside.grouped.each > 0, tiles, q, step}, p, stride, rows, count, width * lanes, outside.fresh);
    }

    /// `rows` runs of `count` elements whose accumulate slots stay in place: their sums go through registers. A `run_code`.
    CROTON_LAYERED [[gnu::noinline]] static void panel(std::byte* const* p, const std::int64_t* stride, std::int64_t rows, std::int64_t line, std::int64_t count, const void* surrounding,
                                                       void* total) {
        const around& outside = *static_cast<const around*>(surrounding);
        if constexpr (may_group)
            if (rows > rows_per_panel) return many_rows(p, stride, rows, line, count, outside, total);
        auto& st = *static_cast<typename loops::state*>(total);
        const kernel::uniform_registers<U> us = outside.uniforms;
        const kernel::row_registers<Rows> rs = outside.rows;
        running_sums sums;
        sums.reset();
        [[maybe_unused]] std::int64_t held = 0;
        const bool fresh = outside.fresh;
        const auto flush = [&](std::int64_t steps) CROTON_INLINED {
            if constexpr (loops::sink_count > 0) {
                // A strip of few rows leaves its sums in registers to the next.
                if ((held += steps) < steps_per_flush) return;
                sums.flush(st);
                sums.reset();
                held = 0;
            }
        };
        const bool along = reads_along(stride, rows, count);
        const std::int64_t block = along ? kept_registers * lanes : count, turn = along ? rows_in_turn : rows;
        kept_sums sums_of_turns[kept_registers];
        for (std::int64_t first = 0; first < count; first += block) {
            const std::int64_t end = std::min(count, first + block);
            std::byte* place[bound<Slots>];
            for (int s = 0; s < Slots; ++s) place[s] = p[s];
            for (std::int64_t row = 0; row < rows; row += turn) {
                const std::int64_t height = std::min(turn, rows - row);
                const bool goes_on = row > 0, ends = row + height == rows;
                kept_sums* kept = sums_of_turns;
                const auto settle = [&](const auto& d, const auto& to, int k) CROTON_INLINED {
                    if (ends) [[likely]] d.settle(to, fresh);
                    else kept[k] = d;
                };
                auto at = panel_at<false>(place, line, outside, row);
                at.i = first;
                if constexpr (width > 1)
                    for (; end - at.i >= width * lanes; at.i += width * lanes, kept += width) {
                        strip<width, false>(at, stride, height, us, rs, sums, goes_on ? kept : nullptr, settle);
                        flush(height);
                    }
                for (; end - at.i >= lanes; at.i += lanes, ++kept) {
                    any_strip<1, false>(at, stride, height, us, rs, sums, goes_on ? kept : nullptr, settle);
                    flush(height);
                }
                if constexpr (lanes > 1) {
                    if (at.i < end) {
                        auto tail = panel_at<true>(place, line, outside, row);
                        tail.i = at.i;
                        tail.count = static_cast<int>(end - at.i);
                        any_strip<1, true>(tail, stride, height, us, rs, sums, goes_on ? kept : nullptr, settle);
                    }
                }
                for (int s = 0; s < Slots; ++s)
                    if (used.uses[s] != 0) place[s] += height * stride[s];
            }
        }
        sums.flush(st);
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
