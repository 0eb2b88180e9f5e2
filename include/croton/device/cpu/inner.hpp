// SPDX-License-Identifier: MIT
// The way through the inner axes of one outer index, run by run: compiled once for the loops of all kernels, which it knows as code and tables.
#ifndef CROTON_DEVICE_CPU_INNER_HPP
#define CROTON_DEVICE_CPU_INNER_HPP

#include <croton/device/cpu/numbers.hpp>
#include <croton/device/cpu/running.hpp>
#include <croton/device/cpu/streaming.hpp>
#include <croton/device/cpu/tile.hpp>
#include <croton/device/cpu/tiled_columns.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace croton::inline v0_1::detail::cpu_device {

/// The loops of a phase on `lines` runs of `count` elements of unit stride, each `stride` bytes behind the one before. The number `line` is the
/// index of the first element along its axis. `outside` and `sums` are what these loops know and add to: of types of their own.
using run_code = void (*)(std::byte* const* p, const std::int64_t* stride, std::int64_t lines, std::int64_t line, std::int64_t count, const void* outside, void* sums);

struct packed_runs;
struct inner_axes;

/// What the way through the inner axes must know of a phase.
struct phase_code {
    int slots;
    const std::uint8_t* uses;          // by slot: what the element block does with it,
    const std::uint8_t* bytes;         // of how many bytes;
    const std::uint8_t* stream_bytes;  // of those that element blocks of any phase run along
    run_code runs;
    run_code blocks;  // several runs at once where nothing happens between them, or null
    std::int64_t most_lines;  // of such
    void (*packed)(const packed_runs&);
    /// The last three axes as of turned_axes.hpp, or null; without `p` no more than whether that is the way.
    bool (*turned)(const inner_axes&, std::byte* const* p, const std::int64_t* lo, const std::int64_t* hi);
    void (*settle)(const void* setup, std::byte* const* p, void* sums, const number_port& numbers);  // after each run, or null
    int first_index;  // where the indices of the inner axes are kept; -1 where none is a value
    int numbered;     // so many inner axes have such
    bool panels;      // `blocks` keep column sums in registers
    bool (*are_few)(std::int64_t count);  // whether so many columns are few for them, or null
    bool has_sums;    // into memory, along rows or columns
    const copied_slots* copied;  // where slots are copied, and nothing else is done, or null
};

/// Fewer short rows are run one by one.
inline constexpr std::int64_t least_short = 8;
/// The bytes of a run that is packed where a sum comes of it.
inline constexpr std::int64_t most_in_sums = 256;

/// The inner axes of one outer index.
struct inner_axes {
    const phase_code* code;
    const void* setup;
    int rank;
    const std::int64_t (*stride)[max_rank];
    bool unit;
    bool streams;  // whether what is only stored goes past the caches
    const bool* sweep_sum;
    std::int64_t* index;
    const void* outside;
    void* sums;
    const number_port* numbers;
};

/// `rows` runs, `apart` bytes behind each other, in which some slot has another stride than 1, or is stored past the caches.
struct packed_runs {
    const inner_axes* of;
    std::byte* const* p;
    const std::int64_t *stride, *apart;
    const tile_shape* shape;
    std::int64_t rows;
    std::int64_t* row_index;  // the index of the run where it is a value
    std::int64_t line, count;
    bool are_short;  // packed where there are gaps between them, too
    bool are_one;    // whether runs without gaps may be one: nothing happens between them
    std::int64_t blocks;  // so many rows at once go through `blocks`, or none

    bool is_streamed(int slot) const { return of->streams && (of->code->uses[slot] & role_stream) == role_store; }
};

/// The slots of such runs that are columns of the same rows.
struct column_sets {
    static constexpr int most = 4;
    int loads = 0, stores = 0;
    tiled_columns load[most], store[most];
    std::uint64_t among = 0;  // the slots of all of them

    bool has(int slot) const { return slot < 64 && (among >> slot & 1u) != 0; }
    void find(const packed_runs& r) {
        loads = find(r, role_load, load);
        stores = find(r, role_store, store);
    }

private:
    int find(const packed_runs& r, int role, tiled_columns* sets) {
        const phase_code& code = *r.of->code;
        const auto may = [&](int s) {
            return s < 64 && !has(s) && (code.uses[s] & (role_stream | role_gather)) == role && r.stride[s] > code.bytes[s] && !r.is_streamed(s);
        };
        int count = 0;
        for (int first = 0; first < code.slots && count < most; ++first) {
            if (!may(first)) continue;
            tiled_columns& set = sets[count];
            set.find(first, code.slots, r.p, r.stride, code.bytes[first], [&](int s) { return may(s) && code.bytes[s] == code.bytes[first] && r.apart[s] == r.apart[first]; });
            if (set.count == 0 || (role == role_store && !set.is_whole())) continue;
            for (int c = 0; c < set.count; ++c)
                if (set.slot[c] >= 0) among |= std::uint64_t{1} << set.slot[c];
            ++count;
        }
        return count;
    }
};

/// Packs such slots, tile by tile. `widths` are the bytes of their elements; `tiles`, `q` and `down` are room for a tile each, and for each slot.
template <class Arch, unsigned Widths>
[[gnu::noinline]] void run_packed(const packed_runs& r, std::byte (*tiles)[tile_bytes], std::byte** q, std::int64_t* down) {
    const inner_axes& of = *r.of;
    const phase_code& code = *of.code;
    const tile_shape& shape = *r.shape;
    const auto packs = [&](int s) { return r.stride[s] != code.bytes[s] || r.is_streamed(s) || (r.are_short && r.apart[s] != r.count * code.bytes[s]); };
    // Rows without gaps are one, where nothing else is there for each of them.
    bool gapless = r.are_one && r.row_index == nullptr && r.count <= shape.columns;
    for (int s = 0; s < code.slots && gapless; ++s) {
        const int uses = code.uses[s];
        if (uses != 0 && ((uses & role_stream) == 0 || !packs(s))) gapless = r.apart[s] == ((uses & role_stream) != 0 ? r.count * code.bytes[s] : 0) && (uses & role_gather) == 0;
    }
    const std::int64_t columns = gapless ? r.count : shape.columns;
    column_sets sets;
    // Of few elements it is sooner done than found.
    if (shape.rows == 1 && r.count >= 32) sets.find(r);
    const auto tile_of = [&](int slot) {
        int tile = 0;
        for (int s = 0; s < slot; ++s) tile += code.uses[s] != 0 && (code.uses[s] & role_stream) != 0 ? 1 : 0;
        return tiles[tile];
    };
    // Columns that lie in the rows of a set, from or to the tiles of their slots: says whether they are.
    const auto copies = [&]<bool Apart>(const tiled_columns& set, std::int64_t row, std::int64_t t, std::int64_t n) {
        const int last = set.slot[set.count - 1];
        return set.template copy<Apart, Arch>(r.p[last] + row * r.apart[last] + t * r.stride[last] - (set.count - 1) * set.bytes, n, tile_of);
    };
    shape.each(r.rows, r.count, [&](std::int64_t row, std::int64_t height, std::int64_t t, std::int64_t n) {
        bool in_sets = true;
        for (int k = 0; k < sets.loads; ++k) in_sets = copies.template operator()<true>(sets.load[k], row, t, n) && in_sets;
        for (int s = 0, tile = 0; s < code.slots; ++s) {
            const int uses = code.uses[s], bytes = code.bytes[s];
            if (uses == 0) continue;
            const bool moves = (uses & (role_stream | role_gather)) != 0;
            const grid seen{r.p[s] + row * r.apart[s] + (moves ? t * r.stride[s] : 0), r.stride[s], r.apart[s]};
            q[s] = seen.data;
            down[s] = r.apart[s];
            if ((uses & role_stream) == 0) continue;
            if (packs(s)) {
                const grid packed{tiles[tile], bytes, columns * bytes};
                q[s] = packed.data;
                down[s] = packed.apart;
                // A broadcast number fills its tile once.
                if ((uses & (role_load | role_accumulate)) != 0 && !(in_sets && sets.has(s)) && (r.stride[s] != 0 || t == 0 || shape.down)) {
                    if (height == 1) fetch_next(seen, n, r.count - t);
                    copy_rows<Arch, Widths>(packed, seen, height, n, bytes);
                }
            }
            ++tile;
        }
        if (gapless) {
            code.runs(q, down, 1, r.line, height * n, of.outside, of.sums);
        } else if (r.blocks > 0) {
            for (std::int64_t i = 0; i < height; i += r.blocks) {
                code.blocks(q, down, std::min(r.blocks, height - i), r.line + t, n, of.outside, of.sums);
                for (int s = 0; s < code.slots; ++s)
                    if (code.uses[s] != 0) q[s] += down[s] * r.blocks;
            }
        } else if (r.row_index == nullptr) {
            code.runs(q, down, height, r.line + t, n, of.outside, of.sums);
        } else {
            const std::int64_t first = *r.row_index;
            for (std::int64_t i = 0; i < height; ++i) {
                *r.row_index = first + row + i;
                code.runs(q, down, 1, r.line + t, n, of.outside, of.sums);
                for (int s = 0; s < code.slots; ++s)
                    if (code.uses[s] != 0) q[s] += down[s];
            }
            *r.row_index = first;
        }
        in_sets = true;
        for (int k = 0; k < sets.stores; ++k) in_sets = copies.template operator()<false>(sets.store[k], row, t, n) && in_sets;
        for (int s = 0, tile = 0; s < code.slots; ++s) {
            const int uses = code.uses[s], bytes = code.bytes[s];
            if ((uses & role_stream) == 0) continue;
            if (in_sets && sets.has(s) && (uses & role_store) != 0) {
                ++tile;
                continue;
            }
            if (r.is_streamed(s)) copy_streaming<Arch>(r.p[s] + t * bytes, tiles[tile], n * bytes);
            else if (packs(s) && (uses & (role_store | role_accumulate)) != 0)
                copy_rows<Arch, Widths>(grid{r.p[s], r.stride[s], r.apart[s]}.from(row, t), {tiles[tile], bytes, columns * bytes}, height, n, bytes);
            ++tile;
        }
    });
}
/// The bytes of the elements that a block of `Slots` slots runs along.
template <int Slots, const auto& Used> inline constexpr unsigned widths_of_streams = [] {
    unsigned bits = 0;
    for (int s = 0; s < Slots; ++s)
        if ((Used.uses[s] & role_stream) != 0) bits |= static_cast<unsigned>(Used.bytes[s]);
    return bits;
}();
/// Room for its tiles, for a block of `Slots` slots of which `Used` says how it uses each.
template <class Arch, int Slots, const auto& Used> [[gnu::noinline]] void run_in_tiles(const packed_runs& r) {
    constexpr int streams = Used.count(role_stream);
    alignas(64) std::byte tiles[bound<streams == 0 ? 1 : streams>][tile_bytes];
    std::byte* q[bound<Slots>];
    std::int64_t down[bound<Slots>];
    run_packed<Arch, widths_of_streams<Slots, Used>>(r, tiles, q, down);
}

/// One of `parts` parts of the inner axes, which are split along `axis`.
template <class Arch> void cut(int rank, const std::int64_t* extent, int axis, int part, int parts, std::int64_t* lo, std::int64_t* hi) {
    for (int a = 0; a < rank; ++a) hi[a] = extent[a];
    // Whole cache lines, so that no two threads write to one.
    const std::int64_t grain = axis == rank - 1 ? 64 : 1, blocks = (extent[axis] + grain - 1) / grain;
    lo[axis] = std::min(extent[axis], blocks * part / parts * grain);
    hi[axis] = std::min(extent[axis], blocks * (part + 1) / parts * grain);
}

/// The part lo .. hi of the inner axes from `base` on. `p`, `innermost` and `rows` are room for each slot.
template <class Arch>
[[gnu::noinline]] void run_axes(const inner_axes& of, std::byte* const* base, const std::int64_t* lo, const std::int64_t* hi, std::byte** p, std::int64_t* innermost,
                                std::int64_t* rows) {
    const phase_code& code = *of.code;
    const int last = of.rank - 1, slots = code.slots;
    const std::int64_t count = hi[last] - lo[last];
    if (count <= 0) return;
    for (int k = 0; k < slots; ++k) {
        p[k] = base[k];
        innermost[k] = of.stride[k][last];
        for (int a = 0; a <= last; ++a) p[k] += lo[a] * of.stride[k][a];
    }
    std::int64_t* const index = code.first_index >= 0 ? of.index + code.first_index : nullptr;
    const auto is_numbered = [&](int axis) { return axis >= 0 && axis < code.numbered; };
    std::int64_t at[max_rank];
    for (int a = 0; a < last; ++a) {
        at[a] = lo[a];
        if (lo[a] >= hi[a]) return;
        if (index) index[a] = lo[a];
    }
    // What is summed along a run goes to memory behind it, unless it is a sum of all of them.
    bool sums_end = false, sums_down = false;
    for (int k = 0; code.has_sums && k < slots; ++k) {
        sums_end |= (code.uses[k] & kernel::role_inner) != 0 && !of.sweep_sum[k];
        sums_down |= (code.uses[k] & role_accumulate) != 0;
    }
    bool blocks = of.unit && last > 0 && code.blocks && !of.streams && !sums_end;
    const std::int64_t most_lines = code.are_few && code.are_few(count) ? rows_in_groups : code.most_lines;
    std::int64_t packed_blocks = 0;
    tiling tiles{-1, {1, longest_run}};
    std::int64_t packed_rows = 1;
    if (!of.unit) {
        bool together = !sums_end && last > 0;
        if (together) {
            tiles = tiling_of<Arch>(slots, of.rank, of.stride, lo, hi, code.stream_bytes);
            packed_rows = hi[tiles.axis] - lo[tiles.axis];
        }
        // Sums down columns that lie side by side stay in registers from row to row of a tile.
        if (sums_down && together) {
            together = code.panels && !is_numbered(tiles.axis);
            for (int k = 0; k < slots && together; ++k)
                if ((code.uses[k] & role_accumulate) != 0) together = of.stride[k][tiles.axis] == 0 && of.stride[k][last] == code.bytes[k];
            if (together) packed_blocks = most_lines;
            else tiles = {-1, {1, longest_run}}, packed_rows = 1;
        }
        for (int k = 0; k < slots; ++k) rows[k] = together ? of.stride[k][tiles.axis] : 0;
    } else if (of.streams) {
        for (int k = 0; k < slots; ++k) rows[k] = 0;
    }
    bool are_short = of.unit && !of.streams && !sums_end && !sums_down && last > 0 && !is_numbered(last - 1) && hi[last - 1] - lo[last - 1] >= least_short;
    // A run that ends in a sum takes longer than to be packed.
    const std::int64_t longest_short = code.has_sums ? most_in_sums : most_in_pieces;
    int largest = 1;
    for (int k = 0; k < slots && are_short; ++k) {
        if (code.uses[k] == 0) continue;
        largest = std::max(largest, static_cast<int>(code.stream_bytes[k]));
        are_short = count * code.stream_bytes[k] <= longest_short && (code.stream_bytes[k] != 0 || of.stride[k][last - 1] == 0);
    }
    // What a mask reads and writes at once is packed only where it is next to nothing.
    are_short = are_short && (largest < 4 || count <= 4 || code.has_sums);
    if (are_short) {
        tiles = {last - 1, {turned_bytes / (largest * count), count}};
        packed_rows = hi[last - 1] - lo[last - 1];
        blocks = false;
        for (int k = 0; k < slots; ++k) rows[k] = of.stride[k][last - 1];
    }
    for (int k = 0; blocks && k < slots; ++k) {
        rows[k] = of.stride[k][last - 1];
        if (!code.panels) continue;
        if ((code.uses[k] & role_accumulate) != 0 && rows[k] != 0) blocks = false;
    }
    const bool turned = last > 1 && code.turned && code.turned(of, nullptr, lo, hi);
    for (;;) {
        if (turned) {
            code.turned(of, p, lo, hi);
        } else if (blocks) {
            const std::int64_t n = std::min(hi[last - 1] - at[last - 1], most_lines);
            code.blocks(p, rows, n, lo[last], count, of.outside, of.sums);
            at[last - 1] += n - 1;
            for (int k = 0; k < slots; ++k) p[k] += rows[k] * (n - 1);
        } else if (of.unit && !of.streams && !are_short) {
            code.runs(p, innermost, 1, lo[last], count, of.outside, of.sums);
        } else {
            code.packed({&of, p, innermost, rows, &tiles.shape, packed_rows, is_numbered(tiles.axis) ? index + tiles.axis : nullptr, lo[last], count, are_short, !sums_end && !sums_down, packed_blocks});
        }
        if (code.settle) code.settle(of.setup, p, of.sums, *of.numbers);
        int a = last - 1;
        for (; a >= 0; --a) {
            if (turned ? a > last - 3 : a == tiles.axis) continue;
            ++at[a];
            if (index) index[a] = at[a];
            if (at[a] < hi[a]) {
                for (int k = 0; k < slots; ++k) p[k] += of.stride[k][a];
                break;
            }
            for (int k = 0; k < slots; ++k) p[k] -= of.stride[k][a] * (hi[a] - lo[a] - 1);
            at[a] = lo[a];
            if (index) index[a] = lo[a];
        }
        if (a < 0) return;
    }
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
