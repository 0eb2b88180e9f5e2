// SPDX-License-Identifier: MIT
// The inner axes of a phase, run of memory after run: one code for all kernels, which calls what is compiled for each.
#ifndef CROTON_DEVICE_CPU_LINES_HPP
#define CROTON_DEVICE_CPU_LINES_HPP

#include <croton/device/cpu/numbers.hpp>
#include <croton/device/cpu/tile.hpp>

#include <algorithm>

namespace croton::inline v0_1::detail::cpu_device {

/// Rows whose column sums stay in registers before they are added to memory.
inline constexpr std::int64_t rows_per_panel = 128;

/// The inner axes of one run of a kernel.
struct line_axes {
    int rank;
    const std::int64_t (*stride)[max_rank];  // by slot
    bool unit;
    const bool* sweep_sum;
};

/// What the functions of a phase are given.
struct line_context {
    const void *around, *setup;
    void* state;
    const number_port& numbers;
};

/// Where the slots stand while lines run.
struct line_room {
    std::byte **p, **packed;
    std::int64_t *innermost, *rows, *down;
};

/// What is known of the phase of a kernel, and what is compiled for it.
struct line_facts {
    /// `lines` runs of `count` elements, each `stride` bytes behind the one before; `line` is the index of the first element.
    using run_function = void (*)(std::byte* const* p, const std::int64_t* stride, std::int64_t lines, std::int64_t line, std::int64_t count, const void* around,
                                  void* state);
    using settle_function = void (*)(const void* setup, std::byte* const* p, void* state, const number_port& numbers);
    using packed_function = void (*)(const line_facts& f, const line_room& room, const tile_shape& shape, std::int64_t rows, std::int64_t* row_index, std::int64_t line,
                                     std::int64_t count, const line_context& at);
    using copy_function = void (*)(const grid& to, const grid& from, std::int64_t rows, std::int64_t count, int bytes);

    int slots, outer;                  // slots of the kernel, and its outer axes
    const std::uint8_t *uses, *bytes;  // by slot, of this phase
    const std::uint8_t* stream_bytes;  // by slot, of all phases: the bytes of what runs along the innermost axis
    bool index_used;                   // indices along inner axes are values
    bool packs_rows;                   // runs that are packed are packed together: nothing happens between them
    bool has_blocks, has_panels;       // runs that nothing happens between are done several at a time
    run_function chunk, panel;
    settle_function settle;            // what happens between runs, or null
    packed_function packed;            // `run_in_tiles` with a tile for each slot that runs along the innermost axis
    copy_function copy;                // for their element widths
};

/// `rows` runs, `apart` bytes behind each other, in which some slot has another stride than 1: such slots are packed, tile by tile.
/// `row_index` is the index of the run where it is a value.
template <class Arch>
[[gnu::noinline]] void run_packed(const line_facts& f, const line_room& room, std::byte (*tiles)[tile_bytes], const tile_shape& shape, std::int64_t rows,
                                  std::int64_t* row_index, std::int64_t line, std::int64_t count, const line_context& at) {
    std::byte* const *const p = room.p, **const q = room.packed;
    const std::int64_t *const stride = room.innermost, *const apart = room.rows;
    std::int64_t* const down = room.down;
    shape.each(rows, count, [&](std::int64_t r, std::int64_t height, std::int64_t t, std::int64_t n) {
        for (int s = 0, tile = 0; s < f.slots; ++s) {
            const int uses = f.uses[s], bytes = f.bytes[s];
            if (uses == 0) continue;
            const bool moves = (uses & (role_stream | role_gather)) != 0;
            const grid seen{p[s] + r * apart[s] + (moves ? t * stride[s] : 0), stride[s], apart[s]};
            q[s] = seen.data;
            down[s] = apart[s];
            if ((uses & role_stream) == 0) continue;
            if (stride[s] != bytes) {
                const grid packed{tiles[tile], bytes, shape.columns * bytes};
                q[s] = packed.data;
                down[s] = packed.apart;
                // A broadcast number fills its tile once.
                if ((uses & (role_load | role_accumulate)) != 0 && (stride[s] != 0 || t == 0 || shape.down))
                    f.copy(packed, seen, height, n, bytes);
            }
            ++tile;
        }
        if (row_index == nullptr) {
            f.chunk(q, down, height, line + t, n, at.around, at.state);
        } else {
            const std::int64_t first = *row_index;
            for (std::int64_t i = 0; i < height; ++i) {
                *row_index = first + r + i;
                f.chunk(q, nullptr, 1, line + t, n, at.around, at.state);
                for (int s = 0; s < f.slots; ++s)
                    if (f.uses[s] != 0) q[s] += down[s];
            }
            *row_index = first;
        }
        for (int s = 0, tile = 0; s < f.slots; ++s) {
            const int uses = f.uses[s], bytes = f.bytes[s];
            if ((uses & role_stream) == 0) continue;
            if (stride[s] != bytes && (uses & (role_store | role_accumulate)) != 0)
                f.copy(grid{p[s], stride[s], apart[s]}.from(r, t), {tiles[tile], bytes, shape.columns * bytes}, height, n, bytes);
            ++tile;
        }
    });
}

/// The same with so many tiles of its own.
template <class Arch, int Tiles>
void run_in_tiles(const line_facts& f, const line_room& room, const tile_shape& shape, std::int64_t rows, std::int64_t* row_index, std::int64_t line,
                                    std::int64_t count, const line_context& at) {
    alignas(64) std::byte tiles[bound<Tiles>][tile_bytes];
    run_packed<Arch>(f, room, tiles, shape, rows, row_index, line, count, at);
}

/// The part lo .. hi of the inner axes for one outer index.
template <class Arch>
[[gnu::noinline]] void run_lines(const line_facts& f, const line_room& room, const line_axes& axes, std::byte* const* base, const std::int64_t* lo, const std::int64_t* hi,
                                 std::int64_t* index, const line_context& context) {
    const int last = axes.rank - 1, slots = f.slots;
    const std::int64_t count = hi[last] - lo[last];
    std::byte** const p = room.p;
    std::int64_t* const rows = room.rows;
    for (int k = 0; k < slots; ++k) p[k] = base[k];
    std::int64_t at[max_rank];
    for (int a = 0; a <= last; ++a) {
        at[a] = lo[a];
        if (lo[a] >= hi[a]) return;
        if (f.index_used && a < last) index[f.outer + a] = lo[a];
        if (lo[a] != 0)
            for (int k = 0; k < slots; ++k) p[k] += lo[a] * axes.stride[k][a];
    }
    bool blocks = false;
    tiling tiles{-1, {1, tile_bytes / 8}};
    std::int64_t packed_rows = 1;
    if (!axes.unit) {
        for (int k = 0; k < slots; ++k) room.innermost[k] = axes.stride[k][last];
        if (f.packs_rows && last > 0) {
            tiles = tiling_of<Arch>(slots, axes.rank, axes.stride, lo, hi, f.stream_bytes);
            packed_rows = hi[tiles.axis] - lo[tiles.axis];
            for (int k = 0; k < slots; ++k) rows[k] = axes.stride[k][tiles.axis];
        } else {
            for (int k = 0; k < slots; ++k) rows[k] = 0;
        }
    }
    if (f.has_blocks && axes.unit && last > 0) {
        blocks = true;
        for (int k = 0; k < slots; ++k) rows[k] = axes.stride[k][last - 1];
        for (int k = 0; f.has_panels && k < slots; ++k) {
            if ((f.uses[k] & role_accumulate) != 0 && rows[k] != 0) blocks = false;
            if ((f.uses[k] & role_inner) != 0 && !axes.sweep_sum[k]) blocks = false;
        }
    }
    for (;;) {
        if (blocks) {
            const std::int64_t left = hi[last - 1] - at[last - 1], n = f.has_panels ? std::min(left, rows_per_panel) : left;
            (f.has_panels ? f.panel : f.chunk)(p, rows, n, lo[last], count, context.around, context.state);
            at[last - 1] += n - 1;
            for (int k = 0; k < slots; ++k) p[k] += rows[k] * (n - 1);
        } else if (axes.unit) {
            f.chunk(p, nullptr, 1, lo[last], count, context.around, context.state);
        } else {
            std::int64_t* const row_index = f.index_used && tiles.axis >= 0 ? index + f.outer + tiles.axis : nullptr;
            f.packed(f, room, tiles.shape, packed_rows, row_index, lo[last], count, context);
        }
        if (f.settle != nullptr) f.settle(context.setup, p, context.state, context.numbers);
        int a = last - 1;
        for (; a >= 0; --a) {
            if (a == tiles.axis) continue;
            ++at[a];
            if (f.index_used) index[f.outer + a] = at[a];
            if (at[a] < hi[a]) {
                for (int k = 0; k < slots; ++k) p[k] += axes.stride[k][a];
                break;
            }
            for (int k = 0; k < slots; ++k) p[k] -= axes.stride[k][a] * (hi[a] - lo[a] - 1);
            at[a] = lo[a];
            if (f.index_used) index[f.outer + a] = lo[a];
        }
        if (a < 0) return;
    }
}

/// At least so many, of few numbers, so that kernels share code.
constexpr int rounded_tiles(int streams) {
    int tiles = 8;
    while (tiles < streams) tiles *= 2;
    return tiles;
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
