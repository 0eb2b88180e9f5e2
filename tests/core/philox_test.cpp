// SPDX-License-Identifier: MIT
// Philox4x32-10 against the vectors published with Random123, and which words belong to which position.
#include <doctest/doctest.h>

#include <cstdint>
#include <set>

#include <croton/core/philox.hpp>

using namespace croton;

namespace {

using random::philox4x32, random::random_word;

static_assert(philox4x32({}, 0) == random::philox_block{{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
static_assert(philox4x32({{~0u, ~0u, ~0u, ~0u}}, ~std::uint64_t{0}) == random::philox_block{{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
static_assert(philox4x32({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0x299f31d0a4093822) ==
              random::philox_block{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});
static_assert(random_word<std::uint32_t>(0, 0, 0, 0, 0) == 0xe169c58d && random_word<std::uint32_t>(0, 0, 0, 0, 17) == 0xbc57ac4c);
static_assert(random_word<std::uint64_t>(0, 0, 0, 0, 0) == 0x6627e8d5e169c58d && random_word<std::uint64_t>(0, 0, 0, 0, 8) == 0xbc57ac4c9b00dbd8);
static_assert(random_word<bool>(0, 0, 0, 0, 0) && !random_word<bool>(0, 0, 0, 0, 1) && !random_word<bool>(0, 0, 0, 0, 63) && random_word<bool>(0, 0, 0, 0, 8 * 64 + 3));
// The exclusive or of all bytes of the first counter is 0x66 ^ 0x27 ^ ... ^ 0xd8 = 0x2f.
static_assert(random::coarse_word({0}, 0) == 0xc52f && random::coarse_word({0}, 3) == 0x662f && random::coarse_word({0}, 32) == 0x8d2f && random::coarse_word({0}, 64 + 35) == 0x572f);
static_assert(random::unit_number(~std::uint32_t{0}) == 1 - 0x1p-24f && random::unit_number(~std::uint64_t{0}) == 1 - 0x1p-53);

TEST_CASE("the vectors of Random123") {
    // The same as above at run time, where a compiler may have taken another way.
    volatile std::uint32_t none = 0, all = ~0u;
    CHECK(philox4x32({{none, none, none, none}}, none) == random::philox_block{{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
    CHECK(philox4x32({{all, all, all, all}}, ~std::uint64_t{none}) == random::philox_block{{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
    CHECK(philox4x32({{none + 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0x299f31d0a4093822) ==
          random::philox_block{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});
}

TEST_CASE("what a position gets: each word of each counter once") {
    const random::stream_of s{7, 3, (std::uint64_t{5} << 32) | 9, 2};
    CHECK(s.counter(11) == random::philox_block{{11, 2, 3 | 5 << 16, 9}});
    std::set<std::uint32_t> drawn, counted;
    for (std::uint32_t p = 0; p < 256; ++p) drawn.insert(random_word<std::uint32_t>(s, p));
    for (std::uint32_t c = 0; c < 64; ++c)
        for (const std::uint32_t word : philox4x32(s.counter(c), s.key).word) counted.insert(word);
    CHECK(drawn == counted);
    CHECK(random_word<std::uint32_t>(s, 64 + 16 + 5) == philox4x32(s.counter(18), s.key).word[2]);
    for (std::uint32_t p = 0; p < 128; ++p) {
        const std::uint64_t both = random_word<std::uint64_t>(s, p);
        const auto low = static_cast<std::uint32_t>(both), high = static_cast<std::uint32_t>(both >> 32);
        CHECK(counted.erase(low) == 1);
        CHECK(counted.erase(high) == 1);
        CHECK(random_word<std::uint32_t>(s, 2 * p) == low);
        CHECK(random_word<std::uint32_t>(s, 2 * p + 1) == high);
        for (std::uint32_t i = 0; i < 64; ++i) CHECK(random_word<bool>(s, 64 * p + i) == ((both >> i & 1) != 0));
        // Of eight neighbouring words, which are 64 positions, the upper bytes of their quarters come first.
        for (std::uint32_t i = 0; i < 4; ++i) {
            const std::uint32_t at = p / 8 * 64 + p % 8 * 4 + i;
            const std::uint16_t upper = random::coarse_word(s, at), lower = random::coarse_word(s, at + 32);
            CHECK((upper >> 8) == (both >> (16 * i + 8) & 0xff));
            CHECK((lower >> 8) == (both >> 16 * i & 0xff));
            CHECK((upper & 0xff) == (lower & 0xff));
        }
    }
    CHECK(counted.empty());
}

}  // namespace
