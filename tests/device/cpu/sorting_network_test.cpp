// SPDX-License-Identifier: MIT
#include <croton/device/cpu/cpu.hpp>
#include <croton/device/cpu/sorting_network.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using namespace croton;

namespace {

using arch = simd::native;

// `spread` values, of both signs: few of them, so that many are equal, or nearly all different.
template <class Key> std::vector<Key> drawn(std::int64_t count, std::uint64_t spread, std::mt19937_64& bits) {
    std::vector<Key> keys(static_cast<std::size_t>(count));
    for (Key& key : keys) key = spread == 0 ? static_cast<Key>(bits()) : static_cast<Key>(bits() % spread) - 1;
    // As if there were NaN.
    if (!keys.empty()) keys[keys.size() / 2] = std::numeric_limits<Key>::max();
    return keys;
}

template <class Key> void check_rows() {
    using network = detail::cpu_device::sorting_network<Key, arch>;
    std::mt19937_64 bits(3);
    for (std::int64_t length = 0; length < 140; length = length < 70 ? length + 1 : length + 13)
        for (const std::uint64_t spread : {2u, 17u, 0u}) {
            auto keys = drawn<Key>(network::width * length, spread, bits);
            auto expected = keys, other = keys;
            for (std::int64_t row = 0; row < network::width; ++row) std::sort(expected.begin() + row * length, expected.begin() + (row + 1) * length);
            network::sort_rows(keys.data(), other.data(), length);
            CHECK(keys == expected);
        }
}

template <class Key> void check_row() {
#if CROTON_HAS_COMPUTED_SHUFFLES
    using network = detail::cpu_device::sorting_network<Key, arch>;
    std::mt19937_64 bits(5);
    for (const std::int64_t length : {1, 2, 15, 16, 17, 64, 65, 255, 256, 257, 700, 1024, 1025, 2048})
        for (const std::uint64_t spread : {2u, 17u, 0u}) {
            auto keys = drawn<Key>(length, spread, bits);
            auto expected = keys;
            std::sort(expected.begin(), expected.end());
            keys.resize(static_cast<std::size_t>(network::padded(length)));
            auto other = keys;
            network::sort_row(keys.data(), other.data(), length);
            other.resize(expected.size());
            CHECK(other == expected);
        }
#endif
}

TEST_CASE("a network sorts as many rows as a register has lanes") {
    check_rows<std::int32_t>();
    check_rows<std::int64_t>();
}
TEST_CASE("a network sorts one row by its lanes and merges them") {
    check_row<std::int32_t>();
    check_row<std::int64_t>();
}

}  // namespace
