// SPDX-License-Identifier: MIT
// Sixteen counters side by side: the words of Philox4x32-10.
#include <doctest/doctest.h>

#include <croton/device/cpu/pack.hpp>
#include <croton/device/cpu/philox.hpp>

#if CROTON_HAS_XSIMD

using namespace croton;

TEST_CASE("each word is that of its counter") {
    for (const std::uint32_t start : {0u, 48u, 0xfffffff0u}) {
        const random::philox_block first{{start, 0x85a308d3, 0x13198a2e, 0x03707344}};
        std::uint32_t words[4][16];
        simd::philox_words<simd::native>(words, first, 0x299f31d0a4093822);
        for (std::uint32_t i = 0; i < 16; ++i) {
            const random::philox_block one = random::philox4x32({{start + i, first.word[1], first.word[2], first.word[3]}}, 0x299f31d0a4093822);
            for (int w = 0; w < 4; ++w) CHECK(words[w][i] == one.word[w]);
        }
    }
}

#endif
