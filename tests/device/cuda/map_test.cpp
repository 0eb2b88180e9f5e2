// SPDX-License-Identifier: MIT
// The arithmetic that leads from the number of an element to its place, for arrays of any size.
#include <doctest/doctest.h>

#include <random>
#include <vector>

#include <croton/device/cuda/engine.hpp>

using namespace croton::detail::cuda_device;

TEST_CASE("division by multiplication") {
    std::mt19937 random(1);
    std::vector<std::int64_t> divisors{1, 2, 3, 5, 7, 10, 31, 32, 33, 127, 128, 129, 641, 784, 65535, 65536, 65537, 0x7ffffffe, 0x7fffffff};
    for (int i = 0; i < 2000; ++i) divisors.push_back(1 + static_cast<std::int64_t>(random() >> (1 + random() % 30)));
    for (const std::int64_t d : divisors) {
        const axis a = axis::of(d);
        const auto check = [&](std::int64_t n) {
            if (n < 0 || n > 0x7fffffff) return;
            if (a.divide(static_cast<std::uint32_t>(n)) != static_cast<std::uint32_t>(n / d)) {
                CAPTURE(d);
                CAPTURE(n);
                FAIL("wrong quotient");
            }
        };
        for (std::int64_t n : {std::int64_t{0}, std::int64_t{1}, d - 1, d, d + 1, 2 * d - 1, 2 * d, std::int64_t{0x7fffffff}, std::int64_t{0x7ffffffe}, 0x7fffffff / d * d, 0x7fffffff / d * d - 1}) check(n);
        for (int i = 0; i < 200; ++i) check(static_cast<std::int64_t>(random() >> 1));
    }
}

namespace {

template <int Rank> void check_decode(const std::vector<std::int64_t>& extents) {
    axes<Rank> x;
    x.first = Rank - static_cast<int>(extents.size());
    std::int64_t size = 1;
    for (std::size_t i = 0; i < extents.size(); ++i) {
        x.at[x.first + static_cast<int>(i)] = axis::of(extents[i]);
        size *= extents[i];
    }
    x.settle();
    CHECK(x.big == (size > 0x7fffffff));
    CHECK(x.size() == size);
    std::mt19937_64 random(3);
    for (int i = 0; i < 500; ++i) {
        const std::int64_t n = i < 3 ? size - 1 - i : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size));
        if (n < 0) continue;
        std::int64_t index[Rank];
        x.decode(n, index);
        std::int64_t back = 0;
        for (int a = 0; a < Rank; ++a) {
            REQUIRE(index[a] >= 0);
            REQUIRE(index[a] < x.at[a].extent);
            back = back * x.at[a].extent + index[a];
        }
        REQUIRE(back == n);
    }
}

}  // namespace

TEST_CASE("indices, also beyond 2^31 elements") {
    check_decode<1>({17});
    check_decode<3>({17});
    check_decode<3>({2, 3, 5});
    check_decode<4>({7, 1, 129});
    check_decode<2>({65536, 32767});
    check_decode<2>({65536, 32768});
    check_decode<2>({65536, 32769});
    check_decode<1>({std::int64_t{5} << 31});
    check_decode<2>({3, std::int64_t{5} << 31});
    check_decode<2>({std::int64_t{5} << 31, 3});
    check_decode<3>({100'000, 100'000, 1'000});
    check_decode<8>({3, 5, 7, 11, 13, 17, 19, 23});
}

TEST_CASE("loops of more than 2^31 elements: where the last one lies") {
    // Nothing runs: the offsets that the kernel computes for the last element are compared with plain arithmetic.
    using croton::kernel::block;
    using croton::kernel::load;
    using element = block<load<float, 0>>;
    using kernel_type = croton::kernel::kernel<0, 3, block<>, block<>, croton::kernel::phase<element, block<>, block<>>>;
    using loops = sweep<kernel_type, element, 1>;
    typename body<kernel_type, 1>::args a{};
    const std::int64_t extents[] = {70'000, 300, 200}, strides[] = {60'000, 200, 1};
    for (int x = 0; x < 3; ++x) {
        a.inner.at[x] = axis::of(extents[x]);
        a.stride[0][x] = strides[x];
    }
    a.inner.first = 0;
    a.inner.settle();
    const std::int64_t size = extents[0] * extents[1] * extents[2];
    REQUIRE(size > std::int64_t{1} << 31);
    for (const std::int64_t n : {size - 1, size / 2, std::int64_t{1} << 31, (std::int64_t{1} << 31) - 1, (std::int64_t{1} << 32) + 12345}) {
        std::int64_t index[3];
        a.inner.decode(n, index);
        CHECK(loops::offset(a, 0, index) == n);
    }
}
