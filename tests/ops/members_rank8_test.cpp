// SPDX-License-Identifier: MIT
// Slices, joins, gathers, scatters, sorts and cumulations of eight axes, beside plain loops over all indices.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

namespace {

using place = std::array<std::int64_t, 8>;
constexpr place extents{2, 1, 3, 2, 1, 2, 3, 4};

std::int64_t size_of_all(const place& e) {
    std::int64_t n = 1;
    for (const std::int64_t x : e) n *= x;
    return n;
}
std::int64_t number_of(const place& at, const place& e) {
    std::int64_t n = 0;
    for (std::size_t a = 0; a < 8; ++a) n = n * e[a] + at[a];
    return n;
}
place place_of(std::int64_t n, const place& e) {
    place at{};
    for (std::size_t a = 8; a-- > 0; n /= e[a]) at[a] = n % e[a];
    return at;
}

template <class T> using R8 = tensor<T, -1, -1, -1, -1, -1, -1, -1, -1>;

template <class Device, class T> auto all() {
    return function<Device>([](R8<T> x, vector<int> ids) {
        constexpr slice back(none, none, -1);
        return std::tuple(x(back, back, back, back, back, back, back, back), x(ellipsis, slice(1, none, 2)), concatenate<6>(x, x(ellipsis, back, slice())), take<2>(x, ids),
                          cumsum<3>(x), sort<7>(x), add_at<0>(x, ids, take<0>(x, ids)), cumsum<0>(sort<6>(x)));
    });
}

/// The elements of a result beside what `at` gives for each place.
template <class Array, class At> void compare(const Array& got, const place& e, At at) {
    REQUIRE(got.size() == size_of_all(e));
    std::int64_t wrong = 0;
    for (std::int64_t n = 0; n < size_of_all(e); ++n) wrong += static_cast<double>(got.data()[n]) == at(place_of(n, e)) ? 0 : 1;
    CHECK(wrong == 0);
}

template <class T, class Device> void check() {
    array<T, 8> x(extents);
    std::vector<double> kept(static_cast<std::size_t>(x.size()));
    for (std::int64_t n = 0; n < x.size(); ++n) {
        const auto v = static_cast<float>(n * n % 7);
        x.data()[n] = static_cast<T>(v);
        kept[static_cast<std::size_t>(n)] = static_cast<double>(v);
    }
    const auto from = [&](const place& p) { return kept[static_cast<std::size_t>(number_of(p, extents))]; };
    const array<int, 1> ids{1, 0, -1};
    const auto [reversed, part, joined, taken, summed, sorted, added, both] = all<Device, T>()(x, ids);
    const auto row = [&](std::size_t k, std::int64_t extent) { return (ids(static_cast<std::int64_t>(k)) + extent) % extent; };
    compare(reversed, extents, [&](place p) {
        for (std::size_t a = 0; a < 8; ++a) p[a] = extents[a] - 1 - p[a];
        return from(p);
    });
    place e = extents;
    e[7] = 2;
    compare(part, e, [&](place p) {
        p[7] = 1 + 2 * p[7];
        return from(p);
    });
    e = extents;
    e[6] = 6;
    compare(joined, e, [&](place p) {
        if (p[6] >= 3) p[6] = 5 - p[6];
        return from(p);
    });
    compare(taken, extents, [&](place p) {
        p[2] = row(static_cast<std::size_t>(p[2]), 3);
        return from(p);
    });
    compare(summed, extents, [&](place p) {
        double sum = 0;
        for (; p[3] >= 0; --p[3]) sum += from(p);
        return sum;
    });
    const auto in_order = [&](place p, std::size_t axis) {
        std::vector<double> line;
        const std::int64_t at = p[axis];
        for (p[axis] = 0; p[axis] < extents[axis]; ++p[axis]) line.push_back(from(p));
        std::sort(line.begin(), line.end());
        return line[static_cast<std::size_t>(at)];
    };
    compare(sorted, extents, [&](const place& p) { return in_order(p, 7); });
    compare(added, extents, [&](place p) {
        const double here = from(p);
        double sum = here;
        for (std::size_t k = 0; k < 3; ++k)
            if (row(k, 2) == p[0]) sum += here;
        return sum;
    });
    compare(both, extents, [&](place p) {
        double sum = 0;
        for (; p[0] >= 0; --p[0]) sum += in_order(p, 6);
        return sum;
    });
}

}  // namespace

TEST_CASE_TEMPLATE("eight axes", T, float, std::uint8_t, croton::half) {
    check<T, cpu>();
    check<T, reference>();
}
