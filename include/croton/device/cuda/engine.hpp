// SPDX-License-Identifier: MIT
// From loop axes and slots to launches: which axes merge, how wide pieces are, who takes which rows, where sums lie.
#ifndef CROTON_DEVICE_CUDA_ENGINE_HPP
#define CROTON_DEVICE_CUDA_ENGINE_HPP

#include <croton/device/cuda/as_elements.hpp>
#include <croton/device/cuda/body.hpp>
#include <croton/kernel/argument.hpp>

#include <algorithm>
#include <cstdint>

namespace croton::inline v0_1::detail::cuda_device {

using kernel::operand;

/// Which body a launch runs.
enum class entry { prologue, main, columns, finish };

/// Runs `Kernel` on `Platform`, which says
///     int threads, processors()                       of a block, and how many blocks run at once is a multiple of
///     std::byte* workspace(bytes)                     memory that stays as it is until the next call of `workspace`
///     unsigned* counters(n)                           zeros, for blocks that count each other
///     launch<Kernel, Width, entry>(blocks, arguments)
///     launch_joined<Kernel, Width>(blocks, joined)    runs `run_member` on each block
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
            tail = n % width;
            fixed = 0;
            if (n < width || (tail != 0 && (a.inner.first < I - 1 || rows != 1 || by_runs))) return false;
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
    static constexpr bool sums_in_rows = fp::rows.sums;

    template <class... S> static std::size_t place_sums(args& a, std::size_t bytes, [[maybe_unused]] std::byte* base, kernel::block<S...>) {
        (place_sum<S>(a, bytes, base), ...);
        return bytes;
    }
    template <class S> static void place_sum(args& a, std::size_t& bytes, std::byte* base) {
        auto& place = a.sum[fp::template sum_of_slot<S::slot>];
        if (place.exclusive) return;
        place.partial = base + bytes;
        const std::int64_t copies = place.kind == sum_kind::total ? a.blocks : a.copies;
        bytes += round_up(static_cast<std::size_t>(copies * place.count) * sizeof(kernel::partial_t<S>));
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
            if (lay_out(a, extents, slot, scalars)) launch_all<width>(a);
            else launch_all<1>(a);
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
            std::int64_t blocks = 0;
            for (; next < Count && all.count < most; ++next) {
                args& a = all.member[all.count];
                const bool wide = lay_out(a, extents + next * max_rank, slot + next * slot_count, scalars);
                const arrangement how = wide ? arrange<width>(a) : arrange<1>(a);
                if (how.units == 0) continue;
                all.wide |= wide ? std::uint64_t{1} << all.count : 0;
                blocks += a.blocks;
                all.end[all.count++] = blocks;
            }
            if (blocks > 0) Platform::template launch_joined<type, width>(blocks, all);
        }
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

    struct arrangement {
        bool launches_per_phase;  // few long rows are cut into chunks; then each phase that reduces is a launch of its own
        bool by_columns;
        std::int64_t units;
    };

    /// Who does what.
    template <int Width> static arrangement arrange(args& a) {
        constexpr int threads = Platform::threads;
        const std::int64_t processors = Platform::processors();
        const std::int64_t along = a.inner.at[I - 1].extent, items = a.inner.size();
        std::int64_t runs = 1;
        for (int x = 0; x < I - 1; ++x) runs *= a.inner.at[x].extent;
        a.pieces = a.by_runs ? runs : items;
        a.chunks = 1;
        a.length = a.pieces;
        a.phase = -1;
        const std::int64_t shared = a.by_runs ? along : items;  // what the threads of a group share at a time
        bool copies = false;  // of sums, one for each group
        for (int k = 0; k < fp::sum_count; ++k) copies = copies || (a.sum[k].kind != sum_kind::total && !a.sum[k].exclusive);
        if (O > 0 && shared <= 8 && !copies) a.group = 1;
        else a.group = shared > 4 * warp_size && (a.rows < 8 * processors || shared >= 4 * threads) ? threads : warp_size;

        const bool cuttable = fp::ends_rows ? !sums_in_rows || O == 0 : sizeof...(Phases) == 1;
        bool launches_per_phase = false;
        if (cuttable && a.rows > 0 && a.rows < 4 * processors && !row_effects_before) {
            const std::int64_t unit = a.by_runs ? std::max<std::int64_t>(1, 4 * a.group / std::max<std::int64_t>(along, 1)) : std::int64_t{4} * threads;
            const std::int64_t most = fp::ends_rows || fp::sum_count > 0 ? std::max<std::int64_t>(1, 4 * processors / a.rows) : std::int64_t{1} << 30;
            const std::int64_t wanted = std::min((a.pieces + unit - 1) / unit, most);
            if (wanted > 1) {
                a.length = (a.pieces + wanted - 1) / wanted;
                a.chunks = (a.pieces + a.length - 1) / a.length;
                if (fp::ends_rows || !a.by_runs) a.group = threads;
                launches_per_phase = fp::ends_rows;
            }
        }

        bool by_columns = false;
        if constexpr (may_stay_with_columns) by_columns = stay_with_columns(a, runs, along);

        const std::int64_t per_block = threads / a.group;
        const std::int64_t units = by_columns ? a.tiles * a.chunks : a.rows * a.chunks;
        a.blocks = (units + per_block - 1) / per_block;
        // Chunks that meet must all be there; others are taken one after the other.
        if (!(launches_per_phase && a.chunks > 1)) a.blocks = std::min(a.blocks, 16 * processors);
        if constexpr (fp::sum_count > 0)
            if (!by_columns) limit_copies(a, per_block, launches_per_phase && a.chunks > 1);
        a.copies = units == 0 ? 0 : by_columns ? a.chunks : a.blocks * per_block;
        return {launches_per_phase, by_columns, units};
    }

    template <int Width> static void launch_all(args& a) {
        constexpr int threads = Platform::threads;
        const std::int64_t processors = Platform::processors();
        const auto [launches_per_phase, by_columns, units] = arrange<Width>(a);
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
            a.done = Platform::counters(launches_per_phase ? 1 + static_cast<int>(a.rows) : 1);
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
                if (!a.sum[k].exclusive) partials += a.sum[k].count * (a.sum[k].kind == sum_kind::total ? a.blocks : a.copies);
            const bool last_finishes = fp::sum_count > 0 && partials > 0 && partials <= 16384;
            if (launches_per_phase) {
                a.kept_rows = work + rows;
                a.parts = work + gathered;
                constexpr int phases = static_cast<int>(sizeof...(Phases));
                for (int p = 0; p < phases; ++p) {
                    a.phase = p;
                    a.finish = last_finishes && p == phases - 1;
                    a.kept_uniforms = !uniform_effects && p == 0 ? work + uniforms : nullptr;
                    Platform::template launch<type, Width, entry::main>(a.blocks, a);
                    a.uniforms = work + uniforms;
                }
            } else {
                a.finish = last_finishes;
                if constexpr (may_stay_with_columns) {
                    if (by_columns) Platform::template launch<type, Width, entry::columns>(a.blocks, a);
                }
                if (!by_columns) Platform::template launch<type, Width, entry::main>(a.blocks, a);
            }
            if (last_finishes || partials == 0) return;
        }
        if constexpr (fp::sum_count > 0) {
            std::int64_t most = 1;
            for (int k = 0; k < fp::sum_count; ++k)
                if (!a.sum[k].exclusive) most = std::max(most, a.sum[k].count);
            a.phase = -1;
            const std::int64_t width_of_block = most < 4 * threads ? threads / warp_size : threads;
            Platform::template launch<type, Width, entry::finish>(std::min((most + width_of_block - 1) / width_of_block, 16 * processors), a);
        }
    }

    // One sweep over loops whose sums are over everything or over all axes but the innermost.
    static constexpr bool may_stay_with_columns =
        O == 0 && J > 1 && sizeof...(Phases) == 1 && !fp::ends_rows && fp::elements.sums && kernel::size_of_block<Row> == 0 && fp::sum_count <= 4;

    /// Whether threads can keep the sums of their columns; if so, says which columns and rows each takes.
    static bool stay_with_columns(args& a, std::int64_t runs, std::int64_t along) {
        bool columns = false;
        for (int k = 0; k < fp::sum_count; ++k) {
            if (a.sum[k].kind == sum_kind::line) return false;
            if (a.sum[k].kind == sum_kind::total) continue;
            for (int x = 0; x < O + I - 1; ++x)
                if (a.sum[k].stride[x] != 0) return false;
            columns = true;
        }
        if (!columns || runs < 2 || along == 0) return false;
        a.span = 1;
        while (a.span < along && a.span < warp_size) a.span *= 2;
        a.tiles = (along + a.span - 1) / a.span;
        a.group = warp_size;
        // Enough warps to hide the memory, each with some rows, and copies that stay small.
        const std::int64_t rows = warp_size / a.span;
        const std::int64_t wanted = std::max<std::int64_t>(1, std::int64_t{32} * Platform::processors() / a.tiles);
        const std::int64_t chunks = std::min({wanted, (runs + 8 * rows - 1) / (8 * rows), std::max<std::int64_t>(1, (std::int64_t{1} << 22) / (a.tiles * a.span * 16))});
        a.length = (runs + chunks - 1) / chunks;
        a.chunks = (runs + a.length - 1) / a.length;
        return true;
    }

    // The copies of sums stay below 32 MB, or one per processor.
    static void limit_copies(args& a, std::int64_t per_block, bool fixed_blocks) {
        std::int64_t largest = 0;
        for (int k = 0; k < fp::sum_count; ++k)
            if (a.sum[k].kind != sum_kind::total && !a.sum[k].exclusive) largest = std::max(largest, a.sum[k].count);
        if (fixed_blocks) return;
        a.blocks = std::min(a.blocks, std::int64_t{4} * Platform::processors());
        const std::int64_t fits = largest == 0 ? a.blocks : (std::int64_t{1} << 22) / (largest * per_block);
        a.blocks = std::max<std::int64_t>(std::min(a.blocks, std::max(fits, static_cast<std::int64_t>(Platform::processors()))), a.blocks > 0 ? 1 : 0);
    }

    static constexpr std::size_t most_reduced = [] {
        int most = 1;
        ((most = parts<Phases>::reduced > most ? parts<Phases>::reduced : most), ...);
        return static_cast<std::size_t>(most);
    }();
    // Chunks of a row all run its first block: it must not write.
    static constexpr bool row_effects_before = facts_of_blocks<Row>().stores || facts_of_blocks<Row>().sums;
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
