// SPDX-License-Identifier: MIT
// 32 counters side by side: the words of Philox4x32-10.
#include <doctest/doctest.h>

#include <croton/device/cpu/pack.hpp>
#include <croton/device/cpu/philox.hpp>

#if CROTON_HAS_XSIMD

using namespace croton;

TEST_CASE("each word is that of its counter") {
    for (const std::uint32_t start : {0u, 96u, 0xffffffe0u}) {
        const random::stream_of s{0x299f31d0a4093822, 0x198a2e, 0x03707344, 0x85a308d3};
        std::uint64_t words[64];
        simd::philox_words<simd::native>(words, s.counter(start), s.key);
        for (std::uint64_t i = 0; i < 64; ++i) CHECK(words[i] == random::random_word<std::uint64_t>(s, std::uint64_t{start} * 2 + i));
    }
}

#endif
