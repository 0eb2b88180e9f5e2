// SPDX-License-Identifier: MIT
// Calls of which every allocation fails in turn: one that throws has changed nothing, and the next one is right.
#ifndef CROTON_TESTS_FAILING_CALLS_HPP
#define CROTON_TESTS_FAILING_CALLS_HPP

#include <doctest/doctest.h>

#include <cstddef>
#include <new>
#include <string>
#include <thread>

#include <croton/croton.hpp>

#include "faults.hpp"

namespace test {

using namespace croton;

template <class T, int Rank> void append(std::string& bits, const array<T, Rank>& a) {
    bits.append(reinterpret_cast<const char*>(a.data()), static_cast<std::size_t>(a.size()) * sizeof(T));
}

template <int Rank, class... I> array<float, Rank> numbers(int seed, I... extents) {
    array<float, Rank> a(extents...);
    for (float& x : a) x = static_cast<float>((seed = (seed * 7 + 3) % 113) - 56) / 100;
    return a;
}

/// `Story` is made anew for each allocation that fails. `call` is the call, `bits` everything that it may see and write.
template <class Story> void each_allocation_fails() {
    std::string unchanged, expected;
    {
        Story story;
        unchanged = story.bits();
        story.call();
        expected = story.bits();
    }
    int thrown = 0, overcome = 0;
    for (long n = 0;; ++n) {
        REQUIRE(n < 1000);
        bool failed = false, threw = false, left_alone = true, right = true;
        set_threads(1);
        set_threads(3);  // no worker is left
        // What a thread keeps is new in a new one.
        std::thread([&] {
            Story story;
            {
                const failing_allocation failure(n);
                try {
                    story.call();
                } catch (const std::bad_alloc&) {
                    threw = true;
                }
            }
            failed = has_failed;
            if (threw) {
                left_alone = story.bits() == unchanged && detail::current_recorder == nullptr;
                story.call();
            }
            right = story.bits() == expected && detail::current_recorder == nullptr;
        }).join();
        CAPTURE(n);
        CHECK(left_alone);
        CHECK(right);
        CHECK((failed || !threw));
        thrown += threw;
        overcome += failed && !threw;
        if (!failed) break;
    }
    CHECK(thrown + overcome > Story::allocates);
    set_threads(0);
}

}  // namespace test

#endif
