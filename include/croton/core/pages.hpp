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

/// The bytes of a block whose beginning is large pages, or 0 of a block that has none. One page more takes the place of what is left over, where it adds an eighth at most.
constexpr std::size_t in_huge_pages(std::size_t bytes) {
    if (!CROTON_HAS_HUGE_PAGES || bytes > PTRDIFF_MAX - 2 * huge_page) return 0;
    const std::size_t rest = bytes % huge_page, more = rest == 0 ? 0 : huge_page - rest;
    if (more <= bytes / 8) return bytes + more;
    return bytes < huge_page ? 0 : bytes;
}

/// Memory for `bytes` bytes on the host, aligned to 64; throws `std::bad_alloc`. With pages of two megabytes a pass over it waits less for the translation of addresses, and a new block
/// has hundreds of times fewer pages to be found for it. A block that has room for them begins with one: memory in front of it, which nothing touches but for one address, makes up for
/// where the system begins. Asking the system for such an alignment would have it look for memory anew each time.
inline void* allocate_on_host(std::size_t bytes) {
    const std::size_t paged = in_huge_pages(bytes);
    void* const room = ::operator new(paged == 0 ? bytes : paged + huge_page, std::align_val_t{host_alignment});
    if (paged == 0) return room;
    const auto first = reinterpret_cast<std::uintptr_t>(room);
    void** const block = reinterpret_cast<void**>((first + host_alignment + huge_page - 1) / huge_page * huge_page);
    block[-1] = room;
#if CROTON_HAS_HUGE_PAGES
    // A system that has none says so, and nothing is lost.
    static_cast<void>(::madvise(block, paged / huge_page * huge_page, MADV_HUGEPAGE));
#endif
    return block;
}
inline void deallocate_on_host(void* block, std::size_t bytes) noexcept {
    ::operator delete(in_huge_pages(bytes) == 0 ? block : static_cast<void**>(block)[-1], std::align_val_t{host_alignment});
}

}  // namespace croton::inline v0_1::detail

#endif
