// SPDX-License-Identifier: MIT
// From loop axes and slots to launches: which axes merge, how wide pieces are, where sums lie, what is launched.
#ifndef CROTON_DEVICE_CUDA_ENGINE_HPP
#define CROTON_DEVICE_CUDA_ENGINE_HPP

#include <croton/device/cuda/as_elements.hpp>
#include <croton/device/cuda/body.hpp>
#include <croton/device/cuda/closing.hpp>
#include <croton/device/cuda/column_body.hpp>
#include <croton/device/cuda/division.hpp>
#include <croton/device/cuda/turned.hpp>
#include <croton/kernel/argument.hpp>

#include <algorithm>
#include <cstdint>

namespace croton::inline v0_1::detail::cuda_device {

using kernel::operand;

/// Which body a launch runs.
enum class entry { prologue, main, held, turned, columns, finish };

/// What a thread of such a launch of `blocks` blocks does. Whether numbers that close the loop are this block's.
template <class Kernel, int Width, entry Entry, class Threads, class Args> CROTON_DEVICE bool run_entry(Threads& t, const Args& a, std::int64_t blocks) {
    if constexpr (Entry == entry::main) return body<Kernel, Width>::run(t, a);
    else if constexpr (Entry == entry::held) return body<Kernel, Width>::template run<true>(t, a);
    else if constexpr (Entry == entry::columns) return column_body<Kernel, Width>::run(t, a);
    else if constexpr (Entry == entry::prologue) body<Kernel, Width>::prologue(t, a);
    else if constexpr (Entry == entry::turned) turned_body<Kernel, Width>::run(t, a);
    else block_sums<Kernel, Width>::finish_all(t, a, t.block(), blocks);
    return false;
}
/// The same, and then the numbers.
template <class Kernel, class Keys, int Width, entry Entry, class Threads, class Args>
CROTON_DEVICE void run_closed_entry(Threads& t, const Args& a, const typename Keys::arguments& then, std::int64_t blocks) {
    if (!run_entry<Kernel, Width, Entry>(t, a, blocks)) return;
    t.sync();
    if (t.thread() == 0) Keys::run(then);
}

/// The memory that the threads of a block share in such a launch.
template <class Kernel, entry Entry>
inline constexpr std::size_t shared_bytes_of = shared_bytes + (shares_copies<Kernel> && (Entry == entry::main || Entry == entry::held) ? copies_bytes : 0);
template <class Kernel>
inline constexpr std::size_t shared_bytes_of<Kernel, entry::turned> = static_cast<std::size_t>(turned_loops<Kernel>::most * turned_loops<Kernel>::bytes_of_square);

/// Runs `Kernel` on `Platform`, which says
///     int threads, processors()                       of a block, and how many blocks run at once is a multiple of
///     int64 resident<Kernel, Width, entry>(arguments)  blocks of such a launch that run at once; resident_joined<Kernel, Width>(joined) as well
///     std::byte* workspace(bytes)                     memory that stays as it is until the next call of `workspace`
///     unsigned* counters(n)                           zeros, for blocks that count each other
///     launch<Kernel, Width, entry>(blocks, arguments)
///     launch_joined<Kernel, Width>(blocks, joined)    runs `run_member` on each block
///     launch_closed<Kernel, Width, entry>(blocks, arguments, keys, closing arguments), and resident_closed(...) of the same
template <class Platform, class Kernel> struct engine;
template <class Platform, int O, int J, class U, class Row, class... Phases>
struct engine<Platform, kernel::kernel<O, J, U, Row, Phases...>> {
    using type = kernel::kernel<O, J, U, Row, Phases...>;
    using fp = footprint<type>;
    static constexpr int I = fp::inner_rank, slots = fp::all.slots;
    static constexpr bool outer_index_used = (fp::all.axes & ((1u << O) - 1u)) != 0;
    static constexpr bool inner_index_used = (fp::all.axes >> O) != 0;
    static constexpr bool only_uniform = sizeof...(Phases) == 0 && O == 0 && kernel::size_of_block<Row> == 0;
    static constexpr bool uniform_effects = fp::uniform.stores;
    static constexpr bool may_join = O == 0 && sizeof...(Phases) == 1 && !fp::ends_rows && fp::sum_count == 0 &&
                                     kernel::size_of_block<Row> == 0 && !uniform_effects;

    /// Elements of a piece: 16 bytes of the smallest type, unless the kernel is long.
    static constexpr int width = fp::elements.size > 96 || fp::elements.smallest == 0 || slots > 64 ? 1
                                 : fp::elements.size > 48                             ? std::min(2, 16 / fp::elements.smallest)
                                                          : std::min(fp::elements.streams > 8 ? 4 : 16, 16 / fp::elements.smallest);
    using args = typename body<type, 1>::args;
    using units = division<Platform, type>;

    // The kernel parameters that every GPU this is for takes.
    static constexpr std::size_t most_bytes = 32764;
    static_assert(sizeof(args) <= most_bytes, "croton: a fused step has too many arguments for one CUDA kernel");

    struct usage {
        int bytes[bound<slots>] = {};
        bool streams[bound<slots>] = {}, stored[bound<slots>] = {};
    };
    template <class... X> static constexpr void note(usage& u, bool in_element, kernel::block<X...>) {
        [[maybe_unused]] const auto one = [&](int slot, int bytes, bool loads, bool stores) {
            if (slot < 0) return;
            u.bytes[slot] = bytes;
            if (in_element && (loads || stores)) u.streams[slot] = true;
            if (in_element && stores) u.stored[slot] = true;
        };
        (one(X::slot, kernel::memory_bytes<typename X::element>, is_load<X>, X::does == kernel::role_store), ...);
    }
    static constexpr usage used = [] {
        usage u;
        note(u, false, kernel::listed_t<typename fp::rows_block>{});
        (note(u, true, kernel::listed_t<typename parts<Phases>::element>{}), ...);
        return u;
    }();

    // Axes

    /// The axes `first .. first + count` of the loops, merged where every slot walks them evenly, at the end of `to`.
    template <int Rank>
    static void collapse(args& a, axes<Rank>& to, int first, int count, bool merge, const std::int64_t* extents, const operand* slot) {
        std::int64_t extent[bound<Rank>], stride[bound<slots>][bound<Rank>];
        int kept = 0;
        for (int x = 0; x < count; ++x) {
            const std::int64_t n = extents[first + x];
            const auto at = static_cast<std::size_t>(first + x);
            if (merge && n == 1) continue;
            bool even = merge && kept > 0;
            for (int s = 0; even && s < slots; ++s)
                even = used.bytes[s] == 0 || stride[s][kept - 1] == slot[s].stride[at] * n;
            if (even) extent[kept - 1] *= n;
            else extent[kept++] = n;
            for (int s = 0; s < slots; ++s) stride[s][kept - 1] = slot[s].stride[at];
        }
        to.first = Rank - kept;
        const int base = first == 0 && O > 0 ? 0 : O;
        for (int x = 0; x < Rank; ++x) {
            to.at[x] = axis::of(x < to.first ? 1 : extent[x - to.first]);
            for (int s = 0; s < slots; ++s) a.stride[s][base + x] = x < to.first ? 0 : stride[s][x - to.first];
        }
        // One index without an axis is the last axis at 0.
        if (Rank > 0 && to.first == Rank) to.first = Rank - 1;
        to.settle();
    }

    /// Whether every element that is read or written is found in pieces of `width`. `tail` is what remains of one row.
    static bool wide_enough(const args& a, std::int64_t& tail, std::uint64_t& fixed, bool by_runs, std::int64_t rows) {
        if constexpr (width == 1) {
            return false;
        } else {
            const std::int64_t n = a.inner.at[I - 1].extent;
            tail = n % width, fixed = 0;
            // An element is a piece below two blocks on every processor, and below one where blocks meet: that costs a number for each.
            const std::int64_t least = std::int64_t{width} * Platform::threads * (fp::ends_rows || fp::sum_count > 0 ? 1 : 2 * Platform::processors());
            if ((O == 0 && a.inner.size() < least) || n < width) return false;
            if (tail != 0 && (a.inner.first < I - 1 || rows != 1 || by_runs)) return false;
            for (int s = 0; s < slots; ++s) {
                if (!used.streams[s]) continue;
                const std::int64_t* stride = a.stride[s];
                if (stride[O + I - 1] == 0 && !used.stored[s]) {
                    fixed |= std::uint64_t{1} << s;
                    continue;
                }
                const auto word = static_cast<std::uintptr_t>(std::min(16, width * used.bytes[s]));
                if (stride[O + I - 1] != 1 || reinterpret_cast<std::uintptr_t>(a.data[s]) % word != 0) return false;
                for (int x = 0; x < O + I - 1; ++x)
                    if (stride[x] % width != 0) return false;
            }
            return true;
        }
    }

    // Sums

    template <class... S> static bool classify(args& a, kernel::block<S...>) {
        bool by_runs = false;
        (void)a;
        (classify_one<S>(a, by_runs), ...);
        return by_runs;
    }
    template <class S> static void classify_one(args& a, bool& by_runs) {
        constexpr int slot = S::slot;
        auto& place = a.sum[fp::template sum_of_slot<slot>];
        bool whole = true, every = true;
        std::int64_t step = 1;
        for (int x = O + I; x-- > 0;) {
            const std::int64_t extent = x < O ? a.outer.at[x < O ? x : 0].extent : a.inner.at[x - O].extent;
            const bool varies = a.stride[slot][x] != 0 && extent != 1;
            place.stride[x] = varies ? step : 0;
            if (varies) step *= extent;
            whole = whole && !varies;
            // An axis that the sum of a row does not have is no axis it is summed over.
            if (x < (in_element<S> ? O + I - 1 : O)) every = every && (varies || extent == 1);
        }
        place.count = step;
        place.kind = whole ? sum_kind::total : in_element<S> && place.stride[O + I - 1] != 0 ? sum_kind::column : sum_kind::line;
        place.exclusive = place.kind == sum_kind::line && every;
        if (in_element<S> && place.kind != sum_kind::total) by_runs = true;
    }
    template <class S, class... X> static constexpr bool holds(kernel::block<X...>) { return (false || ... || std::is_same_v<S, X>); }
    template <class S> static constexpr bool in_element = (false || ... || holds<S>(kernel::listed_t<typename parts<Phases>::element>{}));

    template <class... S> static std::size_t place_sums(args& a, std::size_t bytes, [[maybe_unused]] std::byte* base, kernel::block<S...>) {
        (place_sum<S>(a, bytes, base), ...);
        return bytes;
    }
    template <class S> static void place_sum(args& a, std::size_t& bytes, std::byte* base) {
        auto& place = a.sum[fp::template sum_of_slot<S::slot>];
        const std::int64_t copies = copies_of(a, place);
        if (copies == 0) return;
        place.partial = base + bytes;
        bytes += round_up(static_cast<std::size_t>(copies * place.count) * sizeof(kernel::partial_t<S>));
    }
    static std::int64_t copies_of(const args& a, const sum_place<O + I>& place) {
        if (place.exclusive) return place.kind == sum_kind::column && a.chunks > 1 ? a.chunks : 0;
        return place.kind == sum_kind::total ? a.blocks : a.copies;
    }
    static std::size_t round_up(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

    // Launches

    static void run(const std::int64_t* extents, const operand* slot, const std::int64_t* scalars) {
        if constexpr (only_uniform) {
            args a{};
            fill(a, slot, scalars);
            if constexpr (kernel::size_of_block<U> > 0) Platform::template launch<type, 1, entry::prologue>(1, a);
        } else if constexpr (sizeof...(Phases) == 0) {
            engine<Platform, typename with_phases<type>::type>::run(extents, slot, scalars);
        } else {
            args a{};
            if constexpr (turned_loops<type>::possible)
                if (run_turned(a, extents, slot, scalars)) return;
            lay_out(a, extents, slot, scalars) ? launch_all<width>(a, open_launch()) : launch_all<1>(a, open_launch());
        }
    }

    /// The same of a loop with sums, and then single numbers, by kernels whose slots are then[0], ...: in the last block, unless the sums end in a launch.
    template <class... Then> static void run_closed(const std::int64_t* extents, const operand* slot, const operand* const* then, const std::int64_t* scalars) {
        if constexpr (sizeof...(Phases) == 0) {
            engine<Platform, typename with_phases<type>::type>::template run_closed<Then...>(extents, slot, then, scalars);
        } else {
            using keys = closing_keys<kernel::key_of<Then>...>;
            static_assert(sizeof(args) + sizeof(typename keys::arguments) <= most_bytes, "croton: a fused step has too many arguments for one CUDA kernel");
            args a{};
            const closed_launch<keys> closed{keys::of(then, scalars)};
            if (lay_out(a, extents, slot, scalars) ? launch_all<width>(a, closed) : launch_all<1>(a, closed)) return;
            (engine<Platform, Then>::run(nullptr, *then++, scalars), ...);
        }
    }

    /// The same for `Count` sets of extents and slots, `max_rank` and `slot_count` apart, whose loops wait for nothing of each
    /// other: as few launches as hold all arguments.
    template <int Count> static void run_joined(const std::int64_t* extents, const operand* slot, int slot_count, const std::int64_t* scalars) {
        static_assert(may_join, "croton: only loops over elements that store and do not sum can share a launch");
        constexpr int fits = static_cast<int>((most_bytes - sizeof(std::uint64_t)) / (sizeof(args) + sizeof(std::int64_t)));
        constexpr int most = std::min({Count, fits, 64});
        static_assert(most > 0, "croton: a fused step has too many arguments for one CUDA kernel");
        for (int next = 0; next < Count;) {
            joined<args, most> all{};
            std::int64_t pieces = 0, blocks = 0;
            for (; next < Count && all.count < most; ++next) {
                args& a = all.member[all.count];
                const bool wide = lay_out(a, extents + next * max_rank, slot + next * slot_count, scalars);
                const std::int64_t here = a.inner.size() + (a.tail > 0 ? 1 : 0);
                if (here == 0) continue;
                pieces += here;
                all.wide |= wide ? std::uint64_t{1} << all.count : 0;
                ++all.count;
            }
            if (all.count == 0) continue;
            // One wave of blocks takes all of them, where it can.
            const std::int64_t resident = Platform::template resident_joined<type, width>(all);
            const std::int64_t length = units::length_of_chunk(pieces, std::max<std::int64_t>(1, resident - all.count));
            for (int m = 0; m < all.count; ++m) {
                if ((all.wide >> m) & 1) units::template arrange<width>(all.member[m], resident, length);
                else units::template arrange<1>(all.member[m], resident, length);
                blocks += all.member[m].blocks;
                all.end[m] = blocks;
            }
            Platform::template launch_joined<type, width>(blocks, all);
        }
    }

    /// Runs loops that read across the way they write; false where there are none.
    static bool run_turned(args& a, const std::int64_t* extents, const operand* slot, const std::int64_t* scalars) {
        constexpr int wide_copy = turned_loops<type>::copies ? width : 1;
        // Indices that are values are counted along the axes as they are.
        ordered_loop<J, slots> loop;
        if constexpr (!inner_index_used) {
            loop = along_stores<J, slots>(used, extents, slot);
            extents = loop.extent;
            slot = loop.slot;
        }
        fill(a, slot, scalars);
        collapse(a, a.inner, O, J, !inner_index_used, extents, slot);
        bool wide = false;
        if (!turn_loops<type, wide_copy>(a, used, inner_index_used, wide)) return false;
        const auto launch = [&]<int Width>(std::integral_constant<int, Width>) {
            a.blocks = std::min(a.pieces, Platform::template resident<type, Width, entry::turned>(a));
            Platform::template launch<type, Width, entry::turned>(a.blocks, a);
        };
        if (wide) launch(std::integral_constant<int, wide_copy>{});
        else launch(std::integral_constant<int, 1>{});
        return true;
    }

    static void fill(args& a, const operand* slot, const std::int64_t* scalars) {
        a = args{};
        for (int s = 0; s < slots; ++s) a.data[s] = slot[s].data;
        if constexpr (fp::all.gathers)
            for (int s = 0; s < slots; ++s) a.along[s] = slot[s].along;
        for (int k = 0; k < fp::all.scalars; ++k) a.scalar[k] = scalars[k];
    }

    /// Everything that is known before it is known who does what; whether memory is walked in pieces of `width`.
    static bool lay_out(args& a, const std::int64_t* extents, const operand* slot, const std::int64_t* scalars) {
        fill(a, slot, scalars);
        collapse(a, a.outer, 0, O, !outer_index_used, extents, slot);
        collapse(a, a.inner, O, J, !inner_index_used, extents, slot);
        a.rows = O > 0 ? a.outer.size() : 1;
        a.by_runs = classify(a, typename fp::sums{});
        if (wide_enough(a, a.tail, a.fixed, a.by_runs, a.rows)) {
            a.inner.at[I - 1] = axis::of(a.inner.at[I - 1].extent / width);
            a.inner.settle();
            return true;
        }
        a.tail = 0;
        a.fixed = 0;
        return false;
    }

    /// Whether what closes the loop is among the launches.
    template <int Width, class Launch> static bool launch_all(args& a, const Launch& how) {
        constexpr int threads = Platform::threads;
        const auto [launches_per_phase, by_columns, units] = units::template arrange<Width>(a, how.template resident<Platform, type, Width, entry::main>(a));
        using bodies = body<type, Width>;
        std::size_t bytes = 0, uniforms = 0, rows = 0, gathered = 0;
        if (uniform_effects || launches_per_phase) bytes += round_up(sizeof(typename bodies::uniform_file));
        if (launches_per_phase) {
            rows = bytes;
            bytes += round_up(sizeof(typename bodies::row_file) * static_cast<std::size_t>(a.rows));
            gathered = bytes;
            bytes += round_up(static_cast<std::size_t>(units) * most_reduced * 8);
        }
        const std::size_t all = place_sums(a, bytes, nullptr, typename fp::sums{});
        std::byte* const work = all > 0 ? Platform::workspace(all) : nullptr;
        place_sums(a, bytes, work, typename fp::sums{});
        if (launches_per_phase || fp::sum_count > 0) {
            const std::int64_t meetings = launches_per_phase ? a.rows : by_columns && a.chunks > 1 ? a.tiles : 0;
            a.done = Platform::counters(1 + static_cast<int>(meetings));
            a.counters = a.done + 1;
        }

        if constexpr (uniform_effects) {
            a.kept_uniforms = work + uniforms;
            Platform::template launch<type, Width, entry::prologue>(1, a);
            a.uniforms = a.kept_uniforms;
            a.kept_uniforms = nullptr;
        }
        if (units > 0) {
            std::int64_t partials = 0;
            for (int k = 0; k < fp::sum_count; ++k)
                if (!a.sum[k].exclusive) partials += a.sum[k].count * copies_of(a, a.sum[k]);
            const bool last_finishes = fp::sum_count > 0 && partials > 0 && partials <= few_partials, closes = Launch::closes && (last_finishes || partials == 0);
            if (launches_per_phase) {
                a.kept_rows = work + rows;
                a.parts = work + gathered;
                constexpr int phases = static_cast<int>(sizeof...(Phases));
                for (int p = 0; p < phases; ++p) {
                    a.phase = p;
                    a.finish = last_finishes && p == phases - 1;
                    a.closes = closes && p == phases - 1;
                    a.kept_uniforms = !uniform_effects && p == 0 ? work + uniforms : nullptr;
                    how.template launch<Platform, type, Width, entry::main>(a.blocks, a);
                    a.uniforms = work + uniforms;
                }
            } else {
                a.finish = last_finishes;
                a.closes = closes;
                bool done = false;
                if constexpr (units::may_stay_with_columns) {
                    if (by_columns) how.template launch<Platform, type, Width, entry::columns>(a.blocks, a);
                    done = by_columns;
                }
                if constexpr (held_row<type, Width>::possible) {
                    done = !done && units::template holds_rows<Width>(a);
                    if (done) how.template launch<Platform, type, Width, entry::held>(a.blocks, a);
                }
                if (!done) how.template launch<Platform, type, Width, entry::main>(a.blocks, a);
            }
            if (last_finishes || partials == 0) return closes;
        }
        if constexpr (fp::sum_count > 0) {
            std::int64_t blocks = 1;
            for (int k = 0; k < fp::sum_count; ++k) {
                if (a.sum[k].exclusive) continue;
                const std::int64_t span = finishing_span(a.sum[k].count, copies_of(a, a.sum[k]), threads);
                blocks = std::max(blocks, (a.sum[k].count + span - 1) / span);
            }
            a.phase = -1;
            Platform::template launch<type, Width, entry::finish>(std::min(blocks, Platform::template resident<type, Width, entry::finish>(a)), a);
        }
        return false;
    }

    // So many partial results the last block takes in on its way; more are a launch of their own.
    static constexpr std::int64_t few_partials = 4096;
    static constexpr std::size_t most_reduced = [] {
        int most = 1;
        ((most = parts<Phases>::reduced > most ? parts<Phases>::reduced : most), ...);
        return static_cast<std::size_t>(most);
    }();
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
