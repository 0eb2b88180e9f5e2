// SPDX-License-Identifier: MIT
#include <croton/device/cpu/cpu.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

using namespace croton;
using namespace croton::detail::cpu_device;

namespace {

using arch = simd::native;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// Orders that sort routines stumble over.
template <class Key> std::vector<Key> keys_of_kind(int kind, std::int64_t n) {
    std::mt19937_64 bits(static_cast<std::uint64_t>(kind) + 7);
    std::vector<Key> keys(at(n));
    for (std::int64_t i = 0; i < n; ++i) {
        const Key drawn = static_cast<Key>(bits());
        const Key of_kind[] = {drawn,
                               static_cast<Key>(i),
                               static_cast<Key>(-i),
                               static_cast<Key>(5),
                               static_cast<Key>(drawn % 3),
                               i % 4 == 0 ? drawn : std::numeric_limits<Key>::max(),
                               i % 4 == 0 ? drawn : std::numeric_limits<Key>::min(),
                               static_cast<Key>(i < n / 2 ? i : n - i),
                               static_cast<Key>(i % 2 == 0 ? i : drawn % 100)};
        keys[at(i)] = of_kind[kind];
    }
    return keys;
}
constexpr int kinds = 9;

template <class Key> void check_words() {
    for (const std::int64_t n : {0, 1, 2, 7, 15, 16, 17, 31, 33, 63, 64, 65, 127, 255, 256, 257, 511, 512, 513, 530, 1000, 1024, 1025, 3000, 8192, 20001})
        for (int kind = 0; kind < kinds; ++kind) {
            CAPTURE(n);
            CAPTURE(kind);
            const auto keys = keys_of_kind<Key>(kind, n);
            auto sorted = keys;
            std::sort(sorted.begin(), sorted.end());
            for (const std::int64_t wanted : {n, n / 2, std::min<std::int64_t>(n, 3), std::int64_t{0}}) {
                CAPTURE(wanted);
                // What lies behind the words is another's.
                auto words = keys, other = keys;
                words.push_back(Key{42}), other.push_back(Key{43});
                sort_words<arch>(words.data(), other.data(), n, wanted);
                CHECK((words.back() == 42 && other.back() == 43));
                words.pop_back();
                CHECK(std::equal(words.begin(), words.begin() + wanted, sorted.begin()));
                std::sort(words.begin(), words.end());
                CHECK(words == sorted);
            }
        }
}
TEST_CASE("words are sorted, all or the first, in any order they come in") {
    check_words<std::int32_t>();
    check_words<std::int64_t>();
}

template <class Key> void check_places() {
    for (const std::int64_t n : {1, 2, 3, 40, 600, 3000, 20000})
        for (int kind = 0; kind < kinds; ++kind) {
            const auto keys = keys_of_kind<Key>(kind, n);
            auto sorted = keys;
            std::sort(sorted.begin(), sorted.end());
            // One behind the end is no place; a negative one counts from there.
            for (const std::vector<std::int64_t>& places : std::vector<std::vector<std::int64_t>>{
                     {0}, {n - 1}, {n / 2, n / 2 + 1, n - 1}, {-1, n / 3, 0}, {n, n / 4, n / 4 - 1, n / 4 - 2}, {}, {9 * n / 10, n / 10, n / 2},
                     {0, n / 10, n / 9, n / 8, n / 7, n / 6, n / 5, n / 4, n / 3, n / 2}}) {
                auto words = keys, other = keys;
                sort_words_at<arch>(words.data(), other.data(), n, {places.data(), static_cast<std::int64_t>(places.size()), 1});
                for (const std::int64_t place : places) {
                    const std::int64_t p = place < 0 ? place + n : place;
                    if (p < 0 || p >= n) continue;
                    CHECK(words[at(p)] == sorted[at(p)]);
                    CHECK(std::all_of(words.begin(), words.begin() + p, [&](Key k) { return k <= sorted[at(p)]; }));
                    CHECK(std::all_of(words.begin() + p, words.end(), [&](Key k) { return k >= sorted[at(p)]; }));
                }
                std::sort(words.begin(), words.end());
                CHECK(words == sorted);
            }
        }
}
TEST_CASE("words are sorted at a few places") {
    check_places<std::int32_t>();
    check_places<std::int64_t>();
}

template <class Key> void check_digits() {
    for (int kind = 0; kind < kinds; ++kind) {
        const auto keys = keys_of_kind<Key>(kind, 3000);
        auto sorted = keys;
        std::sort(sorted.begin(), sorted.end());
        auto words = keys, other = keys;
        sort_digits(words.data(), other.data(), 3000);
        CHECK(words == sorted);
#if CROTON_HAS_COMPUTED_SHUFFLES
        // As keys that are parted often enough.
        using quick = quick_sort<Key, arch>;
        for (int depth = 0; quick::parts && depth < 3; ++depth) {
            words = keys;
            quick::sort_parted(words.data(), other.data(), 3000, 3000, depth);
            CHECK(words == sorted);
        }
#endif
    }
}
TEST_CASE("keys whose parts do not become small are sorted by their digits") {
    check_digits<std::int32_t>();
    check_digits<std::int64_t>();
}

template <class Key> void check_parts() {
#if CROTON_HAS_COMPUTED_SHUFFLES
    using quick = quick_sort<Key, arch>;
    for (std::int64_t n = 0; n < 90; ++n)
        for (int kind = 0; kind < kinds; ++kind) {
            auto keys = keys_of_kind<Key>(kind, n);
            for (const Key limit : {Key{5}, Key{0}, std::numeric_limits<Key>::min(), std::numeric_limits<Key>::max()}) {
                std::vector<Key> parted(at(n) + 2, Key{77});
                const std::int64_t low = quick::part(keys.data(), parted.data() + 1, n, limit);
                CHECK(low == std::count_if(keys.begin(), keys.end(), [&](Key k) { return k < limit; }));
                CHECK((parted.front() == 77 && parted.back() == 77));
                CHECK(std::all_of(parted.begin() + 1, parted.begin() + 1 + low, [&](Key k) { return k < limit; }));
                std::vector<Key> all(parted.begin() + 1, parted.end() - 1);
                std::sort(all.begin(), all.end());
                auto expected = keys;
                std::sort(expected.begin(), expected.end());
                CHECK(all == expected);
            }
        }
#endif
}
TEST_CASE("keys are parted at a limit, and nothing besides is written") {
    check_parts<std::int32_t>();
    check_parts<std::int64_t>();
}

template <class T> void check_places(const std::vector<T>& x) {
    const auto n = static_cast<std::int64_t>(x.size());
    const auto key = [&](std::int64_t i) { return order_of<T>::template in<false>(x[at(i)]); };
    std::vector<std::int64_t> expected(at(n));
    std::iota(expected.begin(), expected.end(), 0);
    std::stable_sort(expected.begin(), expected.end(), [&](std::int64_t a, std::int64_t b) { return kernel::stands_before<false>(x[at(a)], x[at(b)]); });
    for (const std::int64_t wanted : {n, n / 2, std::min<std::int64_t>(n, 5), std::int64_t{0}}) {
        std::vector<std::int64_t> words(at(2 * n));
        placed_keys keys;
        keys.take(words.data(), n, key);
        sort_words<arch>(words.data(), words.data() + n, n, wanted);
        keys.settle(words.data(), n, wanted, key);
        std::vector<std::int64_t> found(at(wanted));
        for (std::int64_t i = 0; i < wanted; ++i) found[at(i)] = keys.place(words[at(i)]);
        CHECK(std::equal(found.begin(), found.end(), expected.begin()));
        for (std::int64_t i = 1; i < wanted; ++i) CHECK(keys.have_one_key(words[at(i) - 1], words[at(i)], key) == (key(found[at(i) - 1]) == key(found[at(i)])));
    }
}
TEST_CASE("places of numbers whose keys have no room beside them") {
    std::mt19937_64 bits(1);
    for (const std::int64_t n : {0, 1, 2, 40, 700, 5000}) {
        std::vector<double> all(at(n)), close(at(n)), whole(at(n));
        std::vector<std::int64_t> integers(at(n)), small(at(n));
        std::vector<std::uint64_t> without_sign(at(n));
        std::vector<float> floats(at(n));
        for (std::int64_t i = 0; i < n; ++i) {
            const std::uint64_t drawn = bits();
            all[at(i)] = static_cast<double>(static_cast<std::int64_t>(drawn)) * 1e-12;
            // They differ in the last bits only, and one of them makes the range of all of them large.
            close[at(i)] = i == n / 2 ? -1e300 : 1 + static_cast<double>(drawn % 64) * std::numeric_limits<double>::epsilon();
            whole[at(i)] = static_cast<double>(drawn % 10);
            integers[at(i)] = static_cast<std::int64_t>(drawn);
            small[at(i)] = static_cast<std::int64_t>(drawn % 1000) - 500;
            without_sign[at(i)] = drawn;
            floats[at(i)] = static_cast<float>(static_cast<std::int64_t>(drawn % 200) - 100);
        }
        if (n > 10) {
            all[3] = whole[3] = close[3] = std::nan("");
            all[5] = all[6] = -0.0, all[7] = 0;
            whole[8] = std::numeric_limits<double>::infinity(), whole[9] = -whole[8];
            integers[2] = std::numeric_limits<std::int64_t>::min(), integers[4] = std::numeric_limits<std::int64_t>::max();
        }
        check_places(all);
        check_places(close);
        check_places(whole);
        check_places(integers);
        check_places(small);
        check_places(without_sign);
        check_places(floats);
    }
}

}  // namespace
