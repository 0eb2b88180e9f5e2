// SPDX-License-Identifier: MIT
// Which indices a slice takes, against the algorithm by which Python defines them.
#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include <croton/core/slice.hpp>

using croton::none;
using croton::slice;
using croton::slice_end;

namespace {

/// The indices of `range(*slice(start, stop, step).indices(n))`, step by step.
std::vector<std::int64_t> by_definition(const slice& s, std::int64_t n) {
    const bool back = s.step < 0;
    const auto bring_in = [&](std::int64_t at) {
        if (at < 0) at += n;
        const std::int64_t low = back ? -1 : 0, high = back ? n - 1 : n;
        return at < low ? low : at > high ? high : at;
    };
    std::int64_t at = s.start.given ? bring_in(s.start.at) : back ? n - 1 : 0;
    const std::int64_t stop = s.stop.given ? bring_in(s.stop.at) : back ? -1 : n;
    std::vector<std::int64_t> out;
    for (; back ? at > stop : at < stop; at += s.step) out.push_back(at);
    return out;
}

std::vector<std::int64_t> by_rule(const slice& s, std::int64_t n) {
    const auto p = croton::detail::pick(croton::detail::plain_extents{}, s, n);
    std::vector<std::int64_t> out;
    for (std::int64_t i = 0; i < p.count; ++i) out.push_back(p.start + i * p.step);
    return out;
}

}  // namespace

TEST_CASE("every slice of short axes") {
    std::vector<slice_end> ends{none};
    for (int i = -7; i <= 7; ++i) ends.push_back(i);
    int wrong = 0;
    for (std::int64_t n = 0; n <= 5; ++n)
        for (const slice_end& start : ends)
            for (const slice_end& stop : ends)
                for (const int step : {1, 2, 3, 9, -1, -2, -3, -9}) {
                    const slice s(start, stop, step);
                    if (by_rule(s, n) == by_definition(s, n)) continue;
                    if (wrong++ == 0) CHECK_MESSAGE(false, "n " << n << ", start " << start.given << " " << start.at << ", stop " << stop.given << " " << stop.at << ", step " << step);
                }
    CHECK(wrong == 0);
}

TEST_CASE("numbers beyond every array") {
    constexpr auto most = std::numeric_limits<std::int64_t>::max(), least = std::numeric_limits<std::int64_t>::min();
    CHECK(by_rule(slice(least, most), 3) == std::vector<std::int64_t>{0, 1, 2});
    CHECK(by_rule(slice(most, least, -1), 3) == std::vector<std::int64_t>{2, 1, 0});
    CHECK(by_rule(slice(none, none, most), 3) == std::vector<std::int64_t>{0});
    CHECK(by_rule(slice(none, none, least), 3) == std::vector<std::int64_t>{2});
    CHECK(by_rule(slice(most), 2) == std::vector<std::int64_t>{0, 1});
    CHECK(by_rule(slice(std::numeric_limits<std::uint64_t>::max()), 2) == std::vector<std::int64_t>{0, 1});
}

TEST_CASE("how slices are written") {
    CHECK(by_rule(slice(), 2) == std::vector<std::int64_t>{0, 1});
    CHECK(by_rule(slice(1), 2) == std::vector<std::int64_t>{0});
    CHECK(by_rule(slice(none), 2) == std::vector<std::int64_t>{0, 1});
    CHECK(by_rule(slice(1, none), 2) == std::vector<std::int64_t>{1});
    CHECK(by_rule(slice(none, -1), 2) == std::vector<std::int64_t>{0});
    CHECK(by_rule(slice(none, none, none), 2) == std::vector<std::int64_t>{0, 1});
}
