// SPDX-License-Identifier: MIT
// Rows of a few words that lie one behind the other: turned, turned back, and summed with a row in each lane.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <croton/croton.hpp>
#include <croton/device/cpu/tile.hpp>

using namespace croton;

namespace {

constexpr std::int64_t lengths[] = {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100, 511, 512, 513, 1000};

/// Nothing is written but what is to be: the words behind and between are kept.
template <class Word> void check_words() {
    namespace of = detail::cpu_device;
    for (const std::int64_t count : lengths)
        for (std::int64_t columns = 1; columns < 7; ++columns)
            for (const std::int64_t gap : {0, 1}) {
                CAPTURE(count);
                CAPTURE(columns);
                CAPTURE(gap);
                constexpr Word kept = 7;
                const std::int64_t row = columns + gap, line = count + 3, unit = sizeof(Word);
                std::vector<Word> rows(static_cast<std::size_t>((count - 1) * row + columns)), lines(static_cast<std::size_t>(columns * line), kept), back(rows.size(), kept);
                for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<Word>(i + 100);
                const auto bytes = [](auto& v) { return reinterpret_cast<std::byte*>(v.data()); };
                of::copy_turned<simd::native, Word>(bytes(lines), line * unit, bytes(rows), row * unit, count, columns);
                of::copy_turned<simd::native, Word>(bytes(back), row * unit, bytes(lines), line * unit, columns, count);
                bool same = true;
                for (std::int64_t i = 0; i < count + 3; ++i)
                    for (std::int64_t j = 0; j < columns; ++j)
                        same = same && lines[static_cast<std::size_t>(j * line + i)] == (i < count ? rows[static_cast<std::size_t>(i * row + j)] : kept);
                for (std::size_t i = 0; i < rows.size(); ++i) same = same && back[i] == (static_cast<std::int64_t>(i) % row < columns ? rows[i] : kept);
                REQUIRE(same);
            }
}

template <class T> void check_functions() {
    const auto turn = function<cpu>([](matrix<T> x) { return transpose(x); });
    const auto along = function<cpu>([](matrix<T> x, vector<T> v) { return outputs(sum<1>(x * v), x + newaxis<1>(max<1>(x))); });
    for (const std::int64_t count : lengths)
        for (std::int64_t columns = 1; columns < 7; ++columns) {
            CAPTURE(count);
            CAPTURE(columns);
            array<T, 2> x(count, columns);
            array<T, 1> v(columns);
            for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(i * 7919 % 101);
            for (std::int64_t j = 0; j < columns; ++j) v(j) = static_cast<T>(j + 1);
            const auto turned = turn(x), back = turn(turned);
            const auto [sums, more] = along(x, v);
            bool same = true;
            for (std::int64_t i = 0; i < count; ++i) {
                T sum = 0, most = x(i, 0);
                for (std::int64_t j = 0; j < columns; ++j) sum += x(i, j) * v(j), most = std::max(most, x(i, j));
                for (std::int64_t j = 0; j < columns; ++j) same = same && turned(j, i) == x(i, j) && back(i, j) == x(i, j) && more(i, j) == x(i, j) + most;
                same = same && static_cast<T>(sums(i)) == sum;
            }
            REQUIRE(same);
        }
}

}  // namespace

TEST_CASE("words of every size") {
    check_words<std::uint8_t>();
    check_words<std::uint16_t>();
    check_words<std::uint32_t>();
    check_words<std::uint64_t>();
}

TEST_CASE("matrices of few columns") {
    check_functions<float>();
    check_functions<double>();
    check_functions<std::int32_t>();
    check_functions<std::int64_t>();
}
