// SPDX-License-Identifier: MIT
// A sweep in which each thread stays with its columns: their sums are in registers, and a block brings its rows together.
#ifndef CROTON_DEVICE_CUDA_COLUMN_BODY_HPP
#define CROTON_DEVICE_CUDA_COLUMN_BODY_HPP

#include <croton/device/cuda/body.hpp>

#include <cstdint>
#include <utility>

namespace croton::inline v0_1::detail::cuda_device {

/// The kernel over a unit of work that is a tile of `span` pieces along the innermost axis and one of the chunks of the other axes. A block takes
/// it, `span` threads side by side and the others in the rows below. Where there is one chunk its sums are results; else the last block of a tile
/// makes them of what all have left.
template <class Kernel, int Width> struct column_body;
template <int O, int J, class U, class Row, class Phase, int Width>
struct column_body<kernel::kernel<O, J, U, Row, Phase>, Width> {
    using type = kernel::kernel<O, J, U, Row, Phase>;
    using fp = footprint<type>;
    static constexpr int I = fp::inner_rank;
    using into_memory = block_sums<type, Width>;
    using args = typename into_memory::args;
    using uniform_file = kernel::uniform_registers<U>;
    using totals = typename into_memory::totals;
    using loops = sweep<type, typename parts<Phase>::element, Width>;
    using cells = columns_in_registers<typename fp::sums, Width>;

    /// Rows that a thread has on the way at once.
    static constexpr int in_flight = fp::elements.size > 24 || fp::elements.streams > 4 ? 1 : fp::elements.streams > 2 ? 2 : 4;

    template <class Threads> static CROTON_DEVICE bool run(Threads& t, const args& a) {
        const uniform_file us = uniforms_of<U>(a);
        totals sums;
        sums.clear();
        const int below = t.thread() / a.span, beside = t.thread() - below * a.span, rows = t.threads() / a.span;
        const std::int64_t along = a.inner.at[I - 1].extent, units = a.tiles * a.chunks;
        for (std::int64_t unit = t.block(); unit < units; unit += a.blocks) {
            const std::int64_t chunk = unit / a.tiles, tile = unit - chunk * a.tiles, piece = tile * a.span + beside;
            const std::int64_t low = chunk * a.length, limit = low + a.length, high = limit < a.pieces ? limit : a.pieces;
            cells mine;
            mine.clear();
            if (piece < along) {
                std::int64_t row = low + below;
                if constexpr (in_flight > 1)
                    for (; row + (in_flight - 1) * rows < high; row += in_flight * rows) take<in_flight>(a, row, rows, piece, us, sums, mine);
                for (; row < high; row += rows) take<1>(a, row, rows, piece, us, sums, mine);
            }
            leave_columns(t, a, mine, chunk, tile, typename fp::sums{}, typename into_memory::numbers{});
            if (a.chunks > 1 && t.arrive(a.counters + tile, static_cast<unsigned>(a.chunks)))
                finish_columns(t, a, tile, typename fp::sums{}, typename into_memory::numbers{});
        }
        return into_memory::leave(t, a, sums);
    }

private:
    // `Count` rows that are `rows` apart: all are loaded before the first is used.
    template <int Count>
    static CROTON_DEVICE void take(const args& a, std::int64_t row, int rows, std::int64_t piece, const uniform_file& us, totals& sums, cells& mine) {
        std::int64_t at[Count][bound<O + I>] = {};
        pieces<typename loops::loads, Width> in[Count];
        CROTON_UNROLL
        for (int k = 0; k < Count; ++k) {
            if constexpr (I > 1) a.inner.template decode<I - 1>(row + static_cast<std::int64_t>(k) * rows, at[k] + O);
            at[k][O + I - 1] = piece * Width;
            loops::fetch(typename loops::loads{}, a, at[k], in[k]);
        }
        CROTON_UNROLL
        for (int k = 0; k < Count; ++k) {
            const kernel::row_registers<typename fp::rows_block> rs{};
            partials<kernel::block<>> state;
            pieces<typename loops::stores, Width> out;
            loops::template run<kernel::block<>>(a, at[k], in[k], out, us, rs, state, sums, mine);
            loops::put(typename loops::stores{}, a, at[k], out);
        }
    }

    // The sums of this unit: results, or the copy of its chunk.
    template <class Threads, class... S, int... K>
    static CROTON_DEVICE void leave_columns(Threads& t, const args& a, cells& mine, std::int64_t chunk, std::int64_t tile, kernel::block<S...>,
                                            std::integer_sequence<int, K...>) {
        (leave_column<S>(t, a, a.sum[K], column<K>(mine), chunk, tile), ...);
    }
    template <class S, class Threads, class W>
    static CROTON_DEVICE void leave_column(Threads& t, const args& a, const sum_place<O + I>& place, const W (&cell)[Width], std::int64_t chunk,
                                           std::int64_t tile) {
        if (place.kind != sum_kind::column) return;
        CROTON_UNROLL
        for (int i = 0; i < Width; ++i) {
            const W v = reduce_columns<typename S::reduction>(t, cell[i], a.span);
            const std::int64_t number = (tile * a.span + t.thread()) * Width + i;
            if (t.thread() >= a.span || number >= place.count) continue;
            if (a.chunks == 1) into_memory::template put_element<S>(a, place, number, v);
            else reinterpret_cast<W*>(place.partial)[chunk * place.count + number] = v;
        }
    }

    // The sums of a tile of all that its chunks have left.
    template <class Threads, class... S, int... K>
    static CROTON_DEVICE void finish_columns(Threads& t, const args& a, std::int64_t tile, kernel::block<S...>, std::integer_sequence<int, K...>) {
        (finish_column<S>(t, a, a.sum[K], tile), ...);
    }
    template <class S, class Threads> static CROTON_DEVICE void finish_column(Threads& t, const args& a, const sum_place<O + I>& place, std::int64_t tile) {
        using R = typename S::reduction;
        using W = kernel::partial_t<S>;
        if (place.kind != sum_kind::column) return;
        const int columns = a.span * Width, span = columns < t.threads() ? columns : t.threads();
        for (int first = 0; first < columns; first += span) {
            const std::int64_t i = tile * columns + first + t.thread() % span;
            W v = R::template identity<W>();
            if (i < place.count) v = into_memory::template over_copies<R, W>(place, i, a.chunks, t.thread() / span, t.threads() / span);
            const W all = reduce_columns<R>(t, v, span);
            if (t.thread() < span && i < place.count) into_memory::template put_element<S>(a, place, i, all);
        }
    }
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
