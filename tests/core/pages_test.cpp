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

TEST_CASE("a large block asks for large pages, all that are wholly in it, and a small one does not") {
    if (!has_huge_pages()) return;
    constexpr std::size_t page = detail::huge_page;
    for (const std::size_t bytes : {2 * page, 3 * page + 12345, 20 * page}) {
        CAPTURE(bytes);
        auto* const block = static_cast<std::byte*>(detail::allocate_on_host(bytes));
        CHECK(reinterpret_cast<std::uintptr_t>(block) % detail::host_alignment == 0);
        std::memset(block, 1, bytes);
        const std::size_t first = (page - reinterpret_cast<std::uintptr_t>(block) % page) % page;
        CHECK(is_asked_for(block + first));
        CHECK(is_asked_for(block + first + page - 1));
        const std::size_t end = (reinterpret_cast<std::uintptr_t>(block) + bytes) / page * page - reinterpret_cast<std::uintptr_t>(block);
        CHECK(is_asked_for(block + end - 1));
        if (first != 0) CHECK_FALSE(is_asked_for(block));
        detail::deallocate_on_host(block);
    }
    auto* const small = static_cast<std::byte*>(detail::allocate_on_host(2 * page - 1));
    small[0] = std::byte{1};
    CHECK_FALSE(is_asked_for(small));
    CHECK_FALSE(is_asked_for(small + page - 1));
    detail::deallocate_on_host(small);
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
