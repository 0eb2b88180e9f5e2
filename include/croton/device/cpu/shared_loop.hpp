// SPDX-License-Identifier: MIT
// How threads share a loop: one code for all kernels, which calls theirs.
#ifndef CROTON_DEVICE_CPU_SHARED_LOOP_HPP
#define CROTON_DEVICE_CPU_SHARED_LOOP_HPP

#include <croton/device/cpu/nest.hpp>
#include <croton/device/cpu/numbers.hpp>
#include <croton/device/cpu/threads.hpp>

#include <cstdint>

namespace croton::inline v0_1::detail::cpu_device {

/// How the inner axes of one outer index are split.
struct split {
    int parts;
    int axis;
};

/// What a kernel with sums in memory tells those who share its loop; `setup` is as of `shared_loop`.
struct shared_sums {
    /// Whether every sum survives a split of the outer axes, or of the inner ones, along one of them: any of them where it is -1.
    bool (*split)(const void* setup, bool outer, int axis);
    /// Clear the sums of a thread, and add them to memory.
    void (*clear)(total* totals);
    void (*settle)(const void* setup, const operand* slot, const total* totals);
};

/// A loop as the threads that share it see it. Its kernel gets its `setup` back.
struct shared_loop {
    const void* setup;
    const operand* slot;
    const std::int64_t *outer_extent, *inner_extent;
    int inner_rank;
    /// The outer indices begin .. end.
    void (*rows)(const void* setup, const operand* slot, std::int64_t begin, std::int64_t end, total* totals, split how);
    const shared_sums* sums;  // null where there are none

    bool splits(bool outer, int axis) const { return sums == nullptr || sums->split(setup, outer, axis); }
};

/// The outer indices in a block for each thread, each of which has `slots` of the totals at `mine`, where there are sums. False where they cannot be split so.
[[gnu::noinline, gnu::cold]] inline bool run_blocks(const shared_loop& loop, std::int64_t outer, int wanted, int slots, total* mine) {
    // Blocks of the first outer axis keep apart what varies along it.
    const bool any_order = loop.splits(true, -1);
    const std::int64_t first = loop.outer_extent[0], per_first = outer / first;
    if (!any_order && (first < wanted || !loop.splits(true, 0))) return false;
    const std::int64_t unit = any_order ? 1 : per_first, units = outer / unit;
    const auto totals_of = [&](int part) { return loop.sums ? mine + part * slots : mine; };
    parallel(wanted, [&](int part) {
        if (loop.sums) loop.sums->clear(totals_of(part));
        loop.rows(loop.setup, loop.slot, units * part / wanted * unit, units * (part + 1) / wanted * unit, totals_of(part), {1, 0});
    });
    for (int part = 0; loop.sums && part < wanted; ++part) loop.sums->settle(loop.setup, loop.slot, totals_of(part));
    return true;
}

/// The one outer index, split along an inner axis that is long enough; false where there is none.
[[gnu::noinline, gnu::cold]] inline bool run_pieces(const shared_loop& loop, int wanted, total* totals) {
    for (int axis = 0; axis < loop.inner_rank; ++axis) {
        const std::int64_t n = loop.inner_extent[axis] / (axis == loop.inner_rank - 1 ? 64 : 1);
        if (n < wanted || !loop.splits(false, axis)) continue;
        loop.rows(loop.setup, loop.slot, 0, 1, totals, {wanted, axis});
        if (loop.sums) loop.sums->settle(loop.setup, loop.slot, totals);
        return true;
    }
    return false;
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
