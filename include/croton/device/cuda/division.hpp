// SPDX-License-Identifier: MIT
// Who does what: into which units the loops of a kernel are cut, which threads share one, and how many blocks there are.
#ifndef CROTON_DEVICE_CUDA_DIVISION_HPP
#define CROTON_DEVICE_CUDA_DIVISION_HPP

#include <croton/device/cuda/body.hpp>

#include <algorithm>
#include <cstdint>

namespace croton::inline v0_1::detail::cuda_device {

struct arrangement {
    bool launches_per_phase;  // few long rows are cut into chunks; then each phase that reduces is a launch of its own
    bool by_columns;
    std::int64_t units;
};

/// The division of the work of `Kernel` on `Platform`. What it looks at are sizes and the machine: the same call is always divided in the same way.
template <class Platform, class Kernel> struct division;
template <class Platform, int O, int J, class U, class Row, class... Phases>
struct division<Platform, kernel::kernel<O, J, U, Row, Phases...>> {
    using type = kernel::kernel<O, J, U, Row, Phases...>;
    using fp = footprint<type>;
    using args = typename body<type, 1>::args;
    static constexpr int I = fp::inner_rank;
    static constexpr std::int64_t threads = Platform::threads;

    /// One sweep over loops whose sums are over everything or over all axes but the innermost.
    static constexpr bool may_stay_with_columns =
        O == 0 && J > 1 && sizeof...(Phases) == 1 && !fp::ends_rows && fp::elements.sums && kernel::size_of_block<Row> == 0 && fp::sum_count <= 4;

    /// Pieces of a chunk where nothing meets: all blocks that run at once have some, each thread one or more, and none so many that one block ends
    /// long after the others.
    static std::int64_t length_of_chunk(std::int64_t pieces, std::int64_t resident) {
        return std::clamp((pieces + resident - 1) / resident, threads, 4 * threads);
    }

    /// Divides the loops of `a`, which have been laid out. `resident`: blocks that run at once; `length`: of chunks, or 0: what suits this one.
    template <int Width> static arrangement arrange(args& a, std::int64_t resident, std::int64_t length = 0) {
        const std::int64_t processors = Platform::processors();
        const std::int64_t along = a.inner.at[I - 1].extent, items = a.inner.size();
        std::int64_t runs = 1;
        for (int x = 0; x < I - 1; ++x) runs *= a.inner.at[x].extent;
        a.pieces = a.by_runs ? runs : items;
        a.chunks = 1;
        a.length = a.pieces;
        a.phase = -1;
        a.group = group_of<Width>(a, a.by_runs ? along : items);

        const bool cuttable = fp::ends_rows ? !fp::rows.sums || O == 0 : sizeof...(Phases) == 1;
        bool launches_per_phase = false;
        if (cuttable && a.rows > 0 && a.rows < 4 * processors && !row_effects_before) {
            constexpr bool meets = fp::ends_rows || fp::sum_count > 0;
            const std::int64_t unit = a.by_runs ? std::max<std::int64_t>(1, 4 * a.group / std::max<std::int64_t>(along, 1))
                                      : meets   ? (fp::ends_rows ? 2 : 1) * threads
                                      : length > 0 ? length : length_of_chunk(a.pieces * a.rows, resident);
            // What meets costs a number for each chunk.
            const std::int64_t most = meets ? std::max<std::int64_t>(1, std::min(4 * processors, resident) / a.rows) : std::int64_t{1} << 30;
            const std::int64_t wanted = std::min((a.pieces + unit - 1) / unit, most);
            if (wanted > 1) {
                a.length = (a.pieces + wanted - 1) / wanted;
                a.chunks = (a.pieces + a.length - 1) / a.length;
                if (fp::ends_rows || !a.by_runs) a.group = threads;
                launches_per_phase = fp::ends_rows;
            }
        }

        bool by_columns = false;
        if constexpr (may_stay_with_columns) by_columns = stay_with_columns<Width>(a, runs, along);

        const bool meets_in_launches = launches_per_phase && a.chunks > 1;
        if constexpr (shares_copies<type>)
            if (!meets_in_launches) share_copies(a, a.by_runs ? along : items);
        const std::int64_t per_block = by_columns ? 1 : threads / a.group;
        const std::int64_t units = by_columns ? a.tiles * a.chunks : a.rows * a.chunks;
        a.blocks = (units + per_block - 1) / per_block;
        // Chunks that meet must all be there; others are taken one after the other.
        if (!meets_in_launches) a.blocks = std::min(a.blocks, resident);
        if constexpr (fp::sum_count > 0)
            if (!by_columns && !meets_in_launches) limit_copies(a, a.in_block ? 1 : per_block);
        a.copies = units == 0 ? 0 : a.blocks * (a.in_block ? 1 : per_block);
        return {launches_per_phase, by_columns, units};
    }

    /// Whether the threads of a group hold a row, as it has been divided.
    template <int Width> static bool holds_rows(const args& a) {
        return held_row<type, Width>::possible && a.chunks == 1 && !a.by_runs && a.tail == 0 && a.pieces <= std::int64_t{held_row<type, Width>::most} * a.group;
    }

private:
    // Chunks of a row all run its first block: it must not write.
    static constexpr bool row_effects_before = facts_of_blocks<Row>().stores || facts_of_blocks<Row>().sums;

    /// How many threads share a unit, of whose pieces or runs they have `shared` to share at a time.
    template <int Width> static int group_of(const args& a, std::int64_t shared) {
        if (O == 0 && !a.by_runs) return shared > warp_size ? threads : warp_size;
        bool copies = false;  // of sums, one for each group
        for (int k = 0; k < fp::sum_count; ++k) copies = copies || (a.sum[k].kind != sum_kind::total && !a.sum[k].exclusive);
        if (O > 0 && !copies && !a.by_runs) {
            // Four pieces for a thread, or fewer where threads have nothing to do.
            std::int64_t lanes = 1;
            while (lanes < warp_size && 4 * lanes < shared) lanes *= 2;
            while (lanes < warp_size && lanes < shared && a.rows * lanes < 2 * Platform::processors() * threads) lanes *= 2;
            if (lanes < warp_size) return static_cast<int>(lanes);
        }
        // A warp holds a row where there are rows for all warps; where it cannot, a block may.
        if constexpr (held_row<type, Width>::possible)
            if (!a.by_runs && a.rows >= 8 * Platform::processors()) return shared <= held_row<type, Width>::most * warp_size ? warp_size : threads;
        return shared > 4 * warp_size && (a.rows < 8 * Platform::processors() || shared >= 4 * threads) ? threads : warp_size;
    }

    /// Whether threads can keep the sums of their columns; if so, says which columns and rows each block takes.
    template <int Width> static bool stay_with_columns(args& a, std::int64_t runs, std::int64_t along) {
        bool columns = false;
        for (int k = 0; k < fp::sum_count; ++k) {
            if (a.sum[k].kind == sum_kind::line) return false;
            if (a.sum[k].kind == sum_kind::total) continue;
            for (int x = 0; x < O + I - 1; ++x)
                if (a.sum[k].stride[x] != 0) return false;
            columns = true;
        }
        if (!columns || runs < 2 || along == 0) return false;
        // Side by side what one access to memory brings, 128 bytes; the other threads take rows.
        constexpr int bytes = Width * std::max(fp::elements.smallest, 1);
        a.span = 1;
        while (a.span < along && a.span < warp_size && a.span * bytes < 128) a.span *= 2;
        a.tiles = (along + a.span - 1) / a.span;
        a.group = static_cast<int>(threads);
        for (int k = 0; k < fp::sum_count; ++k) a.sum[k].exclusive = a.sum[k].kind == sum_kind::column;
        // Two blocks for each processor, if every thread has some rows then.
        const std::int64_t rows = threads / a.span, wanted = (2 * Platform::processors() + a.tiles - 1) / a.tiles;
        const std::int64_t chunks = std::max<std::int64_t>(1, std::min(wanted, runs / (8 * rows)));
        a.length = (runs + chunks - 1) / chunks;
        a.chunks = (runs + a.length - 1) / a.length;
        return true;
    }

    /// Lets the groups of a block have their copies of sums in the memory that they share, if there is room. A block that has one copy needs less
    /// than one of warps that have each theirs; it is taken where a row has something for all of its threads.
    static void share_copies(args& a, std::int64_t shared) {
        const auto fits = [&](std::int64_t groups) {
            std::int64_t bytes = 0;
            for (int k = 0; k < fp::sum_count; ++k) {
                if (a.sum[k].kind == sum_kind::total || a.sum[k].exclusive) continue;
                a.sum[k].offset = bytes;
                if (a.sum[k].count > static_cast<std::int64_t>(copies_bytes)) return false;
                bytes += (groups * a.sum[k].count * 8 + 15) / 16 * 16;
            }
            return bytes > 0 && bytes <= static_cast<std::int64_t>(copies_bytes);
        };
        a.in_block = fits(threads / a.group);
        if (!a.in_block && shared >= threads / 2 && fits(1)) {
            a.in_block = true;
            a.group = static_cast<int>(threads);
        }
    }

    // The copies of sums stay below 32 MB, or one per processor.
    static void limit_copies(args& a, std::int64_t per_block) {
        std::int64_t largest = 0;
        for (int k = 0; k < fp::sum_count; ++k)
            if (a.sum[k].kind != sum_kind::total && !a.sum[k].exclusive) largest = std::max(largest, a.sum[k].count);
        a.blocks = std::min(a.blocks, std::int64_t{4} * Platform::processors());
        const std::int64_t fits = largest == 0 ? a.blocks : (std::int64_t{1} << 22) / (largest * per_block);
        a.blocks = std::max<std::int64_t>(std::min(a.blocks, std::max(fits, static_cast<std::int64_t>(Platform::processors()))), a.blocks > 0 ? 1 : 0);
    }
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
