// SPDX-License-Identifier: MIT
// The sums of a kernel that leave a block: copies, lines, columns and totals, and what combines them.
#ifndef CROTON_DEVICE_CUDA_SUMS_HPP
#define CROTON_DEVICE_CUDA_SUMS_HPP

#include <croton/device/cuda/group.hpp>
#include <croton/device/cuda/sweep.hpp>

#include <cstdint>
#include <utility>

namespace croton::inline v0_1::detail::cuda_device {

/// What threads, groups and blocks leave of the sums of a kernel, and how it is brought together.
template <class Kernel, int Width> struct block_sums {
    using fp = footprint<Kernel>;
    static constexpr int O = fp::outer_rank, I = fp::inner_rank;
    using args = arguments<O, I, fp::all.slots, fp::all.scalars, fp::sum_count, fp::all.gathers ? fp::all.slots : 0>;
    using totals = partials<typename fp::sums>;

    template <class Threads, class... S, int... K>
    static CROTON_DEVICE void clear_copies(const group<Threads>& g, const args& a, kernel::block<S...>, std::integer_sequence<int, K...>) {
        (clear_copy<S>(g, a.sum[K]), ...);
        g.sync();
    }
    template <class S, class Threads>
    static CROTON_DEVICE void clear_copy(const group<Threads>& g, const sum_place<O + I>& place) {
        using W = kernel::partial_t<S>;
        if (place.kind == sum_kind::total || place.exclusive) return;
        W* copy = reinterpret_cast<W*>(place.partial) + g.index() * place.count;
        for (std::int64_t i = g.lane(); i < place.count; i += g.size()) copy[i] = S::reduction::template identity<W>();
    }

    template <class Threads, class... S>
    static CROTON_DEVICE void flush_lines(const group<Threads>& g, const args& a, [[maybe_unused]] const std::int64_t* index,
                                          totals& sums, kernel::block<S...>) {
        (flush_line<S>(g, a, index, kernel::detail::at<fp::template sum_of_slot<S::slot>, kernel::partial_t<S>>(sums)), ...);
    }
    template <class S, class Threads, class W>
    static CROTON_DEVICE void flush_line(const group<Threads>& g, const args& a, const std::int64_t* index, W& partial) {
        using R = typename S::reduction;
        using T = typename S::element;
        constexpr int slot = S::slot;
        const sum_place<O + I>& place = a.sum[fp::template sum_of_slot<slot>];
        if (place.kind != sum_kind::line) return;
        const W v = g.template reduce<R>(partial);
        partial = R::template identity<W>();
        if (!g.leads()) return;
        std::int64_t in_copy = g.index() * place.count, in_memory = 0;
        CROTON_UNROLL
        for (int x = 0; x < O + I - 1; ++x) {
            in_copy += index[x] * place.stride[x];
            in_memory += index[x] * a.stride[slot][x];
        }
        if (place.exclusive) {
            reinterpret_cast<T*>(a.data[slot])[in_memory] = static_cast<T>(v);
        } else {
            W& memory = reinterpret_cast<W*>(place.partial)[in_copy];
            memory = R::combine(memory, v);
        }
    }

    template <class Threads, class... S, int... K>
    static CROTON_DEVICE void flush_totals(Threads& t, const group<Threads>& whole, const args& a, totals& sums, kernel::block<S...>,
                                           std::integer_sequence<int, K...>) {
        (flush_total<S>(t, whole, a, a.sum[K], kernel::detail::at<K, kernel::partial_t<S>>(sums)), ...);
    }
    template <class S, class Threads, class W>
    static CROTON_DEVICE void flush_total(Threads& t, const group<Threads>& whole, const args& a, const sum_place<O + I>& place, W partial) {
        using R = typename S::reduction;
        if (place.kind != sum_kind::total) return;
        const W v = whole.template reduce<R>(partial);
        if (t.thread() != 0) return;
        W& memory = reinterpret_cast<W*>(place.partial)[t.block()];
        memory = a.phase > 0 ? R::combine(memory, v) : v;
    }

    template <class Threads, class... S, int... K>
    static CROTON_DEVICE void finish_all(Threads& t, const args& a, std::int64_t block, std::int64_t blocks, kernel::block<S...>,
                                         std::integer_sequence<int, K...>) {
        (finish_one<S>(t, a, a.sum[K], block, blocks), ...);
    }
    template <class S, class Threads>
    static CROTON_DEVICE void finish_one(Threads& t, const args& a, const sum_place<O + I>& place, std::int64_t block, std::int64_t blocks) {
        using R = typename S::reduction;
        using T = typename S::element;
        using W = kernel::partial_t<S>;
        if (place.exclusive) return;
        const W* const from = reinterpret_cast<const W*>(place.partial);
        const std::int64_t copies = a.copies == 0 ? 0 : place.kind == sum_kind::total ? a.blocks : a.copies;
        // A warp for each element where there are few of them, else a thread.
        const bool few = place.count < 4 * t.threads();
        const group<Threads> warp(t, warp_size);
        const std::int64_t width = few ? t.threads() / warp_size : t.threads();
        const std::int64_t first = few ? t.thread() / warp_size : t.thread();
        for (std::int64_t i = block * width + first; i < place.count; i += blocks * width) {
            W v = R::template identity<W>();
            for (std::int64_t c = few ? warp.lane() : 0; c < copies; c += few ? warp_size : 1) v = R::combine(v, from[c * place.count + i]);
            if (few) v = warp.template reduce<R>(v);
            if (few && !warp.leads()) continue;
            T* to = reinterpret_cast<T*>(a.data[S::slot]);
            std::int64_t rest = i;
            CROTON_UNROLL
            for (int x = O + I - 1; x >= 0; --x) {
                if (place.stride[x] == 0) continue;
                const std::int64_t extent = x < O ? a.outer.at[x < O ? x : 0].extent : x == O + I - 1 ? innermost(a) : a.inner.at[x - O].extent;
                to += rest % extent * a.stride[S::slot][x];
                rest /= extent;
            }
            *to = static_cast<T>(v);
        }
    }
    static CROTON_DEVICE std::int64_t innermost(const args& a) { return a.inner.at[I - 1].extent * Width + a.tail; }

    // Adds up the rows of a warp, and writes the columns to the copy of their chunk.
    template <class Threads, class Cells, class... S, int... K>
    static CROTON_DEVICE void store_columns(Threads& t, const args& a, Cells& mine, std::int64_t chunk, std::int64_t piece, bool writes,
                                            kernel::block<S...>, std::integer_sequence<int, K...>) {
        (store_column<typename S::reduction>(t, a, a.sum[K], column<K>(mine), chunk, piece, writes), ...);
    }
    template <class R, class Threads, class W>
    static CROTON_DEVICE void store_column(Threads& t, const args& a, const sum_place<O + I>& place, W (&cell)[Width], std::int64_t chunk,
                                           std::int64_t piece, bool writes) {
        if (place.kind != sum_kind::column) return;
        CROTON_UNROLL
        for (int i = 0; i < Width; ++i) {
            for (int mask = a.span; mask < warp_size; mask *= 2) cell[i] = R::combine(cell[i], t.exchange(cell[i], mask));
            if (writes) reinterpret_cast<W*>(place.partial)[chunk * place.count + piece * Width + i] = cell[i];
        }
    }
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
