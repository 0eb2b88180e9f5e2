// SPDX-License-Identifier: MIT
// How threads share a loop: one code for all kernels, which calls theirs.
#ifndef CROTON_DEVICE_CPU_SHARED_LOOP_HPP
#define CROTON_DEVICE_CPU_SHARED_LOOP_HPP

#include <croton/compiler.hpp>
#include <croton/device/cpu/inner.hpp>
#include <croton/device/cpu/nest.hpp>
#include <croton/device/cpu/numbers.hpp>
#include <croton/device/cpu/streaming.hpp>
#include <croton/device/cpu/threads.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace croton::inline v0_1::detail::cpu_device {

/// Work, in instructions run for one element, below which no thread is woken.
inline constexpr std::int64_t work_per_thread = 500'000;

/// How many threads share `work` operations in at most `pieces` pieces.
CROTON_PLAIN int parts_of(std::int64_t work, std::int64_t pieces) {
    if (work < 2 * work_per_thread || thread_pool::working()) return 1;
    return static_cast<int>(std::max<std::int64_t>(1, std::min<std::int64_t>({threads(), work / work_per_thread, most_threads, pieces})));
}
CROTON_ONCE(parts_of<>)

/// How the inner axes of one outer index are split.
struct split {
    int parts;
    int axis;
};

struct shared_loop;

/// What a kernel with sums in memory tells those who share its loop; `setup` is as of `shared_loop`.
struct shared_sums {
    /// Whether every sum survives a split of the outer axes, or of the inner ones, along one of them: any of them where it is -1.
    bool (*split)(const void* setup, bool outer, int axis);
    /// Whether each thread may have sums of its own of what a split of the inner axes along one of them does not keep apart; or null.
    bool (*own)(const void* setup, int axis);
    /// `run_blocks` with room for the sums of all threads.
    bool (*in_blocks)(const shared_loop& loop, std::int64_t outer, int wanted);
    /// Clear the sums of a thread, and add them to memory.
    void (*clear)(total* totals);
    void (*settle)(const void* setup, const operand* slot, const total* totals);
};

/// A kernel as they see it who run its loop.
struct loop_code {
    /// The outer indices begin .. end.
    void (*rows)(const void* setup, const operand* slot, std::int64_t begin, std::int64_t end, total* totals, split how);
    const shared_sums* sums;  // null where there are none
    const nest_facts* facts;
    bool has_phases, may_stream;
    int element_cost, row_cost;
};

/// A loop as the threads that share it see it. Its kernel gets its `setup` back.
struct shared_loop {
    const loop_code* code;
    const void* setup;
    const operand* slot;
    const std::int64_t* extents;
    int outer_rank, inner_rank;
    const std::int64_t *outer_extent, *inner_extent;
    bool unit;
    bool* streams;  // of the setup: whether what is only stored goes past the caches
    std::int64_t grain = 1;  // so many outer indices at once take as long as fewer

    bool splits(bool outer, int axis) const { return code->sums == nullptr || code->sums->split(setup, outer, axis); }
};

/// The outer indices in a block for each thread, each of which has `slots` of the totals at `mine`, where there are sums. False where they cannot be split so.
CROTON_PLAIN [[gnu::noinline, gnu::cold]] bool run_blocks(const shared_loop& loop, std::int64_t outer, int wanted, int slots, total* mine) {
    const loop_code& code = *loop.code;
    // Blocks of the first outer axis keep apart what varies along it.
    const bool any_order = loop.splits(true, -1);
    const std::int64_t first = loop.outer_extent[0], per_first = outer / first;
    if (!any_order && (first < wanted || !loop.splits(true, 0))) return false;
    const std::int64_t unit = any_order ? loop.grain : per_first, units = (outer + unit - 1) / unit;
    const auto totals_of = [&](int part) { return code.sums ? mine + part * slots : mine; };
    parallel(wanted, [&](int part) {
        if (code.sums) code.sums->clear(totals_of(part));
        code.rows(loop.setup, loop.slot, units * part / wanted * unit, std::min(outer, units * (part + 1) / wanted * unit), totals_of(part), {1, 0});
    });
    for (int part = 0; code.sums && part < wanted; ++part) code.sums->settle(loop.setup, loop.slot, totals_of(part));
    return true;
}
CROTON_ONCE(run_blocks<>)

/// The one outer index, split along an inner axis that is long enough; false where there is none.
CROTON_PLAIN [[gnu::noinline, gnu::cold]] bool run_pieces(const shared_loop& loop, int wanted, total* totals) {
    const loop_code& code = *loop.code;
    for (const bool own : {false, true})
        for (int axis = 0; axis < loop.inner_rank; ++axis) {
            const std::int64_t n = loop.inner_extent[axis] / (axis == loop.inner_rank - 1 ? 64 : 1);
            if (n < wanted || !(own ? code.sums && code.sums->own && code.sums->own(loop.setup, axis) : loop.splits(false, axis))) continue;
            code.rows(loop.setup, loop.slot, 0, 1, totals, {wanted, axis});
            if (code.sums) code.sums->settle(loop.setup, loop.slot, totals);
            return true;
        }
    return false;
}
CROTON_ONCE(run_pieces<>)

/// Of few elements it is no question, which a short call would feel. Loops over rows gain nothing: relu(x + b) of rows of 4 kB takes as long either way.
template <class Arch> CROTON_INLINE bool streams_results(const shared_loop& loop, std::int64_t elements) {
    const loop_code& code = *loop.code;
    return code.may_stream && elements >= least_streamed && loop.unit &&
           streams_results<Arch>({code.facts->slots, code.facts->uses, code.facts->bytes, loop.slot, code.facts->inner, loop.extents});
}

/// A loop whose `setup` is there, on as many threads as it is worth. `totals` are those of its kernel, where there are sums.
template <class Arch> [[gnu::noinline]] void run_loop(const shared_loop& loop, total* totals) {
    const loop_code& code = *loop.code;
    std::int64_t outer = 1, inner = code.has_phases ? 1 : 0;
    for (int a = 0; a < loop.outer_rank; ++a) outer *= loop.outer_extent[a];
    for (int a = 0; a < loop.inner_rank; ++a) inner *= loop.inner_extent[a];
    if (outer == 0) return;
    *loop.streams = streams_results<Arch>(loop, inner);
    // From here on more makes no difference, and a loop may be longer than its work can be counted.
    constexpr std::int64_t enough = std::int64_t{1} << 26;
    const std::int64_t work = std::min(outer, enough) * (std::min(inner, enough) * code.element_cost + code.row_cost + 1);
    const int wanted = parts_of(work, loop.grain > 1 ? outer / loop.grain : std::numeric_limits<std::int64_t>::max());
    if (wanted > 1) {
        if (code.facts->outer > 0 && outer >= wanted) {
            if (code.sums ? code.sums->in_blocks(loop, outer, wanted) : run_blocks(loop, outer, wanted, 0, nullptr)) return;
        } else if (code.has_phases && outer == 1) {
            if (run_pieces(loop, wanted, totals)) return;
        }
    }
    code.rows(loop.setup, loop.slot, 0, outer, totals, {1, 0});
    if (*loop.streams) settle_stores<Arch>();
    if (code.sums) code.sums->settle(loop.setup, loop.slot, totals);
}

/// A phase as they see it who share the inner axes of one outer index.
struct shared_phase {
    /// The part lo .. hi of the inner axes; `rows` are the row values, `sums` the partial results of the phase.
    void (*inner)(const void* setup, std::byte* const* base, const std::int64_t* lo, const std::int64_t* hi, std::int64_t* index, const void* rows, void* sums,
                  const number_port& numbers);
    /// Before it and behind it, for what is summed; null where nothing is.
    void (*begin)(void* sums, total* totals);
    void (*end)(const void* setup, std::byte* const* base, void* sums, const number_port& numbers);
};

/// The inner axes of one outer index. Each thread has `sum_bytes` bytes of partial results at `sums`, and `slots` totals.
struct shared_axes {
    const shared_phase* phase;
    const void* setup;
    int rank;
    const std::int64_t* extent;
    std::byte* const* base;  // of a thread, `base_step` behind those of the one before it
    int base_step;
    const void* rows;
    const number_port* numbers;
    int indices;
    std::byte* sums;
    std::size_t sum_bytes;
    total* totals;
    int slots;
    bool streams;
};

template <class Arch> [[gnu::noinline, gnu::cold]] void run_shares(const shared_axes& of, split how) {
    parallel(how.parts, [&](int part) {
        std::int64_t lo[max_rank] = {}, hi[max_rank], here[max_rank];
        for (int a = 0; a < of.indices; ++a) here[a] = of.numbers->index[a];
        cut<Arch>(of.rank, of.extent, how.axis, part, how.parts, lo, hi);
        std::byte* const sums = of.sums + static_cast<std::size_t>(part) * of.sum_bytes;
        number_port mine = *of.numbers;
        mine.totals = of.totals + part * of.slots;
        if (of.phase->begin) of.phase->begin(sums, mine.totals);
        std::byte* const* const base = of.base + part * of.base_step;
        of.phase->inner(of.setup, base, lo, hi, here, of.rows, sums, mine);
        if (of.phase->end) of.phase->end(of.setup, base, sums, mine);
        if (of.streams) settle_stores<Arch>();
    });
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
