// SPDX-License-Identifier: MIT
// Memory in pages of 2 MB where the system has them: of pages of 4 kB a processor looks up most addresses in tables that are in memory themselves.
#ifndef CROTON_DEVICE_CPU_HUGE_PAGES_HPP
#define CROTON_DEVICE_CPU_HUGE_PAGES_HPP

#include <croton/config.hpp>

#include <cstddef>
#include <new>

#if CROTON_HAS_HUGE_PAGES
#include <sys/mman.h>
#endif

namespace croton::inline v0_1::detail::cpu_device {

/// Of less memory a processor keeps most addresses of small pages (those of 8 to 16 MB on recent ones).
inline constexpr std::size_t huge_page = std::size_t{2} << 20, least_in_huge_pages = std::size_t{16} << 20;

/// Large blocks begin where those of usual allocators do, a line behind a page: what loops read and write beside them is at the same place of its pages. Adam on gradients that began
/// a line before the parameters took 1.02 of the time (22 MB of temporaries, Zen 4).
inline constexpr std::size_t behind_page = 64;

constexpr bool wants_huge_pages(std::size_t bytes) { return CROTON_HAS_HUGE_PAGES != 0 && bytes >= least_in_huge_pages; }

/// `bytes` bytes that are kept from call to call, 64-byte aligned; throws std::bad_alloc. It is only a wish that the pages be huge: a system without such pages has others.
inline void* allocate(std::size_t bytes) {
    if (!wants_huge_pages(bytes)) return ::operator new(bytes, std::align_val_t{64});
    // What is more than any memory has room for stays so.
    const std::size_t all = bytes + behind_page < bytes ? bytes : bytes + behind_page;
    auto* const made = static_cast<std::byte*>(::operator new(all, std::align_val_t{huge_page}));
#if CROTON_HAS_HUGE_PAGES
    static_cast<void>(::madvise(made, all, MADV_HUGEPAGE));
#endif
    return made + behind_page;
}
inline void deallocate(void* memory, std::size_t bytes) noexcept {
    if (memory == nullptr || !wants_huge_pages(bytes)) return ::operator delete(memory, std::align_val_t{64});
    ::operator delete(static_cast<std::byte*>(memory) - behind_page, std::align_val_t{huge_page});
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
