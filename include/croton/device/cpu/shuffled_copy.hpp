// SPDX-License-Identifier: MIT
// Elements copied in another order, every few of them or with gaps between them: registers of bytes, put together by shuffles.
#ifndef CROTON_DEVICE_CPU_SHUFFLED_COPY_HPP
#define CROTON_DEVICE_CPU_SHUFFLED_COPY_HPP

#include <croton/config.hpp>
#include <croton/core/extents.hpp>
#include <croton/device/cpu/analysis.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <utility>

namespace croton::inline v0_1::detail::cpu_device {

/// What is copied: elements of `bytes` bytes along axes with more than one index, strides in bytes.
struct element_copy {
    int bytes, rank = 0;
    std::int64_t extent[max_rank], to_stride[max_rank], from_stride[max_rank];
    std::byte* to;
    const std::byte* from;
    int arrays = -1;  // the axis whose indices are arrays of their own, which lie there
    const std::int64_t* array_at = nullptr;

    std::int64_t size() const {
        std::int64_t n = 1;
        for (int a = 0; a < rank; ++a) n *= extent[a];
        return n;
    }
    /// The lowest byte of its elements from `at` on, and the first behind the highest.
    std::pair<std::uintptr_t, std::uintptr_t> bounds(std::uintptr_t at, const std::int64_t* stride) const {
        std::int64_t low = 0, high = bytes;
        for (int a = 0; a < rank; ++a) (stride[a] < 0 ? low : high) += (extent[a] - 1) * stride[a];
        return {at + static_cast<std::uintptr_t>(low), at + static_cast<std::uintptr_t>(high)};
    }
    /// Whether it writes to bytes among those that `other` reads.
    bool writes_into(const element_copy& other) const {
        const auto [from_low, from_high] = other.bounds(reinterpret_cast<std::uintptr_t>(other.from), other.from_stride);
        const auto [to_low, to_high] = bounds(reinterpret_cast<std::uintptr_t>(to), to_stride);
        return to_low < from_high && from_low < to_high;
    }

    /// Puts an axis along which `count` arrays lie, `apart` bytes behind each other where they go, among the others.
    void add_arrays(int count, std::int64_t apart, const std::int64_t* at) {
        int a = rank++;
        for (; a > 0 && to_stride[a - 1] < apart; --a) extent[a] = extent[a - 1], to_stride[a] = to_stride[a - 1], from_stride[a] = from_stride[a - 1];
        extent[a] = count, to_stride[a] = apart, from_stride[a] = 0;
        arrays = a, array_at = at;
    }

    /// Calls `run(to, from)` for each index of the first `axes` axes.
    template <class Run> void each(int axes, const Run& run) const {
        std::int64_t at[max_rank] = {};
        std::byte* t = to;
        const std::byte* f = from;
        for (;;) {
            run(t, f);
            int a = axes - 1;
            for (; a >= 0; --a) {
                t += to_stride[a], f += from_stride[a];
                if (++at[a] < extent[a]) break;
                t -= at[a] * to_stride[a], f -= at[a] * from_stride[a];
                at[a] = 0;
            }
            if (a < 0) return;
        }
    }
};

/// Elements of `bytes` bytes, up to twice as many as `Word` has.
template <class Word> CROTON_INLINE void copy_element(std::byte* to, const std::byte* from, int bytes) {
    std::memcpy(to, from, sizeof(Word));
    if (bytes != static_cast<int>(sizeof(Word))) std::memcpy(to + bytes - sizeof(Word), from + bytes - sizeof(Word), sizeof(Word));
}
template <class Word> void copy_column(std::byte* to, std::int64_t to_stride, const std::byte* from, std::int64_t from_stride, std::int64_t count, int bytes) {
    if (bytes == static_cast<int>(sizeof(Word)))
        for (; count > 0; --count, to += to_stride, from += from_stride) std::memcpy(to, from, sizeof(Word));
    else
        for (; count > 0; --count, to += to_stride, from += from_stride) copy_element<Word>(to, from, bytes);
}
template <class Arch> [[gnu::noinline]] void copy_column_of(std::byte* to, std::int64_t to_stride, const std::byte* from, std::int64_t from_stride, std::int64_t count, int bytes) {
    struct sixteen {
        std::uint64_t words[2];
    };
    if (bytes >= 16) copy_column<sixteen>(to, to_stride, from, from_stride, count, bytes);
    else if (bytes >= 8) copy_column<std::uint64_t>(to, to_stride, from, from_stride, count, bytes);
    else if (bytes >= 4) copy_column<std::uint32_t>(to, to_stride, from, from_stride, count, bytes);
    else if (bytes >= 2) copy_column<std::uint16_t>(to, to_stride, from, from_stride, count, bytes);
    else copy_column<std::uint8_t>(to, to_stride, from, from_stride, count, bytes);
}

/// Copies elements that have gaps between them where they go; false where another way is quicker.
template <class Arch> bool copy_apart(element_copy c) {
    constexpr std::int64_t longest_unit = 32, short_row = 8, rows_at_once = 64, near = 64;
    int last = c.rank - 1;
    if (c.to_stride[last] == c.bytes && c.from_stride[last] == c.bytes) {
        if (c.extent[last] * c.bytes > longest_unit || last == 0) return false;
        c.bytes *= static_cast<int>(c.extent[last]);
        c.rank = last--;
    } else if (c.to_stride[last] == c.bytes) {
        return false;
    }
    if (last > 0 && c.extent[last] < short_row && c.extent[last - 1] > c.extent[last]) {
        c.each(last - 1, [&](std::byte* to, const std::byte* from) {
            for (std::int64_t first = 0; first < c.extent[last - 1]; first += rows_at_once) {
                const std::int64_t rows = std::min(rows_at_once, c.extent[last - 1] - first);
                for (std::int64_t j = 0; j < c.extent[last]; ++j)
                    copy_column_of<Arch>(to + first * c.to_stride[last - 1] + j * c.to_stride[last], c.to_stride[last - 1], from + first * c.from_stride[last - 1] + j * c.from_stride[last],
                                         c.from_stride[last - 1], rows, c.bytes);
            }
        });
        return true;
    }
    if (last > 0 && std::abs(c.from_stride[last]) > near) return false;  // rows become columns
    c.each(last, [&](std::byte* to, const std::byte* from) { copy_column_of<Arch>(to, c.to_stride[last], from, c.from_stride[last], c.extent[last], c.bytes); });
    return true;
}

#if CROTON_HAS_BYTE_SHUFFLES

typedef char sixteen_bytes [[gnu::vector_size(16)]];

/// The bytes at `from` that `by` counts, and 0 where it has 0x80.
CROTON_INLINE sixteen_bytes shuffled_bytes(const std::byte* from, const std::uint8_t* by) {
    sixteen_bytes v, which;
    std::memcpy(&v, from, sizeof v);
    std::memcpy(&which, by, sizeof which);
    return __builtin_ia32_pshufb128(v, which);
}

/// Sixteen bytes of the target, from up to `most_windows` windows of sixteen bytes of what is copied.
struct byte_shuffle {
    static constexpr int most_windows = 4;

    std::int64_t window[most_windows];
    alignas(16) std::uint8_t taken[most_windows][16];
};

/// What the registers of a pattern are copied to and from, again and again.
struct pattern_walk {
    std::byte* to;
    const std::byte* from;
    std::int64_t from_step, periods;
};
/// `Count`: of registers, where they are few.
template <class Arch, int Windows, int Count> [[gnu::noinline]] void copy_patterns(const byte_shuffle* pattern, int count, const pattern_walk& walk) {
    const auto one = [](const byte_shuffle& by, std::byte* t, const std::byte* f) CROTON_INLINED {
        auto v = shuffled_bytes(f + by.window[0], by.taken[0]);
        if constexpr (Windows > 1) v |= shuffled_bytes(f + by.window[1], by.taken[1]);
        if constexpr (Windows > 2) v |= shuffled_bytes(f + by.window[2], by.taken[2]);
        if constexpr (Windows > 3) v |= shuffled_bytes(f + by.window[3], by.taken[3]);
        std::memcpy(t, &v, sizeof v);
    };
    auto [to, from, from_step, periods] = walk;
    if constexpr (Count == 1) {
        const byte_shuffle by = *pattern;
        for (; periods >= 4; periods -= 4, to += 64, from += 4 * from_step) {
            one(by, to, from);
            one(by, to + 16, from + from_step);
            one(by, to + 32, from + 2 * from_step);
            one(by, to + 48, from + 3 * from_step);
        }
        for (; periods > 0; --periods, to += 16, from += from_step) one(by, to, from);
    } else if constexpr (Count > 1) {
        byte_shuffle by[Count];
        std::copy_n(pattern, Count, by);
        for (; periods > 0; --periods, to += 16 * Count, from += from_step) {
            one(by[0], to, from);
            one(by[1], to + 16, from);
            if constexpr (Count > 2) one(by[2], to + 32, from);
        }
    } else {
        for (; periods > 0; --periods, to += 16 * count, from += from_step)
            for (int v = 0; v < count; ++v) one(pattern[v], to + 16 * v, from);
    }
}
template <class Arch, int Windows> void copy_patterns_of(const byte_shuffle* pattern, int count, const pattern_walk& walk) {
    const auto run = count == 1 ? copy_patterns<Arch, Windows, 1> : count == 2 ? copy_patterns<Arch, Windows, 2> : count == 3 ? copy_patterns<Arch, Windows, 3> : copy_patterns<Arch, Windows, 0>;
    run(pattern, count, walk);
}

/// The elements of some inner axes, which lie side by side where they go, again and again along one axis.
struct shuffled_rows {
    static constexpr int most_bytes = 48, most_registers = 12;
    /// To find out how a register is put together takes as long as copying so many.
    static constexpr std::int64_t elements_per_register = 256;

    int elements = 1, axis;            // of a row, and along which the rows follow each other
    std::int64_t offset[most_bytes];   // where its elements come from
    int rows, registers, windows = 1;  // of a period
    byte_shuffle pattern[most_registers];
    std::int64_t lowest, highest;  // bytes of a row, and the first behind those

    /// False where registers would have to be put together of more windows, or there is too little.
    bool find(const element_copy& c) {
        axis = c.rank - 1;
        for (; axis > 0 && c.to_stride[axis] == elements * c.bytes && elements * c.extent[axis] * c.bytes <= most_bytes; --axis) elements *= static_cast<int>(c.extent[axis]);
        const int row_bytes = elements * c.bytes, per_period = std::lcm(row_bytes, 16);
        rows = per_period / row_bytes;
        registers = per_period / 16;
        if (c.to_stride[axis] != row_bytes || registers > most_registers || c.extent[axis] < 2 * rows || (c.arrays >= 0 && c.arrays <= axis) || c.size() < registers * elements_per_register) return false;
        for (int i = 0; i < elements; ++i) {
            offset[i] = 0;
            std::int64_t rest = i;
            for (int a = c.rank - 1; a > axis; rest /= c.extent[a--]) offset[i] += a == c.arrays ? c.array_at[rest % c.extent[a]] : rest % c.extent[a] * c.from_stride[a];
        }
        const auto [low, high] = std::minmax_element(offset, offset + elements);
        const std::int64_t period = (rows - 1) * c.from_stride[axis];
        lowest = *low, highest = *high + c.bytes;
        for (int r = 0; r < registers; ++r)
            if (!find_windows(c, pattern[r], r, lowest + std::min<std::int64_t>(0, period))) return false;
        // What lies in many places is turned in registers.
        return windows < 3 || c.arrays >= 0 || c.bytes < 4 || highest - lowest + std::abs(period) <= 16 * byte_shuffle::most_windows;
    }

    template <class Arch> void run(const element_copy& c, std::byte* to, const std::byte* from, std::int64_t count) const {
        const std::int64_t step = c.from_stride[axis], from_step = rows * step, periods = count / rows;
        // What a window sees beside what is taken out of it must be memory that is copied.
        if (c.arrays >= 0) {
            const std::int64_t near = from_step == 0 ? periods : std::min(periods, 15 / std::abs(from_step) + 1);
            return run_between<Arch>(c, to, from, count, near, std::max(near, periods - near));
        }
        std::int64_t behind = 0;
        for (int r = 0; r < registers; ++r)
            for (int w = 0; w < windows; ++w) behind = std::max(behind, pattern[r].window[w] + 16);
        const std::int64_t end = highest + std::max<std::int64_t>(0, (count - 1) * step);
        std::int64_t first = 0, stop = periods;
        if (from_step > 0) stop = std::clamp<std::int64_t>(behind > end ? 0 : (end - behind) / from_step + 1, 0, periods);
        else if (behind > end) first = from_step == 0 ? periods : std::min(periods, (behind - end - from_step - 1) / -from_step);
        run_between<Arch>(c, to, from, count, first, std::max(first, stop));
    }

private:
    /// Registers for the periods first .. stop of `count` rows.
    template <class Arch> void run_between(const element_copy& c, std::byte* to, const std::byte* from, std::int64_t count, std::int64_t first, std::int64_t stop) const {
        const std::int64_t row = elements * c.bytes, step = c.from_stride[axis];
        copy_rows<Arch>(c, to, from, first * rows);
        const auto run = windows == 1 ? copy_patterns_of<Arch, 1> : windows == 2 ? copy_patterns_of<Arch, 2> : windows == 3 ? copy_patterns_of<Arch, 3> : copy_patterns_of<Arch, 4>;
        run(pattern, registers, {to + first * rows * row, from + first * rows * step, rows * step, stop - first});
        copy_rows<Arch>(c, to + stop * rows * row, from + stop * rows * step, count - stop * rows);
    }
    template <class Arch> void copy_rows(const element_copy& c, std::byte* to, const std::byte* from, std::int64_t count) const {
        for (int i = 0; i < elements && count > 0; ++i) copy_column_of<Arch>(to + i * c.bytes, elements * c.bytes, from + offset[i], c.from_stride[axis], count, c.bytes);
    }
    bool find_windows(const element_copy& c, byte_shuffle& to, int which, std::int64_t least) {
        std::int64_t at[16];
        bool taken[16] = {};
        for (int i = 0; i < 16; ++i) {
            const int byte = 16 * which + i, element = byte / c.bytes;
            at[i] = element / elements * c.from_stride[axis] + offset[element % elements] + byte % c.bytes;
        }
        std::memset(to.taken, 0x80, sizeof to.taken);
        for (int w = 0; w < byte_shuffle::most_windows; ++w) {
            std::int64_t begin = 0, end = 0;
            bool any = false;
            for (int i = 0; i < 16; ++i)
                if (!taken[i] && (!any || at[i] < begin)) begin = at[i], any = true;
            to.window[w] = w > 0 ? to.window[0] : 0;
            if (!any) continue;
            windows = std::max(windows, w + 1);
            for (int i = 0; i < 16; ++i)
                if (!taken[i] && at[i] < begin + 16) end = std::max(end, at[i] - begin + 1);
            // It ends with what is taken of it, where there is memory before that.
            to.window[w] = std::min(begin, std::max(begin + end - 16, least));
            for (int i = 0; i < 16; ++i)
                if (!taken[i] && at[i] < begin + end) taken[i] = true, to.taken[w][i] = static_cast<std::uint8_t>(at[i] - to.window[w]);
        }
        return std::all_of(taken, taken + 16, [](bool is) { return is; });
    }
};

template <class Arch> bool copy_shuffled(const element_copy& c) {
    shuffled_rows way;
    if (!way.find(c)) return false;
    const int outer = way.axis;
    const std::int64_t count = c.extent[outer];
    // Rows that lie between each other are copied while they are in the first cache.
    constexpr std::int64_t bytes_at_once = 8192;
    const bool between = outer > 0 && std::abs(c.from_stride[outer - 1]) < count * std::abs(c.from_stride[outer]);
    const std::int64_t at_once = between ? std::max<std::int64_t>(1, bytes_at_once / (way.rows * std::max<std::int64_t>(1, std::abs(c.from_stride[outer])))) * way.rows : count;
    for (std::int64_t i = 0; i < count; i += at_once)
        c.each(outer, [&](std::byte* to, const std::byte* from) {
            way.run<Arch>(c, to + i * c.to_stride[outer], from + i * c.from_stride[outer], std::min(at_once, count - i));
        });
    return true;
}

/// Copies to parts that follow each other at the same distance, as columns do; false where they are no such parts.
template <class Arch> bool copy_beside(const element_copy* each, int count) {
    const element_copy& first = each[0];
    std::int64_t at[copied_slots::most] = {};
    const std::int64_t apart = each[1].to - first.to;
    bool together = apart > 0 && first.rank < max_rank;
    for (int k = 1; k < count && together; ++k) {
        at[k] = each[k].from - first.from;
        together = each[k].to - first.to == k * apart && each[k].bytes == first.bytes && std::equal(first.to_stride, first.to_stride + first.rank, each[k].to_stride) &&
                   std::equal(first.from_stride, first.from_stride + first.rank, each[k].from_stride);
    }
    if (!together) return false;
    element_copy all = first;
    all.add_arrays(count, apart, at);
    return copy_shuffled<Arch>(all);
}

#endif

template <class Arch> bool copy_one(const element_copy& c) {
    const int last = c.rank - 1;
    // Such are registers that are filled, and runs.
    if (c.to_stride[last] == c.bytes && (c.from_stride[last] == 0 || c.from_stride[last] == c.bytes) && c.extent[last] * c.bytes > 48) return false;
#if CROTON_HAS_BYTE_SHUFFLES
    if (copy_shuffled<Arch>(c)) return true;
#endif
    return copy_apart<Arch>(c);
}

/// Copies the part lo .. hi of the axes of slots with such bases and strides where elements must be moved one by one, or few by few; false where another way is to copy them all.
template <class Arch>
[[gnu::noinline]] bool copy_slots(const copied_slots& slots, const std::uint8_t* bytes, int rank, const std::int64_t (*stride)[max_rank], std::byte* const* base, const std::int64_t* lo, const std::int64_t* hi) {
    // Fewer are copied before it is known how.
    constexpr std::int64_t least = 1024;
    std::int64_t size = slots.count;
    for (int a = 0; a < rank; ++a) size *= hi[a] - lo[a];
    if (size < least) return false;
    element_copy each[copied_slots::most];
    for (int k = 0; k < slots.count; ++k) {
        element_copy& c = each[k];
        const int to = slots.to[k], from = slots.from[k];
        c.bytes = bytes[to];
        c.to = base[to], c.from = base[from];
        for (int a = 0; a < rank; ++a) {
            c.to += lo[a] * stride[to][a], c.from += lo[a] * stride[from][a];
            if (hi[a] - lo[a] == 1) continue;
            c.extent[c.rank] = hi[a] - lo[a];
            c.to_stride[c.rank] = stride[to][a];
            c.from_stride[c.rank++] = stride[from][a];
        }
    }
    // What is exchanged in place is read element by element before any of them is written.
    for (int k = 0; k < slots.count; ++k)
        for (int j = 0; j < slots.count; ++j)
            if (each[k].writes_into(each[j])) return false;
#if CROTON_HAS_BYTE_SHUFFLES
    if (slots.count > 1 && copy_beside<Arch>(each, slots.count)) return true;
#endif
    // Another way copies those again that were copied before it.
    return std::all_of(each, each + slots.count, [](const element_copy& c) { return copy_one<Arch>(c); });
}

/// The same for the indices begin .. end of all outer axes, and all inner ones.
template <class Arch, int Slots, class Outer, class Inner>
bool copy_rows_of_slots(const copied_slots& slots, const std::uint8_t* bytes, const Outer& outer, const Inner& inner, const operand* slot, std::int64_t begin, std::int64_t end) {
    const bool whole = begin == 0 && end == outer.size();
    if (outer.rank + inner.rank > max_rank || (!whole && outer.rank != 1)) return false;
    std::int64_t stride[bound<Slots>][max_rank], lo[max_rank] = {}, hi[max_rank];
    std::byte* base[bound<Slots>];
    for (int k = 0; k < Slots; ++k) {
        base[k] = slot[k].data;
        std::copy_n(outer.stride[k], outer.rank, stride[k]);
        std::copy_n(inner.stride[k], inner.rank, stride[k] + outer.rank);
    }
    std::copy_n(outer.extent, outer.rank, hi);
    std::copy_n(inner.extent, inner.rank, hi + outer.rank);
    if (!whole) lo[0] = begin, hi[0] = end;
    return copy_slots<Arch>(slots, bytes, outer.rank + inner.rank, stride, base, lo, hi);
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
