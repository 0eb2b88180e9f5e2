// SPDX-License-Identifier: MIT
// Where the temporaries of a function lie: those that are needed at different times share memory.
#ifndef CROTON_PLAN_MEMORY_HPP
#define CROTON_PLAN_MEMORY_HPP

#include <algorithm>
#include <cstdint>
#include <utility>

#include <croton/compiler.hpp>
#include <croton/plan/needless_copies.hpp>
#include <croton/plan/one_pass.hpp>

namespace croton::inline v0_1::detail {

/// Bytes that are needed while the steps `first` to `last` run, and where they lie.
struct lifetime {
    std::int64_t bytes = 0;
    int first = 0, last = 0;
    int index = 0;          // which of those that are placed
    int next = -1;          // the one that lies behind, in the order of the addresses
    std::int64_t offset = 0;

    bool meets(const lifetime& other) const { return first <= other.last && other.first <= last; }
};

/// Gives each of `count` lifetimes its place, the largest first, each the lowest that is free while it is needed, and returns the
/// bytes of all. Offsets are multiples of a cache line. The order is that of the sizes afterwards.
/// Greedy by size: Pisarchyk and Lee, Efficient Memory Management for Deep Neural Net Inference, 2020.
inline std::int64_t place_lifetimes(lifetime* all, int count) {
    constexpr std::int64_t line = 64;
    std::int64_t total = 0;
    int lowest = -1;
    for (int i = 0; i < count; ++i) {
        lifetime& mine = all[i];
        for (int k = i + 1; k < count; ++k)
            if (all[k].bytes > mine.bytes || (all[k].bytes == mine.bytes && all[k].index < mine.index)) std::swap(mine, all[k]);
        mine.bytes = (mine.bytes + line - 1) / line * line;
        mine.offset = 0;
        for (int k = lowest; k >= 0; k = all[k].next) {
            if (!mine.meets(all[k])) continue;
            if (all[k].offset >= mine.offset + mine.bytes) break;
            mine.offset = std::max(mine.offset, all[k].offset + all[k].bytes);
        }
        int* behind = &lowest;
        while (*behind >= 0 && all[*behind].offset < mine.offset) behind = &all[*behind].next;
        mine.next = *behind;
        *behind = i;
        total = std::max(total, mine.offset + mine.bytes);
    }
    return total;
}

/// The offset of every temporary of a plan for a table of sizes, and the bytes of all of them. `scratch` is for as many. What the steps of `pass` use is
/// needed as long as they all; so it is with a product and the loop behind it where `joined`, if there are products, says so of the product. `spans`, if there are any, are the
/// steps that use the memory of each buffer where some copies are left out.
/// Apart from its callers: g++ would look for mistakes in loops over a `scratch` of none.
CROTON_PLAIN [[gnu::noinline]] std::int64_t place_temporaries(const plan_view& p, const one_pass& pass, const bool* joined, const needless_copies::span* spans, const std::int64_t* sizes,
                                                   lifetime* scratch, std::int64_t* offsets) {
    int count = 0;
    for (int b = 0; b < p.buffer_count; ++b) {
        const buffer_facts& facts = p.buffers[b];
        if (facts.what != buffer_kind::temporary || facts.index < 0) continue;
        const std::int64_t bytes = element_count(facts.shape, sizes) * static_cast<std::int64_t>(size_of(facts.type));
        const needless_copies::span used = spans != nullptr ? spans[b] : needless_copies::span{facts.first, facts.last};
        lifetime& mine = scratch[count++] = {bytes, used.first, used.last, facts.index};
        if (joined != nullptr) {
            if (mine.first > 0 && joined[mine.first - 1]) --mine.first;
            if (mine.last >= 0 && joined[mine.last]) ++mine.last;
        }
        if (pass.count > 0 && mine.first <= pass.last() && mine.last >= pass.first()) {
            mine.first = std::min(mine.first, pass.first());
            mine.last = std::max(mine.last, pass.last());
        }
    }
    const std::int64_t total = place_lifetimes(scratch, count);
    for (int i = 0; i < count; ++i) offsets[scratch[i].index] = scratch[i].offset;
    return total;
}
CROTON_ONCE(place_temporaries<>)

}  // namespace croton::inline v0_1::detail

#endif
