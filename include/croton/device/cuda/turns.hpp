// SPDX-License-Identifier: MIT
// Loops whose turns a value counts, in a graph: what the device keeps of one, and what decides there whether a turn runs.
#ifndef CROTON_DEVICE_CUDA_TURNS_HPP
#define CROTON_DEVICE_CUDA_TURNS_HPP

#include <croton/core/extents.hpp>
#include <croton/kernel/argument.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace croton::inline v0_1::detail::cuda_device {

/// What says how many turns there are.
struct turn_bounds {
    const std::int64_t* wanted;  // on the device; null: as many as there may be
    std::int64_t all, at_most;   // turns that there may be, and of those that there are the first so many, or 0 for all
    bool unbounded, retraces;    // as many as wanted; the last ones of all, or of an unbounded loop backwards
};

/// A loop on its way, in memory of the device.
struct turn_state {
    std::int64_t first, end;  // the turns that there are, of those that there may be
    std::int64_t turns;       // that have begun; between the steps of an unbounded loop: that are done
    std::int64_t number, way; // of an unbounded loop: that of its turn, and what it is by next
    bool stops;               // what a turn leaves where a condition ends the loop

    CROTON_HD void begin(const turn_bounds& b) {
        std::int64_t count = b.all;
        if (b.wanted != nullptr && (b.unbounded || *b.wanted < count)) count = *b.wanted;
        if (count < 0) count = 0;
        first = b.retraces && !b.unbounded ? b.all - count : 0;
        number = b.retraces ? count - 1 : 0;
        way = b.retraces ? -1 : 1;
        end = first + (b.at_most > 0 && count > b.at_most ? b.at_most : count);
        turns = 0;
        stops = false;
    }
    /// Whether turns from `from` to `to` are still to run.
    CROTON_HD bool has(std::int64_t from, std::int64_t to) const { return !stops && first < to && from < end; }
    /// The same for one turn, which is counted.
    CROTON_HD bool takes(std::int64_t turn) {
        const bool runs = has(turn, turn + 1);
        turns += runs ? 1 : 0;
        return runs;
    }
    /// Behind a turn of an unbounded loop: whether there is another.
    CROTON_HD bool goes_on() {
        ++turns;
        number += way;
        return has(first + turns, first + turns + 1);
    }
};

/// Copies what is carried to where the first turn reads it, or from where the last one has left it, which only the device knows: a row of each `from` and `to`, or one of two places.
template <class T> struct turn_copy {
    const turn_state* state;
    bool last, places;
    std::int64_t reversed;  // where rows go backwards: the last row; else -1
    const T* from;
    T* to;
    std::int64_t from_row, to_row;  // elements from row to row
    int rank;
    std::int64_t count;
    std::int64_t extent[max_rank], from_stride[max_rank], to_stride[max_rank];

    static turn_copy of(const turn_state* state, bool last, int rank, const std::int64_t* extents, const kernel::operand& from, const kernel::operand& to) {
        turn_copy c{state, last, false, -1, reinterpret_cast<const T*>(from.data), reinterpret_cast<T*>(to.data), 0, 0, rank, 1, {}, {}, {}};
        for (int i = 0; i < rank; ++i) {
            c.extent[i] = extents[i];
            c.from_stride[i] = from.stride[static_cast<std::size_t>(i)];
            c.to_stride[i] = to.stride[static_cast<std::size_t>(i)];
            c.count *= extents[i];
        }
        return c;
    }
    CROTON_HD void copy(std::int64_t element) const {
        std::int64_t row = state->first + (last ? state->turns : 0);
        row = places ? row & 1 : reversed >= 0 ? reversed - row : row;
        std::int64_t at = row * from_row, there = row * to_row;
        for (int i = rank; i-- > 0; element /= extent[i]) {
            at += element % extent[i] * from_stride[i];
            there += element % extent[i] * to_stride[i];
        }
        to[there] = from[at];
    }
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
