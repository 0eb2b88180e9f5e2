// SPDX-License-Identifier: MIT
// Elements copied in another order, every few of them or with gaps: whatever strides there are, beside one copy after the other.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

namespace {

namespace cpu_device = croton::detail::cpu_device;

/// One array of a copy: the bytes from its lowest element to behind its highest, and no others.
struct memory {
    std::vector<std::int64_t> stride;
    std::int64_t first = 0;
    std::vector<std::byte> bytes;

    memory(const std::vector<std::int64_t>& extent, std::vector<std::int64_t> strides, int size) : stride(std::move(strides)) {
        std::int64_t low = 0, high = size;
        for (std::size_t a = 0; a < extent.size(); ++a) (stride[a] < 0 ? low : high) += (extent[a] - 1) * stride[a];
        first = -low;
        bytes.resize(static_cast<std::size_t>(high - low));
    }
    std::byte* data() { return bytes.data() + first; }
};

struct random_copies {
    std::mt19937 engine{7};
    int done = 0;

    int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine); }

    /// Strides of an array that has `extent`, in some order of its axes, with gaps, backwards, or again and again.
    std::vector<std::int64_t> strides(const std::vector<std::int64_t>& extent, int size, bool in_order, bool has_gaps, bool is_read) {
        const std::size_t rank = extent.size();
        std::vector<std::size_t> axis(rank);
        std::iota(axis.begin(), axis.end(), 0U);
        std::reverse(axis.begin(), axis.end());
        if (!in_order) std::shuffle(axis.begin(), axis.end(), engine);
        std::vector<std::int64_t> stride(rank);
        std::int64_t next = size;
        for (const std::size_t a : axis) {
            if (has_gaps && pick(0, 2) == 0) next *= pick(1, 3);
            stride[a] = next;
            next *= extent[a];
            if (has_gaps && pick(0, 3) == 0) next += size * pick(1, 3);
            if (is_read && pick(0, 3) == 0) stride[a] = -stride[a];
            if (is_read && pick(0, 7) == 0) stride[a] = 0;
        }
        return stride;
    }

    void check() {
        const int size = 1 << pick(0, 4);
        std::vector<std::int64_t> extent(static_cast<std::size_t>(pick(1, 4)));
        for (auto& e : extent) e = pick(1, 9);
        extent[static_cast<std::size_t>(pick(0, static_cast<int>(extent.size()) - 1))] = pick(100, 1200);
        const int count = pick(0, 2) == 0 ? pick(2, 5) : 1;
        std::vector<memory> from;
        const auto read = strides(extent, size, pick(0, 2) > 0, pick(0, 1) == 0, true);
        for (int k = 0; k < count; ++k) from.emplace_back(extent, k > 0 && pick(0, 9) == 0 ? strides(extent, size, true, true, true) : read, size);
        // Several go beside each other, to columns of one array or to rows of it.
        std::vector<std::int64_t> whole = extent;
        const std::size_t along = static_cast<std::size_t>(pick(0, static_cast<int>(extent.size())));
        if (count > 1) whole.insert(whole.begin() + static_cast<std::ptrdiff_t>(along), count);
        auto written = strides(whole, size, true, pick(0, 2) == 0, false);
        memory to(whole, written, size), expected = to;
        const std::int64_t apart = count > 1 ? written[along] : 0;
        if (count > 1) written.erase(written.begin() + static_cast<std::ptrdiff_t>(along));

        std::int64_t stride[2 * cpu_device::copied_slots::most][max_rank] = {};
        std::byte* base[2 * cpu_device::copied_slots::most] = {};
        std::uint8_t bytes[2 * cpu_device::copied_slots::most] = {};
        std::int64_t lo[max_rank] = {}, hi[max_rank] = {};
        cpu_device::copied_slots slots;
        slots.count = count;
        for (std::size_t a = 0; a < extent.size(); ++a) {
            hi[a] = extent[a];
            if (pick(0, 3) == 0) lo[a] = pick(0, static_cast<int>(extent[a]) - 1);
        }
        for (int k = 0; k < count; ++k) {
            auto& source = from[static_cast<std::size_t>(k)];
            for (auto& byte : source.bytes) byte = static_cast<std::byte>(pick(0, 255));
            slots.from[k] = 2 * k, slots.to[k] = 2 * k + 1;
            base[2 * k] = source.data(), base[2 * k + 1] = to.data() + k * apart;
            bytes[2 * k] = bytes[2 * k + 1] = static_cast<std::uint8_t>(size);
            std::copy(source.stride.begin(), source.stride.end(), stride[2 * k]);
            std::copy(written.begin(), written.end(), stride[2 * k + 1]);
            std::vector<std::int64_t> at(extent.size());
            std::copy_n(lo, at.size(), at.begin());
            for (;;) {
                std::int64_t source_at = 0, target_at = k * apart;
                for (std::size_t a = 0; a < at.size(); ++a) source_at += at[a] * source.stride[a], target_at += at[a] * written[a];
                std::memcpy(expected.data() + target_at, source.data() + source_at, static_cast<std::size_t>(size));
                std::size_t a = at.size();
                while (a > 0 && ++at[a - 1] == extent[a - 1]) at[a - 1] = lo[a - 1], --a;
                if (a == 0) break;
            }
        }
        if (!cpu_device::copy_slots<simd::native>(slots, bytes, static_cast<int>(extent.size()), stride, base, lo, hi)) return;
        ++done;
        if (to.bytes != expected.bytes) {
            INFO("bytes " << size << ", arrays " << count << ", rank " << extent.size());
            CHECK(to.bytes == expected.bytes);
        }
    }
};

template <class T, class F> void check(const char* what, std::int64_t rows, std::int64_t columns, F f) {
    CAPTURE(what);
    CAPTURE(rows);
    CAPTURE(columns);
    array<T, 2> x(rows, columns);
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(i * 7 % 101);
    const auto y = function<cpu>(f)(x), expected = function<reference>(f)(x);
    CHECK(y.extents() == expected.extents());
    CHECK(std::equal(y.begin(), y.end(), expected.begin(), expected.end()));
}

template <class T> void check_forms() {
    using M = matrix<T>;
    for (const int count : {1, 2}) {
        const auto scope = threads(count);
        for (const std::int64_t m : {1, 2, 3, 4, 5, 7, 10, 13, 16, 33}) {
            for (const std::int64_t n : std::initializer_list<std::int64_t>{0, 1, 3, 50, 60'000 / m}) {
                check<T>("flip", n, m, [](M x) { return flip<1>(x); });
                check<T>("turned", n, m, [](M x) { return transpose(x); });
                check<T>("turned", m, n, [](M x) { return transpose(x); });
                check<T>("every second", n, m, [](M x) { return x(slice(), slice(none, none, 2)); });
                check<T>("first columns", n, m, [](M x) { return x(slice(), slice(0, 3)); });
                check<T>("repeated", n, m, [](M x) { return repeat<1, 2>(x); });
                check<T>("repeated", n, m, [](M x) { return repeat<0, 3>(x); });
                check<T>("two beside each other", n, m, [](M x) { return stack<2>(x, x(slice(none, none, -1))); });
                check<T>("four beside each other", n, m, [](M x) { return concatenate<1>(x, flip<1>(x), x, x); });
            }
        }
    }
}

}  // namespace

TEST_CASE("copies of any strides") {
    random_copies copies;
    for (int i = 0; i < 6'000; ++i) copies.check();
    CHECK(copies.done > 1'500);
}

TEST_CASE("arrays in another order") {
    check_forms<float>();
    check_forms<std::uint8_t>();
}

TEST_CASE("columns of arrays that lie anywhere") {
    const auto points = function<cpu>([](vector<float> x, vector<float> y, vector<float> z) { return stack<1>(x, y, z); });
    for (const std::int64_t n : {0, 1, 2, 5, 16, 17, 1000, 20'000}) {
        array<float, 1> x(n), y(n), z(n);
        for (std::int64_t i = 0; i < n; ++i) x(i) = static_cast<float>(i), y(i) = static_cast<float>(-i), z(i) = 0.5F * static_cast<float>(i);
        const array<float, 2> all = points(x, y, z);
        CHECK((all.extents()[0] == n && all.extents()[1] == 3));
        int wrong = 0;
        for (std::int64_t i = 0; i < n; ++i) wrong += all(i, 0) != x(i) || all(i, 1) != y(i) || all(i, 2) != z(i);
        CHECK(wrong == 0);
    }
}
