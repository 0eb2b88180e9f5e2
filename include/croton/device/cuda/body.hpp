// SPDX-License-Identifier: MIT
// What the threads of a block do with a kernel type: rows, phases, reductions, and the sums that leave the block.
#ifndef CROTON_DEVICE_CUDA_BODY_HPP
#define CROTON_DEVICE_CUDA_BODY_HPP

#include <croton/device/cuda/group.hpp>
#include <croton/device/cuda/sweep.hpp>

namespace croton::inline v0_1::detail::cuda_device {

/// Memory as the uniform block sees it.
template <class Args> struct uniform_port {
    const Args& a;

    template <class T, int S> CROTON_DEVICE arithmetic_t<T> read(kernel::load<T, S>) const { return *reinterpret_cast<const T*>(a.data[S]); }
    template <class T, int S, class A> CROTON_DEVICE arithmetic_t<T> read(kernel::gather<T, S, A>, std::int64_t i) const {
        return reinterpret_cast<const T*>(a.data[S])[a.along[S].offset(i)];
    }
    template <class T, int K> CROTON_DEVICE T read(kernel::scalar<T, K>) const { return static_cast<T>(a.scalar[K]); }
    template <class T, int S, class A> CROTON_DEVICE void write(kernel::store<T, S, A>, arithmetic_t<T> v) const {
        *reinterpret_cast<T*>(a.data[S]) = v;
    }
};

/// Memory as a row block sees it: every thread reads, one writes.
template <class Kernel, class Args, class Threads> struct row_port {
    using fp = footprint<Kernel>;
    static constexpr int O = fp::outer_rank;

    const Args& a;
    const group<Threads>& g;
    const std::int64_t* index;
    partials<typename fp::sums>& sums;

    template <class T, int S> CROTON_DEVICE T* at() const {
        T* p = reinterpret_cast<T*>(a.data[S]);
        CROTON_UNROLL
        for (int x = 0; x < O; ++x) p += index[x] * a.stride[S][x];
        return p;
    }
    template <class T, int S> CROTON_DEVICE arithmetic_t<T> read(kernel::load<T, S>) const { return *at<T, S>(); }
    template <class T, int S, class A> CROTON_DEVICE arithmetic_t<T> read(kernel::gather<T, S, A>, std::int64_t i) const {
        return at<T, S>()[a.along[S].offset(i)];
    }
    template <class T, int K> CROTON_DEVICE T read(kernel::scalar<T, K>) const { return static_cast<T>(a.scalar[K]); }
    template <class T, int Axis> CROTON_DEVICE T read(kernel::iota<T, Axis>) const { return static_cast<T>(index[Axis]); }
    template <class T, int S, class A> CROTON_DEVICE void write(kernel::store<T, S, A>, arithmetic_t<T> v) const {
        // What the others read may lie where this writes.
        g.sync();
        if (g.leads()) *at<T, S>() = v;
        g.sync();
    }
    template <class R, class T, int S, class A> CROTON_DEVICE void write(kernel::accumulate<R, T, S, A>, T v) const {
        using W = wide<R, T>;
        if (!g.leads()) return;
        constexpr int k = fp::template sum_of_slot<S>;
        const auto& place = a.sum[k];
        if (place.kind == sum_kind::total) {
            W& partial = kernel::detail::at<k, W>(sums);
            partial = R::combine(partial, static_cast<W>(v));
        } else if (place.exclusive) {
            *at<T, S>() = v;
        } else {
            std::int64_t to = g.index() * place.count;
            CROTON_UNROLL
            for (int x = 0; x < O; ++x) to += index[x] * place.stride[x];
            W& memory = reinterpret_cast<W*>(place.partial)[to];
            memory = R::combine(memory, static_cast<W>(v));
        }
    }
};

template <class Kernel, int Width> struct body;
template <int O, int J, class U, class Row, class... Phases, int Width>
struct body<kernel::kernel<O, J, U, Row, Phases...>, Width> {
    using type = kernel::kernel<O, J, U, Row, Phases...>;
    using fp = footprint<type>;
    static constexpr int I = fp::inner_rank;
    using args = arguments<O, I, fp::all.slots, fp::all.scalars, fp::sum_count, fp::all.gathers ? fp::all.slots : 0>;
    using uniform_file = kernel::uniform_registers<U>;
    using row_file = kernel::row_registers<typename fp::rows_block>;
    using totals = partials<typename fp::sums>;

    /// Pieces that a thread has on the way at once: memory is far, and registers are not many.
    static constexpr int in_flight = fp::elements.size <= 24 && fp::elements.streams <= 4 ? 2 : 1;

    /// Runs the uniform block once and keeps its values: where it writes memory, or where nothing else runs.
    template <class Threads> static CROTON_DEVICE void prologue(Threads& t, const args& a) {
        if (t.block() != 0 || t.thread() != 0) return;
        uniform_file us;
        uniform_port<args> memory{a};
        kernel::run_uniform_block<U>(memory, us);
        if (a.kept_uniforms != nullptr) *reinterpret_cast<uniform_file*>(a.kept_uniforms) = us;
    }

    template <class Threads> static CROTON_DEVICE void run(Threads& t, const args& a) {
        const group<Threads> g(t, a.group);
        uniform_file us;
        if (a.uniforms != nullptr) {
            us = *reinterpret_cast<const uniform_file*>(a.uniforms);
        } else {
            uniform_port<args> memory{a};
            kernel::run_uniform_block<U>(memory, us);
        }
        totals sums;
        sums.clear();
        if constexpr (fp::sum_count > 0) {
            if (a.phase <= 0) clear_copies(g, a, typename fp::sums{}, sequence<typename fp::sums>{});
        }
        const std::int64_t units = a.rows * a.chunks, groups = a.blocks * (t.threads() / a.group);
        for (std::int64_t unit = g.index(); unit < units; unit += groups) {
            std::int64_t index[bound<O + I>] = {};
            std::int64_t row = 0, chunk = unit;
            if constexpr (O > 0) {
                row = a.chunks == 1 ? unit : unit / a.chunks;
                chunk = unit - row * a.chunks;
                a.outer.decode(row, index);
            }
            row_file rs;
            if (a.phase > 0) {
                rs = reinterpret_cast<const row_file*>(a.kept_rows)[row];
            } else {
                row_port<type, args, Threads> memory{a, g, index, sums};
                kernel::run_row_block<0, Row>(memory, us, rs);
            }
            run_phases<0, kernel::size_of_block<Row>, Phases...>(t, g, a, index, row, chunk, us, rs, sums);
        }
        if constexpr (fp::sum_count > 0) leave(t, a, sums);
    }

    /// The kernel as one sweep in which each thread stays with its columns: their sums need no memory until the end.
    ///
    /// A unit of work is a tile of at most `warp_size` pieces along the innermost axis and one of the chunks of the other axes;
    /// a warp takes it, `span` threads side by side and the others in the rows below.
    template <class Threads> static CROTON_DEVICE void columns(Threads& t, const args& a) {
        using element = typename parts<first_phase>::element;
        using loops = sweep<type, element, Width>;
        using cells = columns_in_registers<typename fp::sums, Width>;
        const group<Threads> g(t, warp_size);
        uniform_file us;
        if (a.uniforms != nullptr) {
            us = *reinterpret_cast<const uniform_file*>(a.uniforms);
        } else {
            uniform_port<args> memory{a};
            kernel::run_uniform_block<U>(memory, us);
        }
        totals sums;
        sums.clear();
        row_file rs;
        partials<kernel::block<>> state;
        const int below = g.lane() / a.span, beside = g.lane() - below * a.span, rows = warp_size / a.span;
        const std::int64_t along = a.inner.at[I - 1].extent, units = a.tiles * a.chunks;
        for (std::int64_t unit = g.index(); unit < units; unit += a.blocks * (t.threads() / warp_size)) {
            const std::int64_t chunk = unit / a.tiles, piece = (unit - chunk * a.tiles) * a.span + beside;
            const std::int64_t low = chunk * a.length, limit = low + a.length, high = limit < a.pieces ? limit : a.pieces;
            cells mine;
            mine.clear();
            std::int64_t index[bound<O + I>] = {};
            index[O + I - 1] = piece * Width;
            for (std::int64_t run = low + below; piece < along && run < high; run += rows) {
                if constexpr (I > 1) a.inner.template decode<I - 1>(run, index + O);
                pieces<typename loops::loads, Width> in;
                pieces<typename loops::stores, Width> out;
                loops::fetch(typename loops::loads{}, a, index, in);
                loops::template run<kernel::block<>>(a, index, in, out, us, rs, state, sums, mine);
                loops::put(typename loops::stores{}, a, index, out);
            }
            store_columns(t, a, mine, chunk, piece, below == 0 && piece < along, typename fp::sums{}, sequence<typename fp::sums>{});
        }
        leave(t, a, sums);
    }

    /// Combines the copies of every sum and writes the memory it stands for; this is block `block` of `blocks`.
    template <class Threads> static CROTON_DEVICE void finish(Threads& t, const args& a, std::int64_t block, std::int64_t blocks) {
        finish_all(t, a, block, blocks, typename fp::sums{}, sequence<typename fp::sums>{});
    }

private:
    template <class Block> using sequence = std::make_integer_sequence<int, kernel::size_of_block<Block>>;

    template <class First, class...> struct first_of {
        using type = First;
    };
    using first_phase = typename first_of<Phases..., kernel::phase<kernel::block<>, kernel::block<>, kernel::block<>>>::type;

    // The totals of this block, and, if it is the last, everything that the blocks have left.
    template <class Threads> static CROTON_DEVICE void leave(Threads& t, const args& a, totals& sums) {
        const group<Threads> whole(t, t.threads());
        flush_totals(t, whole, a, sums, typename fp::sums{}, sequence<typename fp::sums>{});
        if (a.finish && t.arrive(a.done, static_cast<unsigned>(a.blocks))) finish(t, a, 0, 1);
    }

    // Adds up the rows of a warp, and writes the columns to the copy of their chunk.
    template <class Threads, class Cells, class... S, int... K>
    static CROTON_DEVICE void store_columns(Threads& t, const args& a, Cells& mine, std::int64_t chunk, std::int64_t piece, bool writes,
                                            kernel::block<S...>, std::integer_sequence<int, K...>) {
        (store_column<typename summed<S>::reduction>(t, a, a.sum[K], column<K>(mine), chunk, piece, writes), ...);
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

    // Phases

    template <int P, int First, class Threads>
    static CROTON_DEVICE void run_phases(Threads&, const group<Threads>&, const args&, std::int64_t*, std::int64_t, std::int64_t,
                                         const uniform_file&, row_file&, totals&) {}
    template <int P, int First, class Phase, class... Rest, class Threads>
    static CROTON_DEVICE void run_phases(Threads& t, const group<Threads>& g, const args& a, std::int64_t* index, std::int64_t row,
                                         std::int64_t chunk, const uniform_file& us, row_file& rs, totals& sums) {
        using part = parts<Phase>;
        using reduces = typename part::reduces;
        if (a.phase < 0 || a.phase == P) {
            partials<reduces> state;
            state.clear();
            run_inner<Phase>(g, a, index, chunk, us, rs, state, sums);
            if constexpr (part::ends_rows) {
                bool ends = true;
                if (a.chunks > 1) ends = gather(t, g, a, row, chunk, state, reduces{}, sequence<reduces>{});
                if (ends) {
                    combine_group(g, state, reduces{}, sequence<reduces>{});
                    yield<First>(state, rs, reduces{}, sequence<reduces>{});
                    row_port<type, args, Threads> memory{a, g, index, sums};
                    kernel::run_row_block<First + part::reduced, typename part::row>(memory, us, rs);
                }
                if (a.chunks > 1 && ends && t.thread() == 0) {
                    if (a.kept_uniforms != nullptr) *reinterpret_cast<uniform_file*>(a.kept_uniforms) = us;
                    reinterpret_cast<row_file*>(a.kept_rows)[row] = rs;
                }
            }
            // The next phase may read what another thread of the group has written.
            if constexpr (sizeof...(Rest) > 0 && fp::elements.stores) g.sync();
        }
        run_phases<P + 1, First + part::reduced + kernel::size_of_block<typename part::row>, Rest...>(t, g, a, index, row, chunk, us, rs, sums);
    }

    // `Count` pieces that are a group apart: all are loaded before the first is used.
    template <class Loops, class Reduces, int Count, class Threads, class State>
    static CROTON_DEVICE void run_pieces(const group<Threads>& g, const args& a, std::int64_t first, const std::int64_t* outer,
                                         const uniform_file& us, const row_file& rs, State& state, totals& sums) {
        std::int64_t at[Count][bound<O + I>];
        pieces<typename Loops::loads, Width> in[Count];
        CROTON_UNROLL
        for (int k = 0; k < Count; ++k) {
            CROTON_UNROLL
            for (int x = 0; x < O; ++x) at[k][x] = outer[x];
            a.inner.decode(first + static_cast<std::int64_t>(k) * g.size(), at[k] + O);
            at[k][O + I - 1] *= Width;
            Loops::fetch(typename Loops::loads{}, a, at[k], in[k]);
        }
        CROTON_UNROLL
        for (int k = 0; k < Count; ++k) {
            pieces<typename Loops::stores, Width> out;
            columns_in_memory columns{g.index()};
            Loops::template run<Reduces>(a, at[k], in[k], out, us, rs, state, sums, columns);
            Loops::put(typename Loops::stores{}, a, at[k], out);
        }
    }

    // The part of the inner loops that is chunk `chunk`.
    template <class Phase, class Threads, class State>
    static CROTON_DEVICE void run_inner(const group<Threads>& g, const args& a, std::int64_t* index, std::int64_t chunk,
                                        const uniform_file& us, const row_file& rs, State& state, totals& sums) {
        using element = typename parts<Phase>::element;
        using reduces = typename parts<Phase>::reduces;
        using loops = sweep<type, element, Width>;
        const std::int64_t low = chunk * a.length, limit = low + a.length;
        const std::int64_t high = limit < a.pieces ? limit : a.pieces;
        if (!a.by_runs) {
            std::int64_t i = low + g.lane();
            if constexpr (in_flight > 1) {
                const std::int64_t ahead = static_cast<std::int64_t>(in_flight - 1) * g.size();
                for (; i + ahead < high; i += ahead + g.size()) run_pieces<loops, reduces, in_flight>(g, a, i, index, us, rs, state, sums);
            }
            for (; i < high; i += g.size()) run_pieces<loops, reduces, 1>(g, a, i, index, us, rs, state, sums);
            if constexpr (Width > 1) {
                if (a.tail > 0 && high == a.pieces) {
                    using single = sweep<type, element, 1>;
                    for (std::int64_t left = g.lane(); left < a.tail; left += g.size()) {
                        index[O + I - 1] = a.pieces * Width + left;
                        pieces<typename single::loads, 1> in;
                        pieces<typename single::stores, 1> out;
                        single::fetch(typename single::loads{}, a, index, in);
                        columns_in_memory columns{g.index()};
                        single::template run<reduces>(a, index, in, out, us, rs, state, sums, columns);
                        single::put(typename single::stores{}, a, index, out);
                    }
                    index[O + I - 1] = 0;
                }
            }
        } else if constexpr (fp::elements.sums) {
            const std::int64_t count = a.inner.at[I - 1].extent;
            for (std::int64_t run = low; run < high; ++run) {
                if constexpr (I > 1) a.inner.template decode<I - 1>(run, index + O);
                for (std::int64_t i = g.lane(); i < count; i += g.size()) {
                    index[O + I - 1] = i * Width;
                    pieces<typename loops::loads, Width> in;
                    pieces<typename loops::stores, Width> out;
                    loops::fetch(typename loops::loads{}, a, index, in);
                    columns_in_memory columns{g.index()};
                    loops::template run<reduces>(a, index, in, out, us, rs, state, sums, columns);
                    loops::put(typename loops::stores{}, a, index, out);
                }
                index[O + I - 1] = 0;
                flush_lines(g, a, index, sums, sums_in<element>{});
            }
        }
    }

    // Reductions

    template <class Threads, class... R, int... K>
    static CROTON_DEVICE void combine_group(const group<Threads>& g, auto& state, kernel::block<R...>, std::integer_sequence<int, K...>) {
        ((kernel::detail::at<K, typename summed<R>::partial>(state) =
              g.template reduce<typename summed<R>::reduction>(kernel::detail::at<K, typename summed<R>::partial>(state))), ...);
    }
    template <int First, class... R, int... K>
    static CROTON_DEVICE void yield(const auto& state, row_file& rs, kernel::block<R...>, std::integer_sequence<int, K...>) {
        ((kernel::detail::at<First + K, typename summed<R>::element>(rs) =
              static_cast<typename summed<R>::element>(kernel::detail::at<K, typename summed<R>::partial>(state))), ...);
    }

    // Leaves what this chunk has reduced for the last chunk of its row, and there takes in what all have left.
    template <class... R, class Threads, class State, int... K>
    static CROTON_DEVICE bool gather(Threads& t, const group<Threads>& g, const args& a, std::int64_t row, std::int64_t chunk,
                                     State& state, kernel::block<R...> reduces, std::integer_sequence<int, K...>) {
        constexpr std::int64_t reduced = sizeof...(R);
        std::byte* const mine = a.parts + (row * a.chunks + chunk) * reduced * 8;
        combine_group(g, state, reduces, std::integer_sequence<int, K...>{});
        if (g.leads()) (store_part(mine + K * 8, kernel::detail::at<K, typename summed<R>::partial>(state)), ...);
        if (!t.arrive(a.counters + row, static_cast<unsigned>(a.chunks))) return false;
        state.clear();
        for (std::int64_t c = g.lane(); c < a.chunks; c += g.size())
            take_parts(a.parts + (row * a.chunks + c) * reduced * 8, state, reduces, std::integer_sequence<int, K...>{});
        return true;
    }
    template <class T> static CROTON_DEVICE void store_part(std::byte* to, T v) { *reinterpret_cast<T*>(to) = v; }
    template <class... R, int... K>
    static CROTON_DEVICE void take_parts(const std::byte* from, auto& state, kernel::block<R...>, std::integer_sequence<int, K...>) {
        (void)from;
        ((kernel::detail::at<K, typename summed<R>::partial>(state) = summed<R>::reduction::combine(
              kernel::detail::at<K, typename summed<R>::partial>(state), *reinterpret_cast<const typename summed<R>::partial*>(from + K * 8))), ...);
    }

    // Sums into memory

    template <class Threads, class... S, int... K>
    static CROTON_DEVICE void clear_copies(const group<Threads>& g, const args& a, kernel::block<S...>, std::integer_sequence<int, K...>) {
        (clear_copy<S>(g, a.sum[K]), ...);
        g.sync();
    }
    template <class S, class Threads>
    static CROTON_DEVICE void clear_copy(const group<Threads>& g, const sum_place<O + I>& place) {
        using W = typename summed<S>::partial;
        if (place.kind == sum_kind::total || place.exclusive) return;
        W* copy = reinterpret_cast<W*>(place.partial) + g.index() * place.count;
        for (std::int64_t i = g.lane(); i < place.count; i += g.size()) copy[i] = summed<S>::reduction::template identity<W>();
    }

    template <class Threads, class... S>
    static CROTON_DEVICE void flush_lines(const group<Threads>& g, const args& a, [[maybe_unused]] const std::int64_t* index,
                                          totals& sums, kernel::block<S...>) {
        (flush_line<S>(g, a, index, kernel::detail::at<fp::template sum_of_slot<summed<S>::slot>, typename summed<S>::partial>(sums)), ...);
    }
    template <class S, class Threads, class W>
    static CROTON_DEVICE void flush_line(const group<Threads>& g, const args& a, const std::int64_t* index, W& partial) {
        using R = typename summed<S>::reduction;
        using T = typename summed<S>::element;
        constexpr int slot = summed<S>::slot;
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
        (flush_total<S>(t, whole, a, a.sum[K], kernel::detail::at<K, typename summed<S>::partial>(sums)), ...);
    }
    template <class S, class Threads, class W>
    static CROTON_DEVICE void flush_total(Threads& t, const group<Threads>& whole, const args& a, const sum_place<O + I>& place, W partial) {
        using R = typename summed<S>::reduction;
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
        using R = typename summed<S>::reduction;
        using T = typename summed<S>::element;
        using W = typename summed<S>::partial;
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
            T* to = reinterpret_cast<T*>(a.data[summed<S>::slot]);
            std::int64_t rest = i;
            CROTON_UNROLL
            for (int x = O + I - 1; x >= 0; --x) {
                if (place.stride[x] == 0) continue;
                const std::int64_t extent = x < O ? a.outer.at[x < O ? x : 0].extent : x == O + I - 1 ? innermost(a) : a.inner.at[x - O].extent;
                to += rest % extent * a.stride[summed<S>::slot][x];
                rest /= extent;
            }
            *to = static_cast<T>(v);
        }
    }
    static CROTON_DEVICE std::int64_t innermost(const args& a) { return a.inner.at[I - 1].extent * Width + a.tail; }
};

/// Runs the member of a joint launch that a block belongs to. `place(first)` is the block as one of those from `first` on.
template <class Kernel, int Width, class Joined, class Place> CROTON_DEVICE void run_member(const Joined& all, std::int64_t block, Place place) {
    int m = 0;
    while (block >= all.end[m]) ++m;
    auto t = place(m == 0 ? std::int64_t{0} : all.end[m - 1]);
    if ((all.wide >> m) & 1) body<Kernel, Width>::run(t, all.member[m]);
    else body<Kernel, 1>::run(t, all.member[m]);
}

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
