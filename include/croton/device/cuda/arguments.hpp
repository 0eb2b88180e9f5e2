// SPDX-License-Identifier: MIT
// What a kernel is launched with: one plain struct of pointers, strides, numbers and loop bounds.
#ifndef CROTON_DEVICE_CUDA_ARGUMENTS_HPP
#define CROTON_DEVICE_CUDA_ARGUMENTS_HPP

#include <croton/device/cuda/footprint.hpp>
#include <croton/device/cuda/map.hpp>
#include <croton/kernel/argument.hpp>

#include <cstddef>
#include <cstdint>

namespace croton::inline v0_1::detail::cuda_device {

/// How a slot that is summed into varies along the loops.
enum class sum_kind : std::uint8_t {
    total,   // nowhere: partial results stay with a thread until the end
    line,    // not along the innermost axis: a group combines its threads after each run
    column,  // along the innermost axis: a thread adds to its own elements in the copy of its group
};

/// Where the partial results of a sum lie: one copy of `count` elements per group (total, and where groups have theirs in the memory of their
/// block: one per block).
template <int Rank> struct sum_place {
    std::byte* partial;
    std::int64_t offset;               // of the copies of a block in its memory
    std::int64_t count;
    std::int64_t stride[bound<Rank>];  // of a copy, per loop axis
    sum_kind kind;
    bool exclusive;  // each run ends in an element of its own, which its group writes at once
};

/// Where the threads of a group find their copies of sums.
struct group_copies {
    std::byte* of_block;  // the memory that the block shares, or null: in that of the device
    std::int64_t group;   // the number of the group, in its block or among all

    template <class W, int Rank> CROTON_HD W* at(const sum_place<Rank>& place) const {
        return reinterpret_cast<W*>(of_block != nullptr ? of_block + place.offset : place.partial) + group * place.count;
    }
};

/// The axes that indices displace slots along; nothing where a kernel has no such slots.
template <int Slots> struct displacements {
    kernel::index_axis along[Slots];
};
template <> struct displacements<0> {};

/// The argument of every kernel. Loop axes: `Outer` outer ones, then the inner ones; strides in elements.
///
/// A unit of work is one of `chunks` parts of the inner loops of one of `rows` outer indices; a group, one thread, a
/// warp or a block, takes one unit after the other.
template <int Outer, int Inner, int Slots, int Scalars, int Sums, int Gathered> struct arguments : displacements<Gathered> {
    std::byte* data[bound<Slots>];
    std::int64_t stride[bound<Slots>][bound<Outer + Inner>];
    std::int64_t scalar[bound<Scalars>];
    sum_place<Outer + Inner> sum[bound<Sums>];
    axes<Outer> outer;
    axes<Inner> inner;           // the innermost extent counts pieces of several elements where the kernel takes such
    std::int64_t rows;
    std::int64_t chunks;
    std::int64_t length;         // of a chunk: pieces, or runs where `by_runs`
    std::int64_t pieces;         // in the inner loops of a row, or runs where `by_runs`
    std::int64_t tail;           // elements after the last piece of the only row
    std::int64_t blocks;
    std::int64_t copies;         // of sums that are not totals: 0 where the loops are empty
    std::uint64_t fixed;         // bit per slot that does not vary along the innermost axis
    std::int64_t tiles;          // of columns, where threads stay with theirs
    std::int64_t broad, tall;    // elements of the innermost axis and of the one before it, where squares are turned
    std::uint64_t across;        // bit per slot that lies along the second in memory
    int span;                    // threads side by side in a tile
    int group;                   // threads that share a unit
    int phase;                   // the only phase of this launch, or -1: all
    bool by_runs;                // threads keep apart along the innermost axis only
    bool in_block;               // copies of sums lie in the memory that a block shares until it ends
    bool finish;                 // the last block combines the copies
    bool closes;                 // the last block computes numbers
    std::byte* uniforms;         // values of the uniform block that an earlier launch left, or null
    std::byte* kept_uniforms;    // where this launch leaves them for the next, or null
    std::byte* kept_rows;        // row values between the launches of a row in chunks
    std::byte* parts;            // reductions of chunks
    unsigned* counters;          // one per row, for chunks; zero between launches
    unsigned* done;              // for blocks; zero between launches
};

/// Those of a launch that runs one kernel for several sets of arguments, each on blocks of its own.
template <class Args, int Most> struct joined {
    Args member[Most];
    std::int64_t end[Most];  // by member: the number of its last block, and 1
    std::uint64_t wide;      // bit per member that walks memory in pieces
    int count;
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
