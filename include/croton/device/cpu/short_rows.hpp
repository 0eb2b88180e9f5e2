// SPDX-License-Identifier: MIT
// Rows that fill a register badly or not at all, run several at once as one: what is the same for each of them, or for all elements of one, is written out beside.
#ifndef CROTON_DEVICE_CPU_SHORT_ROWS_HPP
#define CROTON_DEVICE_CPU_SHORT_ROWS_HPP

#include <croton/device/cpu/arrangement.hpp>
#include <croton/device/cpu/brief.hpp>
#include <croton/device/cpu/inner.hpp>
#include <croton/device/cpu/nest.hpp>
#include <croton/device/cpu/sweep.hpp>
#include <croton/device/cpu/tile.hpp>
#include <croton/kernel/rebuilt.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace croton::inline v0_1::detail::cpu_device {

/// The loops of a kernel along such a row, which run through slots and know no row.
struct short_row_code {
    int slots;
    const std::uint8_t *uses, *bytes;  // by slot: what the loops do with it, of how many bytes;
    const bool* by_row;                // whether it has one number for each row
    int lanes;
    bool is_dear;  // whether elements go through functions, as exp
    run_code runs;
};

/// Writes each of `rows` numbers, `step` bytes apart, `count` times; and up to a register of what lies behind the last of them.
template <class Word> void repeat_numbers(std::byte* to, const std::byte* from, std::int64_t step, std::int64_t rows, std::int64_t count) {
    constexpr std::int64_t lanes = words<Word>::count, unit = sizeof(Word);
    for (std::int64_t r = 0; r < rows; ++r, from += step, to += count * unit) {
        Word w;
        std::memcpy(&w, from, sizeof w);
        const auto v = typename words<Word>::type{} + w;
        for (std::int64_t j = 0; j < count; j += lanes) std::memcpy(to + j * unit, &v, sizeof v);
    }
}
/// Of numbers of `bytes` bytes, one of those that are set in `Widths`.
template <class Arch, unsigned Widths> void repeat_numbers(std::byte* to, const std::byte* from, std::int64_t step, std::int64_t rows, std::int64_t count, int bytes) {
    if constexpr ((Widths & 4u) != 0)
        if (bytes == 4) return repeat_numbers<std::uint32_t>(to, from, step, rows, count);
    if constexpr ((Widths & 8u) != 0)
        if (bytes == 8) return repeat_numbers<std::uint64_t>(to, from, step, rows, count);
    if constexpr ((Widths & 2u) != 0)
        if (bytes == 2) return repeat_numbers<std::uint16_t>(to, from, step, rows, count);
    if constexpr ((Widths & 1u) != 0) repeat_numbers<std::uint8_t>(to, from, step, rows, count);
}
/// The bytes of slots, one bit for each width.
template <int Slots> constexpr unsigned widths_of(const std::uint8_t* bytes) {
    unsigned widths = 0;
    for (int s = 0; s < Slots; ++s) widths |= bytes[s];
    return widths;
}
/// Writes `length` bytes again and again, `all` bytes in all.
inline void repeat_row(std::byte* to, const std::byte* from, std::int64_t length, std::int64_t all) {
    std::memcpy(to, from, static_cast<std::size_t>(length));
    for (std::int64_t done = length; done < all; done *= 2) std::memcpy(to + done, to, static_cast<std::size_t>(std::min(done, all - done)));
}

/// Writes each of `count` rows of `length` bytes, one behind the other, `times` times; and up to a piece of what lies behind the last. Of the rows as much is read.
template <std::int64_t Piece> void repeat_rows(std::byte* to, const std::byte* from, std::int64_t length, std::int64_t count, std::int64_t times) {
    struct piece {
        std::byte bytes[Piece];
    };
    for (std::int64_t i = 0; i < count; ++i, from += length) {
        piece p;
        std::memcpy(&p, from, sizeof p);
        for (std::int64_t q = 0; q < times; ++q, to += length) std::memcpy(to, &p, sizeof p);
    }
}

/// Calls `run(base, n)` for the rows begin .. end, counted along all outer axes, `n` of them at a time, at most `most`, that lie along the last axis; each slot is at `base` there.
template <class Arch, int MostSlots>
CROTON_INLINE void each_rows(const nest_view& outer, const operand* slot, int slots, std::int64_t begin, std::int64_t end, std::int64_t most, const auto& run) {
    const int last = outer.rank - 1;
    std::byte* base[bound<MostSlots>];
    std::int64_t at[max_rank];
    enter_rows<Arch>(outer, slot, slots, begin, base, at, nullptr);
    for (std::int64_t row = begin;;) {
        const std::int64_t n = std::min({most, end - row, outer.extent[last] - at[last]});
        run(base, n);
        if ((row += n) == end) return;
        at[last] += n;
        const bool ended = at[last] == outer.extent[last];
        for (int s = 0; s < slots; ++s) base[s] += outer.stride[s][last] * (ended ? n - 1 : n);
        if (ended) wrap_rows<Arch>(outer, slots, base, at, nullptr);
    }
}

/// The rows begin .. end of `count` elements each, counted along all outer axes; false where they do not lie so that this is less work. `unit`: whether elements lie side by side.
template <class Arch, unsigned Widths>
[[gnu::noinline]] bool run_short_rows(const short_row_code& code, const nest_view& outer, const std::int64_t (*inner)[max_rank], bool unit, const operand* slot, std::int64_t count,
                                      std::int64_t begin, std::int64_t end, const void* outside) {
    // So many elements at once, what is written out in so few tiles. Rows that are longer gain nothing, or less than it takes to write out again and again what another row has
    // not, nor do few of them.
    constexpr std::int64_t run_bytes = 4096, longest = 512, longest_written = 64, least_apart = 16, least_apart_of_dear = 48, fewest = 4, least = 32;
    constexpr int most_tiles = 4, most_slots = 64;
    const int last = outer.rank - 1;
    if (last < 0 || begin == end || (unit && count % code.lanes == 0)) return false;
    const std::int64_t rows = outer.extent[last];
    if (rows < fewest || rows * count < least) return false;
    int tiled = 0, largest = 1;
    std::int8_t tile[most_slots];
    bool packs[most_slots];
    const auto element_step = [&](int s) { return count == 1 || code.by_row[s] ? std::int64_t{code.bytes[s]} : inner[s][0]; };
    for (int s = 0; s < code.slots; ++s) {
        tile[s] = -1;
        packs[s] = false;
        if (code.uses[s] == 0) continue;
        const std::int64_t step = outer.stride[s][last], length = count * code.bytes[s];
        const bool dense = element_step(s) == code.bytes[s];
        if (length > longest) return false;
        if (step == length && dense && (!code.by_row[s] || count == 1)) continue;
        // Rows that lie apart are packed where they are short, and elements that do in any case.
        packs[s] = !code.by_row[s] && step != 0;
        if (packs[s] && unit && length >= (code.is_dear ? least_apart_of_dear : least_apart)) return false;
        if (!code.by_row[s] && step == 0 && (code.uses[s] != role_load || !dense)) return false;
        if (tiled == most_tiles || (unit && length > longest_written && (code.by_row[s] || outer.rank > 1))) return false;
        tile[s] = static_cast<std::int8_t>(tiled++);
        largest = std::max(largest, static_cast<int>(code.bytes[s]));
    }
    std::int64_t together = std::min(rows, std::max<std::int64_t>(1, run_bytes / largest / count));
    // Whole registers.
    if (together > 16) together &= -16;
    alignas(64) std::byte tiles[most_tiles][run_bytes + 64];
    const std::byte* written[most_tiles] = {};  // what stands in a tile that is the same for all rows
    std::byte* p[most_slots];
    constexpr std::int64_t nowhere[most_slots] = {};
    std::byte sums{};  // there are none
    each_rows<Arch, most_slots>(outer, slot, code.slots, begin, end, together, [&](std::byte* const* base, std::int64_t n) {
        for (int s = 0; s < code.slots; ++s) {
            p[s] = base[s];
            if (tile[s] < 0) continue;
            std::byte* const to = p[s] = tiles[tile[s]];
            const int bytes = code.bytes[s];
            const std::int64_t step = outer.stride[s][last];
            if (packs[s]) {
                if ((code.uses[s] & role_load) != 0) copy_rows<Arch, Widths>(grid{to, bytes, count * bytes}, grid{base[s], element_step(s), step}, n, count, bytes);
                continue;
            }
            const bool stays = step == 0;
            if (stays && written[tile[s]] == base[s]) continue;
            written[tile[s]] = stays ? base[s] : nullptr;
            if (code.by_row[s]) repeat_numbers<Arch, Widths>(to, base[s], step, stays ? together : n, count, bytes);
            else repeat_row(to, base[s], count * bytes, together * count * bytes);
        }
        code.runs(p, nowhere, 1, 0, n * count, outside, &sums);
        for (int s = 0; s < code.slots; ++s)
            if (packs[s] && (code.uses[s] & role_store) != 0)
                copy_rows<Arch, Widths>(grid{base[s], element_step(s), outer.stride[s][last]}, grid{p[s], code.bytes[s], count * code.bytes[s]}, n, count, code.bytes[s]);
    });
    return true;
}

/// The same where the last axis has few rows: they are one, as long as all of them, for each index of the axis before, in which what is the same for each stands again and again.
template <class Arch, unsigned Widths>
[[gnu::noinline]] bool run_joined_rows(const short_row_code& code, const nest_view& outer, const operand* slot, std::int64_t count, std::int64_t begin, std::int64_t end, const void* outside) {
    constexpr std::int64_t run_bytes = 4096, longest = 64, longest_joined = 256, fewest = 4, piece = 16;
    constexpr int most_tiles = 4, most_slots = 64;
    const int last = outer.rank - 1;
    if (last < 1 || begin == end) return false;
    const std::int64_t turns = outer.extent[last], rows = outer.extent[last - 1];
    if (rows < fewest || begin % turns != 0 || end % turns != 0) return false;
    int tiled = 0, largest = 1;
    std::int8_t tile[most_slots];
    for (int s = 0; s < code.slots; ++s) {
        tile[s] = -1;
        if (code.uses[s] == 0) continue;
        const std::int64_t length = count * code.bytes[s], step = outer.stride[s][last], across = outer.stride[s][last - 1];
        if (length > longest || turns * length > longest_joined) return false;
        largest = std::max(largest, static_cast<int>(code.bytes[s]));
        if (step == length && across == turns * length) continue;
        if (code.uses[s] != role_load || tiled == most_tiles || !(step == length ? across == 0 : step == 0)) return false;
        tile[s] = static_cast<std::int8_t>(tiled++);
    }
    const std::int64_t together = std::min(rows, run_bytes / (turns * count * largest));
    alignas(64) std::byte tiles[most_tiles][run_bytes + longest], side_by_side[run_bytes + longest];
    const std::byte* written[most_tiles] = {};  // what stands in a tile that is the same for all rows
    std::byte* p[most_slots];
    constexpr std::int64_t nowhere[most_slots] = {};
    std::byte sums{};  // there are none
    each_rows<Arch, most_slots>({last, outer.extent, outer.stride}, slot, code.slots, begin / turns, end / turns, together, [&](std::byte* const* base, std::int64_t n) {
        for (int s = 0; s < code.slots; ++s) {
            p[s] = base[s];
            if (tile[s] < 0) continue;
            std::byte* const to = p[s] = tiles[tile[s]];
            const int bytes = code.bytes[s];
            const std::int64_t length = count * bytes, step = outer.stride[s][last], across = outer.stride[s][last - 1];
            if (across == 0) {
                if (written[tile[s]] != base[s]) repeat_row(to, base[s], step == 0 ? length : turns * length, together * turns * length);
                written[tile[s]] = base[s];
                continue;
            }
            copy_rows<Arch, Widths>(grid{side_by_side, bytes, length}, grid{base[s], bytes, across}, n, count, bytes);
            if (length <= piece) repeat_rows<piece>(to, side_by_side, length, n, turns);
            else repeat_rows<longest>(to, side_by_side, length, n, turns);
        }
        code.runs(p, nowhere, 1, 0, n * turns * count, outside, &sums);
    });
    return true;
}

/// Operands where the values of a row are elements as well: `N` of them, in front of the others.
template <int N> struct rows_as_elements {
    template <class A> struct made : std::type_identity<A> {};
    template <int I, class T> struct made<kernel::e<I, T>> : std::type_identity<kernel::e<I + N, T>> {};
    template <int I, class T> struct made<kernel::r<I, T>> : std::type_identity<kernel::e<I, T>> {};
    template <class A> using of = typename made<A>::type;
};
/// Whether an instruction may be one of such a block.
template <class Instruction> inline constexpr bool may_be_of_elements = false;
template <class T, int S> inline constexpr bool may_be_of_elements<kernel::load<T, S>> = true;
template <class T, std::uint64_t Bits> inline constexpr bool may_be_of_elements<kernel::literal<T, Bits>> = true;
template <class T, int I> inline constexpr bool may_be_of_elements<kernel::scalar<T, I>> = true;
template <class Op, class... A> inline constexpr bool may_be_of_elements<kernel::apply<Op, A...>> = true;
template <class T, class A> inline constexpr bool may_be_of_elements<kernel::convert<T, A>> = true;
template <class T, int S, class A> inline constexpr bool may_be_of_elements<kernel::store<T, S, A>> = true;

/// A block of such instructions.
template <int N, class Block> struct all_of_elements {
    static constexpr bool found = false;
};
template <int N, class... I>
    requires(true && ... && may_be_of_elements<I>)
struct all_of_elements<N, kernel::block<I...>> {
    static constexpr bool found = true;
    using type = kernel::block<typename kernel::rebuilt<rows_as_elements<N>, I>::type...>;
};

/// The element block of a kernel whose row block, `Row`, is a part of it.
template <class Row, class Element> struct block_of_elements {
    using rows = all_of_elements<0, Row>;
    using elements = all_of_elements<kernel::detail::length<Row>::value, Element>;
    static constexpr bool found = rows::found && elements::found && kernel::detail::length<kernel::with_role<kernel::role_write, Row>>::value == 0;
    template <class R, class E> using both = typename kernel::detail::joined<typename R::type, typename E::type>::type;
};

/// Whether rows and their elements have a slot in common.
template <class Arranged> inline constexpr bool any_slot_of_both = [] {
    for (int s = 0; s < Arranged::slots; ++s)
        if (Arranged::in_rows.uses[s] != 0 && Arranged::in_elements.uses[s] != 0) return true;
    return false;
}();

/// Of an engine whose kernel computes elements and nothing else, row by row. Where a row has values of its own, its loops are a copy that takes these as elements.
template <class Engine> struct short_rows {
    static constexpr bool found = false;
};
template <template <class, class> class Engine, int O, int I, class U, class Row, class Element, class Arch>
struct short_rows<Engine<kernel::kernel<O, I, U, Row, kernel::phase<Element, kernel::block<>, kernel::block<>>>, Arch>> {
    using arranged = arrangement<kernel::kernel<O, I, U, Row, kernel::phase<Element, kernel::block<>, kernel::block<>>>, Arch>;
    using blocks = block_of_elements<kernel::listed_t<Row>, kernel::listed_t<Element>>;
    static constexpr bool has_values = kernel::size_of_block<Row> > 0;
    static constexpr int slots = arranged::slots;

    static constexpr bool is_little = !has_values || (is_brief<kernel::listed_t<Row>> && is_brief<kernel::listed_t<Element>> && arranged::in_elements.cost <= 24);
    static constexpr bool found = O > 0 && I > 0 && arranged::lanes::size > 1 && !arranged::has_sums && !arranged::gathers && arranged::axes == 0 && blocks::found && slots <= 64 && is_little && !any_slot_of_both<arranged>;

    static bool run(const typename arranged::setup& s, const operand* slot, std::int64_t begin, std::int64_t end) {
        if constexpr (has_values) {
            using block = typename blocks::template both<typename blocks::rows, typename blocks::elements>;
            return run<arrangement<kernel::kernel<0, 1, U, kernel::block<>, kernel::phase<block, kernel::block<>, kernel::block<>>>, Arch>, block>(s, slot, begin, end);
        } else {
            return run<arranged, Element>(s, slot, begin, end);
        }
    }

private:
    struct row_values {
        bool any[bound<slots>];
    };
    static constexpr row_values by_row = [] {
        row_values v{};
        for (int s = 0; s < slots; ++s) v.any[s] = arranged::in_rows.uses[s] != 0;
        return v;
    }();
    template <class Arranged, class Block> static bool run(const typename arranged::setup& s, const operand* slot, std::int64_t begin, std::int64_t end) {
        using loops = sweep<typename Arranged::lanes, slots, 0, U, typename Arranged::rows_block, kernel::phase<Block, kernel::block<>, kernel::block<>>>;
        static constexpr short_row_code code{slots, Arranged::in_elements.uses, Arranged::in_elements.bytes, by_row.any, Arranged::lanes::size, !is_brief<kernel::listed_t<Block>>, loops::runs};
        const typename Arranged::row_file none{};
        const std::int64_t index[1] = {};
        const typename loops::around outside{s.uniforms, none, s.scalars, index, s.displacement};
        constexpr unsigned widths = widths_of<slots>(Arranged::in_elements.bytes);
        if constexpr (!has_values && O > 1)
            if (s.unit && run_joined_rows<Arch, widths>(code, s.outer.view(), slot, s.inner.extent[0], begin, end, &outside)) return true;
        return run_short_rows<Arch, widths>(code, s.outer.view(), s.inner.stride, s.unit, slot, s.inner.extent[0], begin, end, &outside);
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
