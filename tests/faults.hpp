// SPDX-License-Identifier: MIT
// Counts what a program allocates, and lets any allocation fail. For one unit of a program.
#ifndef CROTON_TESTS_FAULTS_HPP
#define CROTON_TESTS_FAULTS_HPP

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace test {

inline std::atomic<long> allocations{0};
inline std::atomic<long> until_failure{-1};  // how many more succeed; negative: all
inline std::atomic<bool> has_failed{false};

inline void* allocate(std::size_t bytes, std::size_t alignment) {
    ++allocations;
    if (until_failure >= 0 && until_failure-- == 0) {
        has_failed = true;
        throw std::bad_alloc();
    }
    // aligned_alloc wants a multiple of the alignment.
    void* block = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}

/// Within its life the allocation number `n` from 0 fails, once.
class failing_allocation {
public:
    explicit failing_allocation(long n) {
        has_failed = false;
        until_failure = n;
    }
    failing_allocation(const failing_allocation&) = delete;
    failing_allocation& operator=(const failing_allocation&) = delete;
    ~failing_allocation() { until_failure = -1; }
};

}  // namespace test

// Inlined, g++ would take the pair of aligned_alloc and operator delete for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t bytes) { return test::allocate(bytes == 0 ? 1 : bytes, alignof(std::max_align_t)); }
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return test::allocate(bytes == 0 ? 1 : bytes, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    try {
        return operator new(bytes);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
[[gnu::noinline]] void operator delete(void* block) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::size_t) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }

#endif
