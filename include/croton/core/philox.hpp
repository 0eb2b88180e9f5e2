// SPDX-License-Identifier: MIT
// Random bits as a function of a key and a counter, and which of them belong to a position of an array.
#ifndef CROTON_CORE_PHILOX_HPP
#define CROTON_CORE_PHILOX_HPP

#include <concepts>
#include <cstdint>

#include <croton/config.hpp>

namespace croton::inline v0_1::random {

/// What Philox counts with, and what it gives.
struct philox_block {
    std::uint32_t word[4];
    friend constexpr bool operator==(const philox_block&, const philox_block&) = default;
};

/// Philox4x32 with ten rounds: 128 random bits of a counter and a key, whose low half is the first word. No two counters have the same bits
/// under one key. (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3, 2011.)
CROTON_HD constexpr philox_block philox4x32(philox_block counter, std::uint64_t key) {
    std::uint32_t c0 = counter.word[0], c1 = counter.word[1], c2 = counter.word[2], c3 = counter.word[3];
    std::uint32_t k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
    CROTON_UNROLL
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{0xd2511f53u} * c0, b = std::uint64_t{0xcd9e8d57u} * c2;
        c0 = static_cast<std::uint32_t>(b >> 32) ^ c1 ^ k0;
        c2 = static_cast<std::uint32_t>(a >> 32) ^ c3 ^ k1;
        c1 = static_cast<std::uint32_t>(b);
        c3 = static_cast<std::uint32_t>(a);
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    return {{c0, c1, c2, c3}};
}

/// Whose random numbers: those of a key (the seed), of a draw in it (its stream, less than 2^16), of a call (less than 2^48) and of a turn of a loop.
struct stream_of {
    std::uint64_t key = 0;
    std::uint32_t stream = 0;
    std::uint64_t calls = 0;
    std::uint32_t turn = 0;

    /// A number alone is a key: where a stream is asked for, `42` is one.
    CROTON_HD constexpr stream_of(std::uint64_t k = 0, std::uint32_t s = 0, std::uint64_t c = 0, std::uint32_t t = 0)
        : key(k), stream(s), calls(c), turn(t) {}

    /// The counter of a block of words; of its number the low 32 bits count.
    CROTON_HD constexpr philox_block counter(std::uint32_t block) const {
        return {{block, turn, stream | static_cast<std::uint32_t>(calls >> 32) << 16, static_cast<std::uint32_t>(calls)}};
    }
};

/// What random numbers are made of: the bits of a stream of 64-bit words, the lowest first, of which a number takes 64 or 32 and a truth value 1.
/// Eight counters count side by side, and what they get lies in order: 64-bit word q = 16 b + 8 h + c of a draw has word 2 h of counter 8 b + c as its
/// upper half and word 2 h + 1 as its lower one. A draw repeats itself after 2^32 counters.
template <class Word>
concept random_words = std::same_as<Word, std::uint64_t> || std::same_as<Word, std::uint32_t> || std::same_as<Word, bool>;

template <random_words Word> inline constexpr int bits_of_word = std::same_as<Word, bool> ? 1 : static_cast<int>(8 * sizeof(Word));

/// How many positions share 32 counters, which are computed together: 64, 128 or 4096.
template <random_words Word> inline constexpr int positions_together = 4096 / bits_of_word<Word>;

/// The two 64-bit words of a counter, `word[1]` eight words behind `word[0]` in the stream.
struct philox_words_of_counter {
    std::uint64_t word[2];
};
CROTON_HD constexpr philox_words_of_counter words_with(const stream_of& s, std::uint64_t q) {
    const philox_block bits = philox4x32(s.counter(static_cast<std::uint32_t>(q / 16 * 8 + q % 8)), s.key);
    return {{std::uint64_t{bits.word[0]} << 32 | bits.word[1], std::uint64_t{bits.word[2]} << 32 | bits.word[3]}};
}

/// The random word at a position, row-major, of what is drawn.
template <random_words Word> CROTON_HD constexpr Word random_word(const stream_of& s, std::uint64_t position) {
    constexpr std::uint64_t bits = bits_of_word<Word>, in_one = 64 / bits;
    const std::uint64_t q = position / in_one, word = words_with(s, q).word[q % 16 >= 8 ? 1 : 0] >> position % in_one * bits;
    if constexpr (bits == 1) return (word & 1) != 0;
    else return static_cast<Word>(word);
}
template <random_words Word>
CROTON_HD constexpr Word random_word(std::uint64_t key, std::uint32_t stream, std::uint64_t calls, std::uint32_t turn, std::uint64_t position) {
    return random_word<Word>(stream_of{key, stream, calls, turn}, position);
}

/// Sixteen bits at a position for the price of eight: the upper byte is its own, and the lower one is the exclusive or of all bytes of its counter,
/// which the sixteen positions of that counter share. So each is uniform, and any fifteen positions have upper bytes that are independent of each
/// other and of what they share. Of a run of 64 positions the first 32 have the upper bytes of its 16-bit words, the others the lower ones: where
/// many are computed at once, no byte moves to another lane.
inline constexpr int coarse_together = 512;
CROTON_HD constexpr std::uint16_t coarse_word(const stream_of& s, std::uint64_t position) {
    const std::uint64_t q = position / 64 * 8 + position % 32 / 4;
    const philox_words_of_counter both = words_with(s, q);
    const std::uint32_t own = static_cast<std::uint16_t>(both.word[q % 16 >= 8 ? 1 : 0] >> position % 4 * 16);
    std::uint64_t shared = both.word[0] ^ both.word[1];
    shared ^= shared >> 32;
    shared ^= shared >> 16;
    shared ^= shared >> 8;
    return static_cast<std::uint16_t>((position % 64 < 32 ? own & 0xff00 : own << 8) | (shared & 0xff));
}

/// A number from 0 to 1, 1 not among them, of the upper 24 bits of a word or the upper 53 of two.
CROTON_HD constexpr float unit_number(std::uint32_t word) { return static_cast<float>(static_cast<std::int32_t>(word >> 8)) * 0x1p-24f; }
CROTON_HD constexpr double unit_number(std::uint64_t word) { return static_cast<double>(static_cast<std::int64_t>(word >> 11)) * 0x1p-53; }

}  // namespace croton::inline v0_1::random

#endif
