// SPDX-License-Identifier: MIT
// The loop axes of a step as memory sees them, merged where strides allow.
#ifndef CROTON_DEVICE_CPU_NEST_HPP
#define CROTON_DEVICE_CPU_NEST_HPP

#include <croton/config.hpp>
#include <croton/kernel/argument.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace croton::inline v0_1::detail::cpu_device {

using kernel::operand;

// An int as the bound of an array.
template <int N> inline constexpr std::size_t bound = static_cast<std::size_t>(N);

/// A `nest` of however many axes and slots, and one that is still to be laid out.
struct nest_view {
    int rank;
    const std::int64_t* extent;
    const std::int64_t (*stride)[max_rank];
};
struct nest_room {
    int* rank;
    std::int64_t* extent;
    std::int64_t (*stride)[max_rank];
};

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
    nest_view view() const { return {rank, extent, stride}; }
    nest_room room() { return {&rank, extent, stride}; }
};

/// How axes may change their form.
struct axis_rules {
    int numbered;         // so many axes stay as they are: indices along them are values
    bool keep_innermost;  // the innermost axis stays even if its extent is 1
};

/// Writes the axes `first .. first + rank` to `extent` and `stride`, merging neighbours that every slot with
/// `bytes[slot] != 0` walks evenly, and dropping axes of extent 1, but for one behind those that keep their numbers. Returns the new rank.
template <class Arch>
int collapse(int first, int rank, const std::int64_t* extents, const operand* slots, int count,
             const std::uint8_t* bytes, axis_rules rules, std::int64_t* extent, std::int64_t (*stride)[max_rank]) {
    int kept = 0;
    for (int a = 0; a < rank; ++a) {
        const std::int64_t n = extents[first + a];
        const auto axis = static_cast<std::size_t>(first + a);
        const bool needed = a == rank - 1 && (rules.keep_innermost || (rules.numbered > 0 && kept == rules.numbered));
        if (n == 1 && a >= rules.numbered && !needed) continue;
        bool even = kept > rules.numbered;
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

/// What `arrange` must know of a kernel.
struct nest_facts {
    int outer, inner, slots;
    const std::uint8_t *uses, *bytes;  // by slot: what element blocks do with it, of how many bytes,
    const std::uint8_t* all_bytes;     // and of how many any block does
    std::uint8_t streams;              // the uses that run along the innermost axis
    axis_rules outer_rules, inner_rules;
};

/// Lays out the outer and the inner axes of a kernel; whether every stream of its element blocks has unit stride.
CROTON_INLINE bool arrange(const nest_facts& of, const nest_room& outer, const nest_room& inner, const std::int64_t* extents, const operand* slot, const auto& collapse) {
    // One axis has no neighbour to merge with, and small programs are made of such steps.
    if (of.outer == 1) {
        *outer.rank = of.outer_rules.numbered == 0 && extents[0] == 1 ? 0 : 1;
        outer.extent[0] = extents[0];
            for (int k = 0; k < of.slots; ++k) outer.stride[k][0] = slot[k].stride[0] * of.all_bytes[k];
    } else {
        *outer.rank = of.outer == 0 ? 0 : collapse(0, of.outer, of.all_bytes, of.outer_rules, outer);
    }
    if (of.inner == 0) {
        *inner.rank = 0;
        return true;
    }
    if (of.inner == 1) {
        *inner.rank = 1;
        inner.extent[0] = extents[of.outer];
            for (int k = 0; k < of.slots; ++k) inner.stride[k][0] = slot[k].stride[static_cast<std::size_t>(of.outer)] * of.bytes[k];
    } else {
        *inner.rank = collapse(of.outer, of.inner, of.bytes, of.inner_rules, inner);
        if (*inner.rank == 0) {
            *inner.rank = 1;
            inner.extent[0] = 1;
        }
    }
    const int last = *inner.rank - 1;
    bool unit = true;
    for (int k = 0; k < of.slots; ++k) {
        if ((of.uses[k] & of.streams) == 0) continue;
        if (inner.extent[last] == 1) inner.stride[k][last] = of.bytes[k];
        unit = unit && inner.stride[k][last] == of.bytes[k];
    }
    return unit;
}

/// The same of kernels that may have more axes, one code for all.
template <class Arch> [[gnu::noinline]] bool arrange_many(const nest_facts& of, const nest_room& outer, const nest_room& inner, const std::int64_t* extents, const operand* slot) {
    return arrange(of, outer, inner, extents, slot, [&](int first, int rank, const std::uint8_t* bytes, axis_rules rules, const nest_room& room) {
        return collapse<Arch>(first, rank, extents, slot, of.slots, bytes, rules, room.extent, room.stride);
    });
}

/// Goes to the outer index `row`, counted along all outer axes: where the slots are then, and the index of each axis. `index` has the same where one is a
/// value, else it is null.
template <class Arch>
[[gnu::noinline]] void enter_rows(const nest_view& outer, const operand* slot, int slots, std::int64_t row, std::byte** base, std::int64_t* at, std::int64_t* index) {
    for (int k = 0; k < slots; ++k) base[k] = kernel::alone(slot[k].data);
    for (int a = outer.rank - 1; a >= 0; --a) {
        at[a] = row % outer.extent[a];
        row /= outer.extent[a];
        for (int k = 0; k < slots; ++k) base[k] += at[a] * outer.stride[k][a];
        if (index) index[a] = at[a];
    }
}
/// Goes on where the last axis has ended.
template <class Arch> [[gnu::noinline]] void wrap_rows(const nest_view& outer, int slots, std::byte** base, std::int64_t* at, std::int64_t* index) {
    for (int a = outer.rank - 1; a >= 0; --a) {
        const bool ended = at[a] == outer.extent[a];
        const std::int64_t moves = ended ? 1 - outer.extent[a] : 1;
        for (int k = 0; k < slots; ++k) base[k] += outer.stride[k][a] * moves;
        if (ended) at[a] = 0;
        if (index) index[a] = at[a];
        if (!ended) return;
        if (a > 0) ++at[a - 1];
    }
}

/// Walks along the rows of a loop, with the steps of their last axis in registers: what lies in memory is read again for each row, after the row before it was written,
/// and short rows wait for that. `One`: along one axis, or none, of which nothing needs memory.
template <class Arch, int Slots, bool One> class outer_walk {
    const nest_view& outer_;
    std::int64_t extent_ = 1, left_, step_[bound<Slots>] = {};

public:
    /// Goes to `row`, as of `enter_rows`.
    CROTON_INLINE outer_walk(const nest_view& outer, const operand* slot, std::int64_t row, std::byte** base, std::int64_t* at, std::int64_t* index) : outer_(outer) {
        if (outer.rank > 0) {
            extent_ = outer.extent[outer.rank - 1];
            CROTON_UNROLLED
            for (int k = 0; k < Slots; ++k) step_[k] = outer.stride[k][outer.rank - 1];
        }
        if constexpr (One) {
            CROTON_UNROLLED
            for (int k = 0; k < Slots; ++k) base[k] = kernel::alone(slot[k].data) + (outer.rank > 0 ? row * step_[k] : 0);
            if (index) index[0] = row;
            left_ = extent_ - row;
        } else {
            enter_rows<Arch>(outer, slot, Slots, row, base, at, index);
            left_ = outer.rank > 0 ? extent_ - at[outer.rank - 1] : 1;
        }
    }
    /// Of each slot, in bytes.
    const std::int64_t* steps() const { return step_; }
    /// So many rows are left along the last axis, with this one.
    CROTON_INLINE std::int64_t left() const { return left_; }
    /// Goes on to the next row, which there is.
    CROTON_INLINE void next(std::byte** base, [[maybe_unused]] std::int64_t* at, std::int64_t* index) {
        --left_;
        if constexpr (!One)
            if (left_ == 0) {
                at[outer_.rank - 1] = left_ = extent_;
                return wrap_rows<Arch>(outer_, Slots, base, at, index);
            }
        CROTON_UNROLLED
        for (int k = 0; k < Slots; ++k) base[k] += step_[k];
        if (index) ++index[One ? 0 : outer_.rank - 1];
    }
};

/// Sets `n` elements, `step` bytes apart, to the `Bytes` low bytes of `bits`.
template <class Arch, std::size_t Bytes> void fill_run(std::byte* p, std::int64_t step, std::int64_t n, std::uint64_t bits) {
    constexpr std::int64_t each = Bytes, together = 4096 / each;
    if (step == each && bits == 0) {
        std::memset(p, 0, static_cast<std::size_t>(n * each));
        return;
    }
    if (step != each || n < 8) {
        for (std::int64_t i = 0; i < n; ++i) std::memcpy(p + i * step, &bits, Bytes);
        return;
    }
    // Twice as many each time: compilers make one store after the other of the loop above.
    std::memcpy(p, &bits, Bytes);
    for (std::int64_t done = 1, more; done < n; done += more) {
        more = std::min({done, n - done, together});
        std::memcpy(p + done * each, p, static_cast<std::size_t>(more * each));
    }
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
        if (extents[a] == 1) continue;
        const std::int64_t apart = stride * static_cast<std::int64_t>(bytes);
        // Axes that lie so are one run.
        if (kept > 0 && step[kept - 1] == apart * extents[a]) extent[kept - 1] *= extents[a];
        else extent[kept++] = extents[a];
        step[kept - 1] = apart;
    }
    // The innermost of them is a run: a slot that varies along no axis is a run of one.
    const std::int64_t count = kept > 0 ? extent[kept - 1] : 1, apart = kept > 0 ? step[kept - 1] : 0;
    std::byte* p = slot.data;
    for (;;) {
        if (bytes == 4) fill_run<Arch, 4>(p, apart, count, bits);
        else if (bytes == 8) fill_run<Arch, 8>(p, apart, count, bits);
        else if (bytes == 2) fill_run<Arch, 2>(p, apart, count, bits);
        else fill_run<Arch, 1>(p, apart, count, bits);
        int a = kept - 2;
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
