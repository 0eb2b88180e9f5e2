// SPDX-License-Identifier: MIT
// The sums of a kernel that leave a block: copies, lines, columns and totals, and what combines them.
#ifndef CROTON_DEVICE_CUDA_SUMS_HPP
#define CROTON_DEVICE_CUDA_SUMS_HPP

#include <croton/device/cuda/group.hpp>
#include <croton/device/cuda/sweep.hpp>

#include <cstdint>
#include <utility>

namespace croton::inline v0_1::detail::cuda_device {

/// How many neighbouring elements of a sum a block finishes side by side; the rows of its threads share their copies. Each has some copies, and
/// side by side are at least as many as one access to memory brings.
CROTON_HD inline int finishing_span(std::int64_t count, std::int64_t copies, int threads) {
    int span = threads;
    while (span > 1 && (span / 2 >= count || (span > 16 && threads / span * 4 < copies))) span /= 2;
    return span;
}

/// What threads, groups and blocks leave of the sums of a kernel, and how it is brought together.
template <class Kernel, int Width> struct block_sums {
    using fp = footprint<Kernel>;
    static constexpr int O = fp::outer_rank, I = fp::inner_rank;
    using args = arguments<O, I, fp::all.slots, fp::all.scalars, fp::sum_count, fp::all.gathers ? fp::all.slots : 0>;
    using totals = partials<typename fp::sums>;
    using numbers = std::make_integer_sequence<int, fp::sum_count>;

    template <class Threads, class... S, int... K>
    static CROTON_DEVICE void clear_copies(const group<Threads>& g, const args& a, const group_copies& copies, kernel::block<S...>, std::integer_sequence<int, K...>) {
        (clear_copy<S>(g, a.sum[K], copies), ...);
        g.sync();
    }
    template <class S, class Threads>
    static CROTON_DEVICE void clear_copy(const group<Threads>& g, const sum_place<O + I>& place, const group_copies& copies) {
        using W = kernel::partial_t<S>;
        if (place.kind == sum_kind::total || place.exclusive) return;
        W* copy = copies.at<W>(place);
        for (std::int64_t i = g.lane(); i < place.count; i += g.size()) copy[i] = S::reduction::template identity<W>();
    }

    /// Brings the copies of the groups of a block together in that of the block.
    template <class Threads> static CROTON_DEVICE void leave_copies(Threads& t, const args& a) {
        t.sync();
        [&]<class... S, int... K>(kernel::block<S...>, std::integer_sequence<int, K...>) {
            (leave_copy<S>(t, a, a.sum[K]), ...);
        }(typename fp::sums{}, numbers{});
    }
    template <class S, class Threads> static CROTON_DEVICE void leave_copy(Threads& t, const args& a, const sum_place<O + I>& place) {
        using W = kernel::partial_t<S>;
        if (place.kind == sum_kind::total || place.exclusive) return;
        const W* const from = group_copies{t.shared() + shared_bytes, 0}.at<W>(place);
        W* const to = group_copies{nullptr, t.block()}.at<W>(place);
        for (std::int64_t i = t.thread(); i < place.count; i += t.threads()) {
            W v = from[i];
            for (int g = 1; g < t.threads() / a.group; ++g) v = S::reduction::combine(v, from[g * place.count + i]);
            to[i] = v;
        }
    }

    template <class Threads, class... S>
    static CROTON_DEVICE void flush_lines(const group<Threads>& g, const args& a, [[maybe_unused]] const std::int64_t* index,
                                          totals& sums, const group_copies& copies, kernel::block<S...>) {
        (flush_line<S>(g, a, index, copies, kernel::detail::at<fp::template sum_of_slot<S::slot>, kernel::partial_t<S>>(sums)), ...);
    }
    template <class S, class Threads, class W>
    static CROTON_DEVICE void flush_line(const group<Threads>& g, const args& a, const std::int64_t* index, const group_copies& copies, W& partial) {
        using R = typename S::reduction;
        using T = typename S::element;
        constexpr int slot = S::slot;
        const sum_place<O + I>& place = a.sum[fp::template sum_of_slot<slot>];
        if (place.kind != sum_kind::line) return;
        const W v = g.template reduce<R>(partial);
        partial = R::template identity<W>();
        if (!g.leads()) return;
        std::int64_t in_copy = 0, in_memory = 0;
        CROTON_UNROLL
        for (int x = 0; x < O + I - 1; ++x) {
            in_copy += index[x] * place.stride[x];
            in_memory += index[x] * a.stride[slot][x];
        }
        if (place.exclusive) {
            reinterpret_cast<T*>(a.data[slot])[in_memory] = static_cast<T>(v);
        } else {
            W& memory = copies.at<W>(place)[in_copy];
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

    /// The totals of this block, and, if it is the last, everything that the blocks have left. Whether it is the last of a loop that numbers close.
    template <class Threads> static CROTON_DEVICE bool leave(Threads& t, const args& a, totals& sums) {
        const group<Threads> whole(t, t.threads());
        flush_totals(t, whole, a, sums, typename fp::sums{}, numbers{});
        if (!(a.finish || a.closes) || !t.arrive(a.done, static_cast<unsigned>(a.blocks))) return false;
        if (a.finish) finish_all(t, a, 0, 1);
        return a.closes;
    }

    /// Combines the copies of every sum and writes the memory it stands for; this is block `block` of `blocks`.
    template <class Threads> static CROTON_DEVICE void finish_all(Threads& t, const args& a, std::int64_t block, std::int64_t blocks) {
        [&]<class... S, int... K>(kernel::block<S...>, std::integer_sequence<int, K...>) {
            (finish_one<S>(t, a, a.sum[K], block, blocks), ...);
        }(typename fp::sums{}, numbers{});
    }
    // The threads of the block are so many rows of `span` as there are copies for; each column is an element.
    template <class S, class Threads>
    static CROTON_DEVICE void finish_one(Threads& t, const args& a, const sum_place<O + I>& place, std::int64_t block, std::int64_t blocks) {
        using R = typename S::reduction;
        using W = kernel::partial_t<S>;
        if (place.exclusive) return;
        const std::int64_t copies = a.copies == 0 ? 0 : place.kind == sum_kind::total ? a.blocks : a.copies;
        const int span = finishing_span(place.count, copies, t.threads());
        for (std::int64_t first = block * span; first < place.count; first += blocks * span) {
            const std::int64_t i = first + t.thread() % span;
            W v = R::template identity<W>();
            if (i < place.count) v = over_copies<R, W>(place, i, copies, t.thread() / span, t.threads() / span);
            v = reduce_columns<R>(t, v, span);
            if (t.thread() < span && i < place.count) put_element<S>(a, place, i, v);
        }
    }
    /// Element `i` of every `step`-th copy from `first` on.
    template <class R, class W>
    static CROTON_DEVICE W over_copies(const sum_place<O + I>& place, std::int64_t i, std::int64_t copies, std::int64_t first, std::int64_t step) {
        const W* const from = reinterpret_cast<const W*>(place.partial) + i;
        W v = R::template identity<W>();
        std::int64_t c = first;
        // Memory is far: some are on the way at once.
        constexpr int ahead = 4;
        for (; c + (ahead - 1) * step < copies; c += ahead * step) {
            W next[ahead];
            CROTON_UNROLL
            for (int k = 0; k < ahead; ++k) next[k] = from[(c + k * step) * place.count];
            CROTON_UNROLL
            for (int k = 0; k < ahead; ++k) v = R::combine(v, next[k]);
        }
        for (; c < copies; c += step) v = R::combine(v, from[c * place.count]);
        return v;
    }
    /// Writes the sum with the number `i` where it belongs.
    template <class S, class W> static CROTON_DEVICE void put_element(const args& a, const sum_place<O + I>& place, std::int64_t i, W v) {
        using T = typename S::element;
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
    static CROTON_DEVICE std::int64_t innermost(const args& a) { return a.inner.at[I - 1].extent * Width + a.tail; }
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
