// SPDX-License-Identifier: MIT
// Memory of the host. A large block asks for large pages, where the system leaves that to programs.
#ifndef CROTON_CORE_PAGES_HPP
#define CROTON_CORE_PAGES_HPP

#include <cstddef>
#include <cstdint>
#include <new>

#include <croton/config.hpp>

#if CROTON_HAS_HUGE_PAGES
#include <sys/mman.h>
#endif

namespace croton::inline v0_1::detail {

inline constexpr std::size_t host_alignment = 64, huge_page = std::size_t{1} << 21;

/// Memory for `bytes` bytes on the host, aligned to 64; throws `std::bad_alloc`. With pages of two megabytes a pass over it waits less for the translation of addresses, and a new
/// block has hundreds of times fewer pages to be found for it. The whole ones among a block of at least four megabytes are asked for: no page that is part of another block.
inline void* allocate_on_host(std::size_t bytes) {
    void* const block = ::operator new(bytes, std::align_val_t{host_alignment});
#if CROTON_HAS_HUGE_PAGES
    if (bytes >= 2 * huge_page) {
        const auto first = reinterpret_cast<std::uintptr_t>(block), from = (first + huge_page - 1) / huge_page * huge_page, end = (first + bytes) / huge_page * huge_page;
        // A system that has none says so, and nothing is lost.
        static_cast<void>(::madvise(reinterpret_cast<void*>(from), end - from, MADV_HUGEPAGE));
    }
#endif
    return block;
}
inline void deallocate_on_host(void* block) noexcept { ::operator delete(block, std::align_val_t{host_alignment}); }

}  // namespace croton::inline v0_1::detail

#endif
