// SPDX-License-Identifier: MIT
// Memory that functions keep: aligned, and in huge pages where it is large and the system has them.
#include <croton/croton.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

using namespace croton;

namespace {

std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

/// What the system says of the memory that `p` lies in: the line of its flags, empty where it says nothing.
[[maybe_unused]] std::string flags_of(const void* p) {
    std::ifstream in("/proc/self/smaps");
    bool here = false;
    for (std::string line; std::getline(in, line);) {
        const std::size_t dash = line.find('-');
        if (dash != std::string::npos && dash < line.find(' ')) {
            const std::uintptr_t from = std::stoull(line.substr(0, dash), nullptr, 16), to = std::stoull(line.substr(dash + 1), nullptr, 16);
            here = from <= address(p) && address(p) < to;
        } else if (here && line.starts_with("VmFlags:")) {
            return line + " ";
        }
    }
    return {};
}

}  // namespace

TEST_CASE("kept memory is aligned and whole") {
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{4096}, (std::size_t{16} << 20) - 1, std::size_t{16} << 20, (std::size_t{19} << 20) + 5}) {
        auto* const made = static_cast<unsigned char*>(cpu::allocate(bytes));
        CHECK(address(made) % 64 == 0);
        std::memset(made, 7, bytes);
        CHECK(made[0] + made[bytes / 2] + made[bytes - 1] == 21);
        cpu::deallocate(made, bytes);
    }
    cpu::deallocate(nullptr, 0);
}

#if CROTON_HAS_HUGE_PAGES
TEST_CASE("large kept memory asks for huge pages") {
    const std::size_t small = std::size_t{1} << 20, large = std::size_t{32} << 20;
    void *const little = cpu::allocate(small), *const much = cpu::allocate(large);
    CHECK(address(much) % (std::size_t{2} << 20) == 64);
    // A system whose memory has no huge pages at all knows no such wish.
    if (std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled").good() && !flags_of(much).empty()) {
        CHECK(flags_of(much).find(" hg ") != std::string::npos);
        CHECK(flags_of(static_cast<unsigned char*>(much) + large - 1).find(" hg ") != std::string::npos);
        CHECK(flags_of(little).find(" hg ") == std::string::npos);
    }
    cpu::deallocate(little, small);
    cpu::deallocate(much, large);
}
#endif

TEST_CASE("a function computes in huge pages") {
    // The product is a temporary of 16 MB, of which loops along rows and along columns both ask.
    auto f = function<cpu>([](matrix<float> a, matrix<float> b) {
        auto c = matmul(a, b);
        return outputs(sum<0>(exp(c)), max<1>(c));
    });
    constexpr int n = 2048;
    array<float, 2> a(n, 2), b(2, n);
    a.fill(1);
    b.fill(0.5);
    const auto [sums, most] = f(a, b);
    bool right = true;
    for (int i = 0; i < n; ++i) right = right && std::abs(sums(i) - n * std::exp(1.0f)) < 1 && most(i) == 1;
    CHECK(right);
}
