// SPDX-License-Identifier: MIT
// Strided elements packed into tiles, whose rows lie side by side, and back: matrices turn in registers.
#ifndef CROTON_DEVICE_CPU_TILE_HPP
#define CROTON_DEVICE_CPU_TILE_HPP

#include <croton/device/cpu/interleaved.hpp>
#include <croton/device/cpu/nest.hpp>
#include <croton/device/cpu/rows.hpp>
#include <croton/device/cpu/strided.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace croton::inline v0_1::detail::cpu_device {

/// What a tile has room for, and one of runs that turn.
inline constexpr std::int64_t tile_bytes = 8192, turned_bytes = 4096;

/// The elements of a tile of one run: so many that what lies between two tiles is nothing.
inline constexpr std::int64_t longest_run = tile_bytes / 8;

/// The bytes that come to a core at once.
inline constexpr std::int64_t line_bytes = 64;

#if CROTON_HAS_COMPUTED_SHUFFLES

/// A block of words turned in registers: `2 n` rows of `n` words become `n` rows of `2 n`, where `n` words fill 16 bytes.
template <class Word> struct turn {
    static constexpr int n = 16 / static_cast<int>(sizeof(Word));
    typedef Word half [[gnu::vector_size(16)]];
    typedef Word full [[gnu::vector_size(32)]];
    struct rows {
        full row[n];
    };

    // The places of the words when two registers meet, word by word, in the lower or the upper part of either half.
    static constexpr int meets(int i, bool upper) {
        const int in_half = i % n;
        return i / n * n + in_half / 2 + (upper ? n / 2 : 0) + (in_half % 2) * 2 * n;
    }
    template <bool Upper, int... I> CROTON_INLINE static void meet(full& to, const full& a, const full& b, std::integer_sequence<int, I...>) {
        to = __builtin_shufflevector(a, b, meets(I, Upper)...);
    }
    template <int... I> CROTON_INLINE static void join(full& to, const half& a, const half& b, std::integer_sequence<int, I...>) {
        to = __builtin_shufflevector(a, b, I...);
    }

    template <int... I> CROTON_INLINE static rows stage(const rows& v, std::integer_sequence<int, I...>) {
        constexpr auto all = std::make_integer_sequence<int, 2 * n>{};
        rows w;
        ((meet<false>(w.row[2 * I], v.row[I], v.row[I + n / 2], all), meet<true>(w.row[2 * I + 1], v.row[I], v.row[I + n / 2], all)), ...);
        return w;
    }
    template <int Width> CROTON_INLINE static rows stages(const rows& v) {
        if constexpr (Width == 1) return v;
        else return stages<Width / 2>(stage(v, std::make_integer_sequence<int, n / 2>{}));
    }

    // One stride after another from a few places: addresses that need no sums.
    static constexpr int places = (n + 3) / 4;

    template <int... I>
    CROTON_INLINE static void run(std::byte* to, std::int64_t to_stride, const std::byte* from, std::int64_t from_stride, std::integer_sequence<int, I...>) {
        rows v;
        const std::byte *lower[places], *upper[places];
        std::byte* out[places];
        for (int k = 0; k < places; ++k) {
            lower[k] = from + 4 * k * from_stride;
            upper[k] = from + (4 * k + n) * from_stride;
            out[k] = to + 4 * k * to_stride;
        }
        const auto read = [&](int i) {
            half a, b;
            std::memcpy(&a, lower[i / 4] + i % 4 * from_stride, sizeof a);
            std::memcpy(&b, upper[i / 4] + i % 4 * from_stride, sizeof b);
            join(v.row[i], a, b, std::make_integer_sequence<int, 2 * n>{});
        };
        (read(I), ...);
        v = stages<n>(v);
        (static_cast<void>(std::memcpy(out[I / 4] + I % 4 * to_stride, &v.row[I], sizeof v.row[I])), ...);
    }
};

#endif

/// How runs are cut into tiles. What is left for the last one fills at least a block that turns in registers: the one before it is smaller.
struct tile_shape {
    std::int64_t rows, columns, least_rows = 0, least_columns = 0;
    bool down = false;  // a tile is followed by the one below it

    std::int64_t next_rows(std::int64_t left) const { return cut(left, rows, least_rows); }
    std::int64_t next_columns(std::int64_t left) const { return cut(left, columns, least_columns); }

    static std::int64_t cut(std::int64_t left, std::int64_t most, std::int64_t least) {
        return left <= most ? left : left < most + least ? left - least : most;
    }

    /// Calls `tile(row, height, column, length)` for each tile of `all_rows` rows of `count` elements, neither of them 0.
    template <class F> void each(std::int64_t all_rows, std::int64_t count, F tile) const {
        for (std::int64_t r = 0, t = 0;;) {
            const std::int64_t height = next_rows(all_rows - r), n = next_columns(count - t);
            tile(r, height, t, n);
            if (down) {
                if ((r += height) < all_rows) continue;
                r = 0;
                if ((t += n) == count) return;
            } else {
                if ((t += n) < count) continue;
                t = 0;
                if ((r += height) == all_rows) return;
            }
        }
    }
};

/// Whether words turn in registers. Bytes do where shuffles take 32 of them; else g++ makes as much code of it as of a whole small program.
template <class Arch, class Word> inline constexpr bool turns = sizeof(Word) > 1 || CROTON_HAS_AVX2 != 0;

/// A matrix of words that lie side by side in its rows, written with its rows as columns; strides of both in bytes.
template <class Arch, class Word>
[[gnu::noinline]] void copy_turned(std::byte* to, std::int64_t to_stride, const std::byte* from, std::int64_t from_stride, std::int64_t rows, std::int64_t columns) {
    constexpr std::int64_t unit = sizeof(Word);
    if (from_stride == columns * unit && copy_interleaved<true, Arch, Word>(to, from, to_stride, rows, columns)) return;
    if (to_stride == rows * unit && copy_interleaved<false, Arch, Word>(to, from, from_stride, columns, rows)) return;
#if CROTON_HAS_COMPUTED_SHUFFLES
    using block = turn<Word>;
    // Of long words two blocks, so that each turns 16.
    constexpr std::int64_t high = 2 * block::n, wide = block::n < 4 ? 4 : block::n;
    if (turns<Arch, Word> && rows >= high && columns >= wide) {
        // The last block of an odd length does again what the one before it did.
        for (std::int64_t c = 0;; c = c + 2 * wide <= columns ? c + wide : columns - wide) {
            const std::byte* in = from + c * unit;
            std::byte* out = to + c * to_stride;
            for (std::int64_t left = rows;;) {
                block::run(out, to_stride, in, from_stride, std::make_integer_sequence<int, block::n>{});
                if constexpr (wide > block::n) block::run(out + block::n * to_stride, to_stride, in + 16, from_stride, std::make_integer_sequence<int, block::n>{});
                left -= high;
                if (left >= high) {
                    in += high * from_stride;
                    out += high * unit;
                } else if (left > 0) {
                    in += left * from_stride;
                    out += left * unit;
                    left = high;
                } else {
                    break;
                }
            }
            if (c + wide == columns) break;
        }
        return;
    }
#endif
    // The longer way in one go.
    if (rows < columns)
        for (std::int64_t r = 0; r < rows; ++r) copy_strided<Arch, Word>(to + r * unit, to_stride, from + r * from_stride, unit, columns);
    else
        for (std::int64_t c = 0; c < columns; ++c) copy_strided<Arch, Word>(to + c * to_stride, unit, from + c * unit, from_stride, rows);
}

/// Rows of elements in memory; strides in bytes: `step` between the elements of a row, `apart` between rows.
struct grid {
    std::byte* data;
    std::int64_t step, apart;

    grid from(std::int64_t row, std::int64_t column) const { return {data + row * apart + column * step, step, apart}; }
};

/// Copies rows of `length` bytes as two pieces each, which have bytes in common where that is less than both.
template <std::int64_t Piece> void copy_in_pieces(const grid& to, const grid& from, std::int64_t rows, std::int64_t length) {
    std::byte* t = to.data;
    const std::byte* f = from.data;
    for (std::int64_t r = 0; r < rows; ++r, t += to.apart, f += from.apart) copy_two_pieces<static_cast<std::size_t>(Piece)>(t, f, length - Piece);
}
inline constexpr std::int64_t most_in_pieces = 32;
[[gnu::noinline]] inline void copy_short_rows(const grid& to, const grid& from, std::int64_t rows, std::int64_t length) {
    if (length >= 16) copy_in_pieces<16>(to, from, rows, length);
    else if (length >= 8) copy_in_pieces<8>(to, from, rows, length);
    else if (length >= 4) copy_in_pieces<4>(to, from, rows, length);
    else if (length >= 2) copy_in_pieces<2>(to, from, rows, length);
    else if (length == 1) copy_in_pieces<1>(to, from, rows, length);
}

/// Copies `rows` rows of `count` elements of `bytes` bytes, one of those that are set in `Widths`.
template <class Arch, unsigned Widths>
void copy_rows(const grid& to, const grid& from, std::int64_t rows, std::int64_t count, int bytes) {
    const auto side_by_side = [bytes](std::int64_t stride) { return stride == bytes || stride == -bytes; };
    const auto turned = [&](const grid& tile, const grid& m) { return rows > 1 && tile.step == bytes && side_by_side(m.apart) && m.step != bytes; };
    const auto turn_words = [&]<class Word>(Word) {
        if (turned(to, from)) {
            // From the lowest address on.
            const std::int64_t first = from.apart < 0 ? rows - 1 : 0;
            copy_turned<Arch, Word>(to.data + first * to.apart, from.apart < 0 ? -to.apart : to.apart, from.data + first * from.apart, from.step, count, rows);
        } else {
            const std::int64_t first = to.apart < 0 ? rows - 1 : 0;
            copy_turned<Arch, Word>(to.data + first * to.apart, to.step, from.data + first * from.apart, to.apart < 0 ? -from.apart : from.apart, rows, count);
        }
    };
    if (turned(to, from) || turned(from, to)) {
        if constexpr ((Widths & 4u) != 0)
            if (bytes == 4) return turn_words(std::uint32_t{});
        if constexpr ((Widths & 8u) != 0)
            if (bytes == 8) return turn_words(std::uint64_t{});
        if constexpr ((Widths & 2u) != 0)
            if (bytes == 2) return turn_words(std::uint16_t{});
        if constexpr ((Widths & 1u) != 0) return turn_words(std::uint8_t{});
    }
    // A call for each row takes longer than a short row.
    if (to.step == bytes && from.step == bytes && count * bytes <= most_in_pieces) return copy_short_rows(to, from, rows, count * bytes);
    if (count < 16 && count < rows) {
        for (std::int64_t c = 0; c < count; ++c) copy_strided<Arch, Widths>(to.data + c * to.step, to.apart, from.data + c * from.step, from.apart, rows, bytes);
        return;
    }
    for (std::int64_t r = 0; r < rows; ++r)
        copy_strided<Arch, Widths>(to.data + r * to.apart, to.step, from.data + r * from.apart, from.step, count, bytes);
}

/// Brings what the tile behind one of `n` elements reads on its way, where the elements of a row lie so near that each line of memory has several:
/// the loops on a tile in between keep the processor from looking ahead that far. `left` elements are there from this tile on.
CROTON_INLINE void fetch_next(const grid& seen, std::int64_t n, std::int64_t left) {
    if (left < 2 * n || seen.step >= line_bytes || seen.step <= -line_bytes) return;
    const std::int64_t bytes = n * seen.step;
    if (bytes > 0) fetch_row<false>(seen.data + bytes, bytes);
    else fetch_row<false>(seen.data + 2 * bytes, -bytes);
}

/// The axis, beside the innermost one, whose runs are packed together, and the tiles they are packed into. Slots of `bytes[slot] != 0` run along
/// the innermost axis. A matrix that is seen turned has its lines along the other axis: a tile is as high as one of them.
struct tiling {
    int axis;
    tile_shape shape;
};
template <class Arch>
tiling tiling_of(int slots, int rank, const std::int64_t (*stride)[max_rank], const std::int64_t* lo, const std::int64_t* hi, const std::uint8_t* bytes) {
    int smallest = 8, largest = 1;
    for (int s = 0; s < slots; ++s) {
        if (bytes[s] == 0) continue;
        smallest = bytes[s] < smallest ? bytes[s] : smallest;
        largest = bytes[s] > largest ? bytes[s] : largest;
    }
    const int last = rank - 1;
    int axis = last - 1, most = 0;
    const auto away = [](std::int64_t apart) { return apart < 0 ? -apart : apart; };
    for (int a = last - 1; a >= 0; --a) {
        int turned = 0;
        for (int s = 0; s < slots; ++s) {
            const std::int64_t across = away(stride[s][a]), along = away(stride[s][last]);
            turned += bytes[s] != 0 && across > 0 && across < line_bytes && across < along;
        }
        if (turned > most && hi[a] - lo[a] > 3) {
            axis = a;
            most = turned;
        }
    }
    const std::int64_t room = turned_bytes / largest, count = hi[last] - lo[last];
    if (most == 0) {
        // Short rows together.
        if (count <= longest_run) return {axis, {(room > longest_run ? room : longest_run) / count, count}};
        return {axis, {1, longest_run}};
    }
    // Tiles of about one length, and of blocks that turn in registers.
    const std::int64_t least = 32 / smallest, high = line_bytes / smallest * least <= room ? line_bytes / smallest : room / least, longest = room / high;
    const std::int64_t pieces = (count + longest - 1) / longest, columns = ((count + pieces - 1) / pieces + least - 1) / least * least;
    return {axis, {room / columns / high * high, columns, least < 8 ? 4 : least / 2, least, true}};
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
