// SPDX-License-Identifier: MIT
// Results that are stored past the caches: which ones, and that they are the same.
#include <croton/croton.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

using namespace croton;
namespace of = croton::detail::cpu_device;

TEST_CASE("bytes past the caches, and nothing beside them") {
    if constexpr (of::has_streaming) {
        std::vector<std::byte> from(600), to(800);
        for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i % 251 + 1);
        for (std::size_t offset = 0; offset < 65; ++offset)
            for (std::size_t bytes : {0u, 1u, 7u, 63u, 64u, 65u, 127u, 128u, 129u, 500u}) {
                CAPTURE(offset);
                CAPTURE(bytes);
                std::fill(to.begin(), to.end(), std::byte{0});
                of::copy_streaming<simd::native>(to.data() + offset, from.data() + 3, static_cast<std::int64_t>(bytes));
                of::settle_stores<simd::native>();
                bool right = true;
                for (std::size_t i = 0; i < to.size(); ++i) right = right && to[i] == (i >= offset && i < offset + bytes ? from[i - offset + 3] : std::byte{0});
                CHECK(right);
            }
    }
}

TEST_CASE("what is stored past the caches") {
    const std::uint8_t uses[] = {kernel::role_load, kernel::role_store, kernel::role_load, kernel::role_load, kernel::role_load}, bytes[] = {4, 4, 4, 4, 4};
    std::byte x{}, y{}, z{};
    kernel::operand slot[] = {{&x, {1}}, {&y, {1}}, {&z, {1}}, {&z, {1}}, {&z, {1}}};
    const std::int64_t many[] = {of::streamed_from() / 4}, few[] = {of::streamed_from() / 4 - 1}, rows[] = {of::streamed_from() / 4 / 100 + 1, 100};
    const auto streams = [&](int slots, int rank, const std::int64_t* extents) { return of::streams_results<simd::native>({slots, uses, bytes, slot, rank, extents}); };
    CHECK(of::streamed_from() >= 8 * of::least_streamed);
    CHECK(streams(2, 1, many));
    CHECK(!streams(2, 1, few));
    CHECK(streams(4, 1, many));
    CHECK(!streams(5, 1, many));  // four arrays read for one that is stored
    CHECK(!streams(1, 1, many));  // nothing is stored
    slot[0].stride = {100, 1};
    slot[1].stride = {100, 1};
    CHECK(!streams(2, 2, rows));  // runs of 400 bytes
    slot[1].data = &x;
    CHECK(!streams(2, 1, many));  // in place
}

TEST_CASE_TEMPLATE("large results", T, float, double) {
    using vec = vector<T, dim("n")>;
    auto f = function<cpu>([](vec x) { return outputs(x * x + T(1), arange<dim("n")>(x) - x); });
    const std::int64_t n = of::streamed_from() / static_cast<std::int64_t>(sizeof(T)) + 1001;
    array<T, 1> x(n), y(n + 1), z(n);
    for (std::int64_t i = 0; i < n; ++i) x.data()[i] = static_cast<T>(i % 1000);
    for (int threads : {1, 2}) {
        set_threads(threads);
        // From its second element on a result begins within a line.
        for (std::int64_t first : {0, 1}) {
            const std::int64_t beside = first == 0 ? n : 0;
            y.data()[beside] = T(-7);
            auto to = y(slice(first, first + n));
            f.call_into(std::tie(to, z), x);
            bool right = y.data()[beside] == T(-7);
            for (std::int64_t i = 0; i < n; ++i) {
                const T v = x.data()[i];
                right = right && y.data()[first + i] == v * v + T(1) && z.data()[i] == static_cast<T>(i) - v;
            }
            CHECK(right);
        }
    }
    set_threads(0);
}
