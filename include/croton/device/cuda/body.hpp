// SPDX-License-Identifier: MIT
// What the threads of a block do with a kernel type: rows, phases, and reductions.
#ifndef CROTON_DEVICE_CUDA_BODY_HPP
#define CROTON_DEVICE_CUDA_BODY_HPP

#include <croton/device/cuda/group.hpp>
#include <croton/device/cuda/ports.hpp>
#include <croton/device/cuda/sums.hpp>
#include <croton/device/cuda/sweep.hpp>

namespace croton::inline v0_1::detail::cuda_device {

template <class Kernel, int Width> struct body;
template <int O, int J, class U, class Row, class... Phases, int Width>
struct body<kernel::kernel<O, J, U, Row, Phases...>, Width> {
    using type = kernel::kernel<O, J, U, Row, Phases...>;
    using fp = footprint<type>;
    static constexpr int I = fp::inner_rank;
    using into_memory = block_sums<type, Width>;
    using args = typename into_memory::args;
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
            if (a.phase <= 0) into_memory::clear_copies(g, a, typename fp::sums{}, sequence<typename fp::sums>{});
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
            into_memory::store_columns(t, a, mine, chunk, piece, below == 0 && piece < along, typename fp::sums{}, sequence<typename fp::sums>{});
        }
        leave(t, a, sums);
    }

    /// Combines the copies of every sum and writes the memory it stands for; this is block `block` of `blocks`.
    template <class Threads> static CROTON_DEVICE void finish(Threads& t, const args& a, std::int64_t block, std::int64_t blocks) {
        into_memory::finish_all(t, a, block, blocks, typename fp::sums{}, sequence<typename fp::sums>{});
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
        into_memory::flush_totals(t, whole, a, sums, typename fp::sums{}, sequence<typename fp::sums>{});
        if (a.finish && t.arrive(a.done, static_cast<unsigned>(a.blocks))) finish(t, a, 0, 1);
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
                into_memory::flush_lines(g, a, index, sums, sums_in<element>{});
            }
        }
    }

    // Reductions

    template <class Threads, class... R, int... K>
    static CROTON_DEVICE void combine_group(const group<Threads>& g, auto& state, kernel::block<R...>, std::integer_sequence<int, K...>) {
        ((kernel::detail::at<K, kernel::partial_t<R>>(state) =
              g.template reduce<typename R::reduction>(kernel::detail::at<K, kernel::partial_t<R>>(state))), ...);
    }
    template <int First, class... R, int... K>
    static CROTON_DEVICE void yield(const auto& state, row_file& rs, kernel::block<R...>, std::integer_sequence<int, K...>) {
        ((kernel::detail::at<First + K, typename R::element>(rs) =
              static_cast<typename R::element>(kernel::detail::at<K, kernel::partial_t<R>>(state))), ...);
    }

    // Leaves what this chunk has reduced for the last chunk of its row, and there takes in what all have left.
    template <class... R, class Threads, class State, int... K>
    static CROTON_DEVICE bool gather(Threads& t, const group<Threads>& g, const args& a, std::int64_t row, std::int64_t chunk,
                                     State& state, kernel::block<R...> reduces, std::integer_sequence<int, K...>) {
        constexpr std::int64_t reduced = sizeof...(R);
        std::byte* const mine = a.parts + (row * a.chunks + chunk) * reduced * 8;
        combine_group(g, state, reduces, std::integer_sequence<int, K...>{});
        if (g.leads()) (store_part(mine + K * 8, kernel::detail::at<K, kernel::partial_t<R>>(state)), ...);
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
        ((kernel::detail::at<K, kernel::partial_t<R>>(state) = R::reduction::combine(
              kernel::detail::at<K, kernel::partial_t<R>>(state), *reinterpret_cast<const kernel::partial_t<R>*>(from + K * 8))), ...);
    }
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
