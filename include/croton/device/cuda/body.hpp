// SPDX-License-Identifier: MIT
// What the threads of a block do with a kernel type: rows, phases, and reductions.
#ifndef CROTON_DEVICE_CUDA_BODY_HPP
#define CROTON_DEVICE_CUDA_BODY_HPP

#include <croton/device/cuda/group.hpp>
#include <croton/device/cuda/held_row.hpp>
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

    using held = held_row<type, Width>;

    /// Pieces that a thread has on the way at once: memory is far, and registers are not many.
    static constexpr int in_flight = fp::elements.size <= 24 && fp::elements.streams <= 4 ? 2 : 1;

    /// Runs the uniform block once and keeps its values: where it writes memory, or where nothing else runs.
    template <class Threads> static CROTON_DEVICE void prologue(Threads& t, const args& a) {
        if (t.block() != 0 || t.thread() != 0) return;
        const uniform_file us = compute_uniforms<U>(a);
        if (a.kept_uniforms != nullptr) *reinterpret_cast<uniform_file*>(a.kept_uniforms) = us;
    }

    /// The kernel, each group with one unit after the other. Where `Held`, rows are read once: they stay in registers from phase to phase. Gives
    /// what `leave` gives.
    template <bool Held = false, class Threads> static CROTON_DEVICE bool run(Threads& t, const args& a) {
        const group<Threads> g(t, a.group);
        const uniform_file us = uniforms_of<U>(a);
        totals sums;
        sums.clear();
        if constexpr (fp::sum_count > 0) {
            if (a.phase <= 0) into_memory::clear_copies(g, a, copies_of(t, g, a), typename fp::sums{}, sequence<typename fp::sums>{});
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
            std::conditional_t<Held, typename held::file, in_memory> from;
            if constexpr (Held) held::fetch(g, a, index, from);
            row_file rs;
            if (a.phase > 0) {
                rs = reinterpret_cast<const row_file*>(a.kept_rows)[row];
            } else {
                const group_copies copies = copies_of(t, g, a);
                row_port<type, args, Threads> memory{a, g, index, sums, copies};
                kernel::run_row_block<0, Row>(memory, us, rs);
            }
            run_phases<0, kernel::size_of_block<Row>, Phases...>(t, g, a, index, row, chunk, us, rs, sums, from);
        }
        if constexpr (fp::sum_count > 0) {
            if constexpr (shares_copies<type>)
                if (a.in_block) into_memory::leave_copies(t, a);
            return into_memory::leave(t, a, sums);
        } else {
            return false;
        }
    }

private:
    template <class Threads> static CROTON_DEVICE group_copies copies_of(Threads& t, const group<Threads>& g, const args& a) {
        if constexpr (shares_copies<type>)
            if (a.in_block) return {t.shared() + shared_bytes, t.thread() / g.size()};
        return {nullptr, g.index()};
    }

    template <class Block> using sequence = std::make_integer_sequence<int, kernel::size_of_block<Block>>;

    // Phases

    /// Where the elements of a row that is not held come from.
    struct in_memory {};

    template <int P, int First, class Threads, class From>
    static CROTON_DEVICE void run_phases(Threads&, const group<Threads>&, const args&, std::int64_t*, std::int64_t, std::int64_t,
                                         const uniform_file&, row_file&, totals&, const From&) {}
    template <int P, int First, class Phase, class... Rest, class Threads, class From>
    static CROTON_DEVICE void run_phases(Threads& t, const group<Threads>& g, const args& a, std::int64_t* index, std::int64_t row,
                                         std::int64_t chunk, const uniform_file& us, row_file& rs, totals& sums, const From& from) {
        constexpr bool kept = !std::is_same_v<From, in_memory>;
        using part = parts<Phase>;
        using reduces = typename part::reduces;
        if (kept || a.phase < 0 || a.phase == P) {
            partials<reduces> state;
            state.clear();
            if constexpr (kept) held::template run<Phase>(g, a, index, from, us, rs, state, sums, copies_of(t, g, a));
            else run_inner<Phase>(g, a, index, chunk, us, rs, state, sums, copies_of(t, g, a));
            if constexpr (part::ends_rows) {
                bool ends = true;
                if constexpr (!kept)
                    if (a.chunks > 1) ends = gather(t, g, a, row, chunk, state, reduces{}, sequence<reduces>{});
                if (ends) {
                    combine_group(g, state, reduces{}, sequence<reduces>{});
                    yield<First>(state, rs, reduces{}, sequence<reduces>{});
                    const group_copies copies = copies_of(t, g, a);
                    row_port<type, args, Threads> memory{a, g, index, sums, copies};
                    kernel::run_row_block<First + part::reduced, typename part::row>(memory, us, rs);
                }
                if (!kept && a.chunks > 1 && ends && t.thread() == 0) {
                    if (a.kept_uniforms != nullptr) *reinterpret_cast<uniform_file*>(a.kept_uniforms) = us;
                    reinterpret_cast<row_file*>(a.kept_rows)[row] = rs;
                }
            }
            // The next phase may read what another thread of the group has written.
            if constexpr (sizeof...(Rest) > 0 && fp::elements.stores && !kept) g.sync();
        }
        run_phases<P + 1, First + part::reduced + kernel::size_of_block<typename part::row>, Rest...>(t, g, a, index, row, chunk, us, rs, sums, from);
    }

    // `Count` pieces that are a group apart: all are loaded before the first is used.
    template <class Loops, class Reduces, int Count, class Threads, class State>
    static CROTON_DEVICE void run_pieces(const group<Threads>& g, const args& a, std::int64_t first, const std::int64_t* outer,
                                         const uniform_file& us, const row_file& rs, State& state, totals& sums, const group_copies& copies) {
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
            columns_in_memory columns{copies};
            Loops::template run<Reduces>(a, at[k], in[k], out, us, rs, state, sums, columns);
            Loops::put(typename Loops::stores{}, a, at[k], out);
        }
    }

    // The part of the inner loops that is chunk `chunk`.
    template <class Phase, class Threads, class State>
    static CROTON_DEVICE void run_inner(const group<Threads>& g, const args& a, std::int64_t* index, std::int64_t chunk,
                                        const uniform_file& us, const row_file& rs, State& state, totals& sums, const group_copies& copies) {
        using element = typename parts<Phase>::element;
        using reduces = typename parts<Phase>::reduces;
        using loops = sweep<type, element, Width>;
        const std::int64_t low = chunk * a.length, limit = low + a.length;
        const std::int64_t high = limit < a.pieces ? limit : a.pieces;
        if (!a.by_runs) {
            std::int64_t i = low + g.lane();
            if constexpr (in_flight > 1) {
                const std::int64_t ahead = static_cast<std::int64_t>(in_flight - 1) * g.size();
                for (; i + ahead < high; i += ahead + g.size()) run_pieces<loops, reduces, in_flight>(g, a, i, index, us, rs, state, sums, copies);
            }
            for (; i < high; i += g.size()) run_pieces<loops, reduces, 1>(g, a, i, index, us, rs, state, sums, copies);
            if constexpr (Width > 1) {
                if (a.tail > 0 && high == a.pieces) {
                    using single = sweep<type, element, 1>;
                    const auto one = [&](std::int64_t left) {
                        index[O + I - 1] = a.pieces * Width + left;
                        pieces<typename single::loads, 1> in;
                        pieces<typename single::stores, 1> out;
                        single::fetch(typename single::loads{}, a, index, in);
                        columns_in_memory columns{copies};
                        single::template run<reduces>(a, index, in, out, us, rs, state, sums, columns);
                        single::put(typename single::stores{}, a, index, out);
                    };
                    // Fewer than a group of a loop without rows has threads.
                    if constexpr (O == 0) {
                        if (g.lane() < a.tail) one(g.lane());
                    } else {
                        for (std::int64_t left = g.lane(); left < a.tail; left += g.size()) one(left);
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
                    columns_in_memory columns{copies};
                    loops::template run<reduces>(a, index, in, out, us, rs, state, sums, columns);
                    loops::put(typename loops::stores{}, a, index, out);
                }
                index[O + I - 1] = 0;
                into_memory::flush_lines(g, a, index, sums, copies, sums_in<element>{});
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
