// SPDX-License-Identifier: MIT
// Which views share memory, against a list of their bytes.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <chrono>
#include <set>
#include <utility>

#include <croton/array/array.hpp>

#include "message_of.hpp"

using namespace croton;
using detail::repeats_elements;
using detail::share_memory;
using detail::strided_elements;

namespace {

struct some {
    std::int64_t start = 0, bytes = 1;
    int rank = 0;
    std::int64_t extents[max_rank] = {}, strides[max_rank] = {};

    strided_elements elements(const std::byte* memory) const { return {memory + start, extents, strides, rank, bytes}; }

    template <class F> void each(F&& f) const {
        std::int64_t index[max_rank] = {};
        for (int a = 0; a < rank; ++a)
            if (extents[a] == 0) return;
        for (;;) {
            std::int64_t at = start;
            for (int a = 0; a < rank; ++a) at += index[a] * strides[a] * bytes;
            f(at);
            int a = rank - 1;
            while (a >= 0 && ++index[a] == extents[a]) index[a--] = 0;
            if (a < 0) return;
        }
    }
    std::set<std::int64_t> all_bytes() const {
        std::set<std::int64_t> all;
        each([&](std::int64_t at) {
            for (std::int64_t b = 0; b < bytes; ++b) all.insert(at + b);
        });
        return all;
    }
    bool repeats() const {
        std::set<std::int64_t> seen;
        bool twice = false;
        each([&](std::int64_t at) { twice = !seen.insert(at).second || twice; });
        return twice;
    }
};

struct numbers {
    std::uint64_t state = 88172645463325252u;
    std::int64_t below(std::int64_t n) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return static_cast<std::int64_t>(state % static_cast<std::uint64_t>(n));
    }
};

some random_view(numbers& next) {
    some v;
    v.rank = static_cast<int>(next.below(5));
    v.bytes = std::int64_t{1} << next.below(4);
    v.start = 4096 + next.below(97);
    const std::int64_t furthest = 1 + next.below(40);
    for (int a = 0; a < v.rank; ++a) {
        v.extents[a] = next.below(12) == 0 ? 0 : 1 + next.below(v.rank > 3 ? 4 : 6);
        v.strides[a] = next.below(2 * furthest + 1) - furthest;
    }
    return v;
}

}  // namespace

TEST_CASE("random views: the same answer as from every byte") {
    numbers next;
    static const std::byte memory[8192] = {};
    int repeated = 0, shared = 0;
    constexpr int rounds = 20'000;
    for (int round = 0; round < rounds; ++round) {
        const some x = random_view(next), y = random_view(next);
        bool meet = false;
        const auto bytes = x.all_bytes();
        for (std::int64_t b : y.all_bytes()) meet = meet || bytes.contains(b);
        REQUIRE(repeats_elements(x.elements(memory)) == x.repeats());
        REQUIRE(share_memory(x.elements(memory), y.elements(memory)) == meet);
        REQUIRE(share_memory(y.elements(memory), x.elements(memory)) == meet);
        repeated += x.repeats();
        shared += meet;
    }
    // The views are of both kinds.
    CHECK(repeated > rounds / 20);
    CHECK(repeated < rounds - rounds / 20);
    CHECK(shared > rounds / 20);
    CHECK(shared < rounds - rounds / 20);
}

TEST_CASE("views of one array") {
    array<float, 2> a(6, 8);
    array<float, 1> line(10);
    const auto even = a.slice(1, 0, 8, 2), odd = a.slice(1, 1, 8, 2);
    CHECK(!even.overlaps(odd));
    CHECK(even.overlaps(a));
    CHECK(!a.slice(0, 0, 6, 2).overlaps(a.slice(0, 5, -1, -2)));
    CHECK(a.slice(0, 0, 6, 3).overlaps(a.slice(0, 5, -1, -2)));
    CHECK(!a.slice(0, 0, 3).slice(1, 4, 8).overlaps(a.slice(0, 2, 6).slice(1, 0, 4)));
    CHECK(a.slice(0, 0, 3).slice(1, 4, 8).overlaps(a.slice(0, 2, 6).slice(1, 0, 5)));
    CHECK(!a.slice(0, 3, 3).overlaps(a));
    CHECK(a.transpose().slice(0, 0, 6).overlaps(a));
    CHECK(!line.slice(0, 0, 10, 3).overlaps(line.slice(0, 1, 10, 3)));
    CHECK(line.slice(0, 0, 10, 3).overlaps(line.slice(0, 9, -1, -9)));
}

TEST_CASE("the answer comes soon, whatever the view") {
    const auto began = std::chrono::steady_clock::now();
    const auto repeats = [](std::initializer_list<std::int64_t> extents, std::initializer_list<std::int64_t> strides) {
        return repeats_elements({nullptr, extents.begin(), strides.begin(), static_cast<int>(extents.size()), 4});
    };
    const std::int64_t m = 1'000'003;
    CHECK(!repeats({m, m}, {m, 1}));
    CHECK(repeats({m, m}, {m - 1, 1}));
    CHECK(!repeats({m, m}, {m, m + 1}));
    CHECK(repeats({m, m + 1}, {m, m - 1}));
    CHECK(!repeats({2, 2, 2, 2, 2, 2, 2, 2}, {1, 2, 4, 8, 16, 32, 64, 128}));
    CHECK(repeats({2, 2, 2, 2, 2, 2, 2, 2}, {1, 2, 4, 8, 16, 32, 64, 127}));
    CHECK(!repeats({100, 100, 100, 100, 100, 100, 100, 100}, {1, 100, 10'000, 1'000'000, 100'000'000, 10'000'000'000, 1'000'000'000'000, 100'000'000'000'000}));
    // Axes of which no two have a divisor in common, and more indices than addresses.
    CHECK(repeats({999, 998, 997, 996, 995, 994, 993, 992}, {30'011, 30'013, 30'029, 30'047, 30'059, 30'071, 30'089, 30'091}));
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(1));
}

TEST_CASE("strides that reach beyond every memory are an error") {
    const std::int64_t far = std::int64_t{1} << 62;
    float x = 0;
    const auto message = [&](extents_of<2> extents, extents_of<2> strides) {
        return test::message_of<shape_error>([&] { view<float, 2>(&x, extents, strides); });
    };
    CHECK(message({2, 2}, {1, far}) == "the strides [1,4611686018427387904] of the extents [2,2] reach further than memory can address");
    CHECK(message({2, 2}, {-far - far, 1}) == "the strides [-9223372036854775808,1] of the extents [2,2] reach further than memory can address");
    CHECK(message({far, 1}, {1, 1}) != "");
    CHECK(message({1, 0}, {far, far}) == "");
    CHECK(message({far, 1}, {0, far}) == "");
}
