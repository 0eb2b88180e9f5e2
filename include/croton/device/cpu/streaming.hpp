// SPDX-License-Identifier: MIT
// Stores that go past the caches: of results that no cache would hold until somebody reads them.
#ifndef CROTON_DEVICE_CPU_STREAMING_HPP
#define CROTON_DEVICE_CPU_STREAMING_HPP

#include <croton/config.hpp>
#include <croton/device/cpu/analysis.hpp>

#if CROTON_HAS_XSIMD
#include <croton/device/cpu/avx512.hpp>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if CROTON_HAS_CACHE_SIZES
#include <unistd.h>
#endif

namespace croton::inline v0_1::detail::cpu_device {

/// Whether the instruction set has such stores, and its headers are there.
inline constexpr bool has_streaming = CROTON_HAS_XSIMD && CROTON_HAS_SSE2;

/// No result of fewer elements is stored past the caches, whatever its type.
inline constexpr std::int64_t least_streamed = std::int64_t{1} << 21;

/// From how many bytes on a result is stored past the caches: as many as the last one holds, so that the first of them would have left it before the last one comes. A
/// store within the caches reads its line from memory first and writes it later. On a virtual Xeon whose last cache of 480 MB others use as well, results of 64 to 256 MB
/// take 0.66 to 1.0 of the time for y = 2 x, where x is what is waited for, 0.8 to 1.0 for exp(x) and 0.62 to 0.77 where there are two results of one x; with 2 to 32 MB
/// both ways take as long (bench/results/2026-11-24-stores.txt). Hence the most.
inline std::int64_t streamed_from() {
    static const std::int64_t bytes = [] {
        constexpr std::int64_t least = 8 * least_streamed, most = std::int64_t{1} << 26;
        std::int64_t last = 0;
#if CROTON_HAS_CACHE_SIZES
        last = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
        return last > 0 ? std::clamp(last, least, most) : most;
    }();
    return bytes;
}

/// Runs that are shorter are stored as ever: their first and last lines, which other runs share, are too many of them.
inline constexpr std::int64_t least_streamed_run = 1024;

/// How a loop whose elements lie side by side touches memory: its slots, and its axes from the outermost on.
struct touched_memory {
    int slots;
    const std::uint8_t *uses, *bytes;
    const operand* slot;
    int rank;
    const std::int64_t* extents;
};

/// Whether what such a loop only stores is to go past the caches: it is more than they hold, and none of it lies where the loop reads. A loop that reads more than three
/// arrays for each that it stores gains nothing: a = b c - d takes 0.9 to 0.99 of the time at 64 to 256 MB, one array more 1.0 to 1.05.
template <class Arch> [[gnu::noinline]] bool streams_results(const touched_memory& m) {
    int read = 0, stored = 0;
    for (int s = 0; s < m.slots; ++s) {
        if ((m.uses[s] & role_load) != 0) ++read;
        if (m.uses[s] == 0 || (m.uses[s] & role_stream) != role_store) continue;
        ++stored;
        std::int64_t bytes = m.bytes[s];
        if (m.extents[m.rank - 1] * bytes < least_streamed_run) return false;
        for (int a = 0; a < m.rank; ++a) bytes *= m.slot[s].stride[static_cast<std::size_t>(a)] != 0 ? m.extents[a] : 1;
        if (bytes < streamed_from()) return false;
        for (int other = 0; other < m.slots; ++other)
            if (other != s && m.uses[other] != 0 && m.slot[other].data == m.slot[s].data) return false;
    }
    return stored > 0 && read <= 3 * stored;
}

/// Copies `bytes` bytes past the caches of what they are written to. `settle_stores` must follow before another thread reads them.
template <class Arch> [[gnu::noinline]] void copy_streaming([[maybe_unused]] std::byte* to, [[maybe_unused]] const std::byte* from, [[maybe_unused]] std::int64_t bytes) {
#if CROTON_HAS_XSIMD && CROTON_HAS_SSE2
    constexpr std::int64_t line = 64;
    // Whole lines: a part of one would be read first all the same.
    const std::int64_t head = std::min(bytes, (line - static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) % line)) % line);
    std::memcpy(to, from, static_cast<std::size_t>(head));
    std::int64_t i = head;
    for (; i + line <= bytes; i += line) {
#if CROTON_HAS_AVX512
        _mm512_stream_si512(reinterpret_cast<__m512i*>(to + i), _mm512_loadu_si512(from + i));
#elif CROTON_HAS_AVX2
        for (std::int64_t k = 0; k < line; k += 32)
            _mm256_stream_si256(reinterpret_cast<__m256i*>(to + i + k), _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i + k)));
#else
        for (std::int64_t k = 0; k < line; k += 16)
            _mm_stream_si128(reinterpret_cast<__m128i*>(to + i + k), _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i + k)));
#endif
    }
    std::memcpy(to + i, from + i, static_cast<std::size_t>(bytes - i));
#endif
}

/// What this thread stored past the caches is there for the others before anything that it stores later.
template <class Arch> void settle_stores() {
#if CROTON_HAS_XSIMD && CROTON_HAS_SSE2
    _mm_sfence();
#endif
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
