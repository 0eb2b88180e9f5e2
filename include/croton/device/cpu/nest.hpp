// SPDX-License-Identifier: MIT
// The loop axes of a step as memory sees them, merged where strides allow.
#ifndef CROTON_DEVICE_CPU_NEST_HPP
#define CROTON_DEVICE_CPU_NEST_HPP

#include <croton/config.hpp>
#include <croton/kernel/argument.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace croton::inline v0_1::detail::cpu_device {

using kernel::operand;

// An int as the bound of an array.
template <int N> inline constexpr std::size_t bound = static_cast<std::size_t>(N);

/// Some of the loop axes, with the strides of each slot in bytes: of at most `Most` axes: clearing room for more costs a short call as much as the rest of it.
template <int Slots, int Most = max_rank> struct nest {
    int rank;
    std::int64_t extent[bound<Most>] = {};  // g++ does not see that `rank` of them are set
    std::int64_t stride[bound<Slots>][max_rank];

    std::int64_t size() const {
        std::int64_t n = 1;
        for (int a = 0; a < rank; ++a) n *= extent[a];
        return n;
    }
};

/// How axes may change their form.
struct axis_rules {
    bool merge;           // false where indices are values: axes keep their numbers
    bool keep_innermost;  // the innermost axis stays even if its extent is 1
};

/// Writes the axes `first .. first + rank` to `extent` and `stride`, merging neighbours that every slot with
/// `bytes[slot] != 0` walks evenly, and dropping axes of extent 1. Returns the new rank.
template <class Arch>
int collapse(int first, int rank, const std::int64_t* extents, const operand* slots, int count,
             const std::uint8_t* bytes, axis_rules rules, std::int64_t* extent, std::int64_t (*stride)[max_rank]) {
    int kept = 0;
    for (int a = 0; a < rank; ++a) {
        const std::int64_t n = extents[first + a];
        const auto axis = static_cast<std::size_t>(first + a);
        if (rules.merge && n == 1 && !(rules.keep_innermost && a == rank - 1)) continue;
        bool even = rules.merge && kept > 0;
        for (int s = 0; even && s < count; ++s)
            even = bytes[s] == 0 || stride[s][kept - 1] == slots[s].stride[axis] * n * bytes[s];
        if (even) {
            extent[kept - 1] *= n;
        } else {
            extent[kept++] = n;
        }
        for (int s = 0; s < count; ++s) stride[s][kept - 1] = slots[s].stride[axis] * bytes[s];
    }
    return kept;
}

/// Sets every element of a slot, over the axes it varies along, to the `bytes` low bytes of `bits`.
template <class Arch>
void fill(const operand& slot, int rank, const std::int64_t* extents, std::uint64_t bits, std::size_t bytes) {
    std::int64_t index[max_rank] = {}, extent[max_rank], step[max_rank];
    int kept = 0;
    for (int a = 0; a < rank; ++a) {
        const std::int64_t stride = slot.stride[static_cast<std::size_t>(a)];
        if (stride == 0) continue;
        if (extents[a] == 0) return;
        extent[kept] = extents[a];
        step[kept++] = stride * static_cast<std::int64_t>(bytes);
    }
    std::byte* p = slot.data;
    for (;;) {
        std::memcpy(p, &bits, bytes);
        int a = kept - 1;
        for (; a >= 0; --a) {
            p += step[a];
            if (++index[a] < extent[a]) break;
            p -= step[a] * extent[a];
            index[a] = 0;
        }
        if (a < 0) return;
    }
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
