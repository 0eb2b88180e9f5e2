// SPDX-License-Identifier: MIT
// Which blocks of memory ask for large pages, as the system tells of them in /proc.
#include <croton/array/storage.hpp>
#include <croton/core/pages.hpp>
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

using namespace croton;

namespace {

/// Whether the system knows of such pages, and whether the one at `place` was asked for.
bool has_huge_pages() { return CROTON_HAS_HUGE_PAGES && std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled").good() && std::ifstream("/proc/self/smaps").good(); }
bool is_asked_for(const std::byte* place) {
    std::ifstream maps("/proc/self/smaps");
    bool here = false;
    for (std::string line; std::getline(maps, line);) {
        std::size_t dash = 0;
        const bool begins = line.find('-') < line.find(' ') && line.find(' ') < line.find(':');
        if (begins) {
            const auto first = std::stoull(line, &dash, 16), end = std::stoull(line.substr(dash + 1), nullptr, 16), at = static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(place));
            here = first <= at && at < end;
        } else if (here && line.rfind("VmFlags:", 0) == 0) {
            return (line + ' ').find(" hg ") != std::string::npos;
        }
    }
    return false;
}

}  // namespace

// First of all: what memory was once asked for stays so.
TEST_CASE("a small block has no large page, nor has what lies before and behind those of a large one") {
    constexpr std::size_t page = detail::huge_page;
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{64}, page / 2, page - page / 5}) {
        CAPTURE(bytes);
        auto* const block = static_cast<std::byte*>(detail::allocate_on_host(bytes));
        CHECK(reinterpret_cast<std::uintptr_t>(block) % detail::host_alignment == 0);
        std::memset(block, 1, bytes);
        if (has_huge_pages()) CHECK_FALSE(is_asked_for(block));
        detail::deallocate_on_host(block, bytes);
    }
    constexpr std::size_t bytes = 2 * page + page / 2;
    auto* const block = static_cast<std::byte*>(detail::allocate_on_host(bytes));
    std::memset(block, 1, bytes);
    if (has_huge_pages()) {
        CHECK_FALSE(is_asked_for(block - 1));
        CHECK(is_asked_for(block));
        CHECK_FALSE(is_asked_for(block + 2 * page));
    }
    detail::deallocate_on_host(block, bytes);
}

TEST_CASE("a large block begins with a large page and asks for all that are in it; what an eighth fills up is one more") {
    constexpr std::size_t page = detail::huge_page;
    struct block_of { std::size_t bytes, asked; };
    for (const block_of of : {block_of{page, page}, {2 * page, 2 * page}, {20 * page, 20 * page}, {2 * page + page / 2, 2 * page}, {3 * page + 12345, 3 * page},
                                      {4'000'000, 2 * page}, {page - page / 10, page}}) {
        const auto bytes = of.bytes, asked = of.asked;
        CAPTURE(bytes);
        auto* const block = static_cast<std::byte*>(detail::allocate_on_host(bytes));
        std::memset(block, 1, bytes);
        if (CROTON_HAS_HUGE_PAGES) CHECK(reinterpret_cast<std::uintptr_t>(block) % page == 0);
        if (has_huge_pages()) {
            CHECK(is_asked_for(block));
            CHECK(is_asked_for(block + asked - 1));
        }
        detail::deallocate_on_host(block, bytes);
    }
}

TEST_CASE("what no block can have is asked of the system as it is, which refuses it") {
    for (const std::size_t bytes : {SIZE_MAX, SIZE_MAX - detail::huge_page, std::size_t{PTRDIFF_MAX}, std::size_t{PTRDIFF_MAX} - detail::huge_page}) CHECK(detail::in_huge_pages(bytes) == 0);
}

TEST_CASE("the memory of arrays, and of what functions keep between their steps, is such memory") {
    if (!has_huge_pages()) return;
    auto* const block = static_cast<std::byte*>(memory<cpu>::allocate(4 * detail::huge_page));
    block[0] = std::byte{1};
    CHECK(is_asked_for(block + detail::huge_page));
    memory<cpu>::deallocate(block, 4 * detail::huge_page);
    CHECK(memory<cpu>::allocate(0) == nullptr);
    memory<cpu>::deallocate(nullptr, 0);
}
