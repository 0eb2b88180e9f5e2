// SPDX-License-Identifier: MIT
// Runs a routine on the CPU: its outer axes merged, its rows split among threads, by a body for this device where there is one.
#ifndef CROTON_DEVICE_CPU_ROUTINES_HPP
#define CROTON_DEVICE_CPU_ROUTINES_HPP

#include <croton/device/cpu/loop.hpp>
#include <croton/kernel/routine.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace croton::inline v0_1::detail::cpu_device {

/// `outer` times `inner` units among `parts` threads: one function, whatever a unit does.
[[gnu::noinline, gnu::cold]] inline void share_units(int parts, std::int64_t outer, std::int64_t inner, void (*unit)(const void* of, std::int64_t i, std::int64_t j),
                                                     const void* of) {
    parallel(parts, [&](int part) {
        for (std::int64_t u = outer * inner * part / parts; u < outer * inner * (part + 1) / parts; ++u) unit(of, u / inner, u % inner);
    });
}

/// The axes before the last one, without those of extent 1, merged where every slot walks them evenly.
inline kernel::routine_call merged(const kernel::routine_call& c, int slots, unsigned whole) {
    kernel::routine_call out = c;
    int kept = 0;
    for (int a = 0; a < c.rank; ++a) {
        const bool last = a == c.rank - 1;
        if (!last && c.extent[a] == 1) continue;
        bool even = !last && kept > 0;
        for (int k = 0; even && k < slots; ++k) even = (whole >> k & 1u) != 0 || out.stride[k][kept - 1] == c.stride[k][a] * c.extent[a];
        if (even) out.extent[kept - 1] *= c.extent[a];
        else out.extent[kept++] = c.extent[a];
        for (int k = 0; k < slots; ++k)
            if ((whole >> k & 1u) == 0) out.stride[k][kept - 1] = c.stride[k][a];
    }
    out.rank = kept;
    return out;
}

/// The indices along some of the axes of a call one after the other, and how far each slot's memory has moved.
struct row_walk {
    const kernel::routine_call& c;
    int slots;
    int axes;                 // the first of the call's axes are walked
    std::int64_t index[max_rank] = {};
    std::int64_t offset[kernel::most_routine_slots] = {};

    row_walk(const kernel::routine_call& call, int slot_count, int axis_count, std::int64_t first) : c(call), slots(slot_count), axes(axis_count) {
        for (int a = axes; a-- > 0;) {
            index[a] = first % c.extent[a];
            first /= c.extent[a];
            for (int k = 0; k < slots; ++k) offset[k] += index[a] * c.stride[k][a];
        }
    }
    void next() {
        for (int a = axes; a-- > 0;) {
            for (int k = 0; k < slots; ++k) offset[k] += c.stride[k][a];
            if (++index[a] < c.extent[a]) return;
            for (int k = 0; k < slots; ++k) offset[k] -= c.stride[k][a] * c.extent[a];
            index[a] = 0;
        }
    }
};

/// The rows by the routine's own code.
template <class Routine, class Types, class Arch> void run_plain_rows(const kernel::routine_call& c) {
    const std::int64_t rows = c.rows();
    const std::int64_t work = [&] {
        if constexpr (kernel::is_of_elements<Routine>) return Routine::work(c);
        else return Routine::operations(rows * c.along(), c.length);
    }();
    const int parts = parts_of(work, rows);
    parallel(parts, [&](int part) {
        const std::int64_t first = rows * part / parts, last = rows * (part + 1) / parts;
        if constexpr (kernel::is_of_elements<Routine>) kernel::run_elements<Routine>(c, first * c.along(), (last - first) * c.along(), Types());
        else {
            row_walk walk(c, Types::slots, std::max(c.rank - 1, 0), first);
            for (std::int64_t row = first; row < last; ++row, walk.next())
                kernel::run_row_at<Routine>(c, walk.offset, Types(), std::make_integer_sequence<int, Types::slots - 1>());
        }
    });
}

/// What a routine does on this device. A specialisation is a better way for one; it has the same members.
template <class Routine, class Types, class Arch> struct routine_body {
    static std::int64_t room(const kernel::routine_call&) { return 0; }
    static void run(const kernel::routine_call& c, std::byte*) { run_plain_rows<Routine, Types, Arch>(c); }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
