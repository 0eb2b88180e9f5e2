// SPDX-License-Identifier: MIT
// Along an axis of large arrays: work is split among threads, and a call that has run before takes no memory.
#include <cstdlib>
#include <new>

#include "along.hpp"

using namespace croton;

namespace {

int allocations = 0;

}  // namespace

// Inlined, g++ would take the pair of aligned_alloc and operator delete for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t) {
    ++allocations;
    if (void* p = std::aligned_alloc(64, (size + 63) / 64 * 64)) return p;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    if (void* p = std::malloc(size)) return p;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

TEST_CASE("large arrays") {
    constexpr auto f = [](matrix<float> x) {
        return outputs(cumsum<0>(x), cumsum<1>(x), sort<0>(x), argsort<1>(x), grad(sum(logcumsumexp<0>(x) * sort<1>(x)), x));
    };
    for (const auto& extents : {extents_of<2>{1100, 1000}, {3, 400000}, {400000, 3}}) {
        const auto x = support::numbers(3).fill<float, 2>(extents, -1, 1);
        set_threads(1);
        const auto expected = function<cpu>(f)(x);
        set_threads(3);
        auto g = function<cpu>(f);
        auto y = expected;
        std::apply([](auto&... to) { (to.fill(0), ...); }, y);
        const auto call = [&] { std::apply([&](auto&... to) { g.call_into(std::tie(to...), x); }, y); };
        call();
        CHECK(y == expected);
        allocations = 0;
        call();
        CHECK(allocations == 0);
        set_threads(0);
    }
}
