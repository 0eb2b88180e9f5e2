// SPDX-License-Identifier: MIT
// Assignments that read what they write, one test for each way in which the parts can lie: each gives what it gives with a copy to read.
#include <doctest/doctest.h>

#include <cstdint>
#include <random>

#include <croton/croton.hpp>

using namespace croton;

namespace {

using line = view<float, 1>;
using read_line = view<const float, 1>;
using grid = view<float, 2>;
using read_grid = view<const float, 2>;

array<float, 1> counting(std::int64_t n) {
    array<float, 1> x(n);
    for (std::int64_t i = 0; i < n; ++i) x(i) = static_cast<float>((i * 7 + 3) % 11) - 4;
    return x;
}
array<float, 2> counting(std::int64_t n, std::int64_t m) { return counting(n * m).reshape(n, m); }

/// The statement on one memory, and on two that hold the same. Its types are those of one program, so that both run one function.
template <int Rank, class Statement> void same(const array<float, Rank>& first, Statement statement) {
    array<float, Rank> aliased = first, apart = first;
    const array<float, Rank> copy = first;
    statement(aliased.as_view(), view<const float, Rank>(aliased.as_view()));
    statement(apart.as_view(), copy.as_view());
    CAPTURE(first);
    CHECK(aliased == apart);
}
template <class Statement> void same_lines(Statement statement) {
    for (const std::int64_t n : {1, 2, 3, 8, 17, 64, 101}) same(counting(n), statement);
}
template <class Statement> void same_grids(Statement statement) {
    for (const std::int64_t n : {1, 2, 5, 16, 33}) same(counting(n, n), statement);
}

}  // namespace

TEST_CASE("shifted") {
    same_lines([](line y, read_line x) { y(slice(1, none)) = x(slice(0, -1)) * 2; });
    same_lines([](line y, read_line x) { y(slice(0, -1)) = x(slice(1, none)) * 2; });
    same_lines([](line y, read_line x) { y(slice(1, none)) += x(slice(0, -1)); });
    same_lines([](line y, read_line x) { y(slice(1, none)) = x(slice(0, -1)); });
    same_lines([](line y, read_line x) {
        if (y.size() > 2) y(slice(1, -1)) = x(slice(0, -2)) - 2 * x(slice(1, -1)) + x(slice(2, none));
    });
    same_lines([](line y, read_line x) { y = roll<0>(x, constant<1>) - x; });
    same_grids([](grid y, read_grid x) { y(slice(1, none), slice(1, none)) = x(slice(0, -1), slice(0, -1)) + x(slice(1, none), slice(0, -1)); });
    same_grids([](grid y, read_grid x) { y(slice(0, -1), slice(1, none)) -= x(slice(1, none), slice(0, -1)); });
}

TEST_CASE("reversed") {
    same_lines([](line y, read_line x) { y = x(slice(none, none, -1)) * 1; });
    same_lines([](line y, read_line x) { y = x - x(slice(none, none, -1)); });
    same_lines([](line y, read_line x) { y(slice(none, none, -1)) = x * 2; });
    same_lines([](line y, read_line x) { y *= flip<0>(x); });
    same_lines([](line y, read_line x) { y.copy_from(x(slice(none, none, -1))); });
    same_grids([](grid y, read_grid x) { y = x(slice(none, none, -1), slice(none, none, -1)) + x; });
    same_grids([](grid y, read_grid x) { y(slice(), slice(none, none, -1)) = x * x; });
}

TEST_CASE("by steps") {
    same_lines([](line y, read_line x) { y(slice(0, none, 2)) = x(slice(0, (x.extent(0) + 1) / 2)) + 1; });
    same_lines([](line y, read_line x) { y(slice(0, (y.extent(0) + 1) / 2)) = x(slice(0, none, 2)) + 1; });
    same_lines([](line y, read_line x) { y(slice(1, none, 2)) = x(slice(0, x.extent(0) / 2 * 2, 2)) * 3; });  // disjoint, between each other
    same_lines([](line y, read_line x) { y(slice(none, none, 3)) += sum(x(slice(none, none, 2))); });
}

TEST_CASE("transposed") {
    same_grids([](grid y, read_grid x) { y = x.transpose() * 1; });
    same_grids([](grid y, read_grid x) { y += x.transpose(); });
    same_grids([](grid y, read_grid x) { y.transpose() = x + 1; });
    same_grids([](grid y, read_grid x) { y = transpose(x) - x; });
    same_grids([](grid y, read_grid x) { y = x(slice(none, none, -1)).transpose() + 0; });
    same_grids([](grid y, read_grid x) { y = tril(x) + transpose(triu(x)); });
}

TEST_CASE("a row or a column, repeated") {
    same_grids([](grid y, read_grid x) { y = x(0) * 1; });
    same_grids([](grid y, read_grid x) { y -= x(-1); });
    same_grids([](grid y, read_grid x) { y = x * newaxis<1>(x(slice(), 0)); });
    same_grids([](grid y, read_grid x) { y(slice(), 0) = x(0) + 1; });
    same_grids([](grid y, read_grid x) { y(0) = x(slice(), 0) + x(-1); });
    same_grids([](grid y, read_grid x) { y = x(0, 0) + x; });
    same_lines([](line y, read_line x) { y /= 1 + x(0) * x(0); });
    same_lines([](line y, read_line x) { y -= x(-1); });
}

TEST_CASE("reduced") {
    same_lines([](line y, read_line x) { y -= mean(x); });
    same_lines([](line y, read_line x) { y = x / (1 + max(abs(x))) + sum(x * x); });
    same_lines([](line y, read_line x) { y = softmax<0>(x); });
    same_lines([](line y, read_line x) { y = cumsum<0>(x) - x; });
    same_lines([](line y, read_line x) { y = cumsum<0>(x(slice(none, none, -1))); });
    same_lines([](line y, read_line x) { y = sort<0>(x) + x; });
    same_grids([](grid y, read_grid x) { y -= mean<0>(x); });
    same_grids([](grid y, read_grid x) { y = x - max<1>(x, keepdims); });
    same_grids([](grid y, read_grid x) { y(0) = sum<0>(x); });
    same_grids([](grid y, read_grid x) { y(slice(), -1) = sum<1>(x); });
    same_grids([](grid y, read_grid x) { y = sum<1>(x) + 0; });  // what is summed along rows, written to every row
}

TEST_CASE("multiplied") {
    same_grids([](grid y, read_grid x) { y = dot(x, x); });
    same_grids([](grid y, read_grid x) { y += dot(x, x); });
    same_grids([](grid y, read_grid x) { y = dot(x, transpose(x)) + x; });
    same_grids([](grid y, read_grid x) { y(0) = dot(x, x(0)); });
    same_grids([](grid y, read_grid x) { y(slice(), 0) -= dot(x, x(slice(), 0)); });
    same_grids([](grid y, read_grid x) { y(slice(0, 1)) = dot(x(slice(-1, none)), x); });
    same_grids([](grid y, read_grid x) { y = outer(x(0), x(slice(), 0)); });
}

TEST_CASE("joined and picked") {
    same_lines([](line y, read_line x) { y = concatenate(x(slice(x.extent(0) / 2, none)), x(slice(0, x.extent(0) / 2))); });
    same_lines([](line y, read_line x) {
        array<int, 1> ids(x.extent(0));
        for (std::int64_t i = 0; i < ids.size(); ++i) ids(i) = static_cast<int>((i * 3 + 1) % ids.size());
        y = take<0>(x, ids) * 2;
    });
    same_lines([](line y, read_line x) { y = where(x > 0, x(slice(none, none, -1)), x); });
}

TEST_CASE("other views of the same memory") {
    // Windows: each element is in several rows.
    same_lines([](line y, read_line x) {
        const std::int64_t n = x.extent(0), k = n < 3 ? n : 3;
        const read_grid windows(x.data(), {n - k + 1, k}, {1, 1});
        y(slice(0, n - k + 1)) = sum<1>(windows) * 1;
    });
    // The same elements as a line and as a matrix.
    same_grids([](grid y, read_grid x) {
        const read_line flat(x.data(), {x.size()});
        y = x + flat(slice(0, x.extent(0)));
    });
    same_grids([](grid y, read_grid x) {
        const line flat(y.data(), {y.size()});
        flat(slice(0, x.extent(0))) = dot(x, x(slice(), -1));
    });
    // One element, everywhere.
    same_lines([](line y, read_line x) { y += read_line(x.data(), {x.extent(0)}, {0}); });
}

TEST_CASE("any parts of one memory") {
    std::mt19937 random(7);
    const auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); };
    for (int trial = 0; trial < 600; ++trial) {
        const std::int64_t n = 1 + below(9), m = 1 + below(9), room = 400;
        const auto layout = [&](bool distinct) {
            extents_of<2> strides{1 + below(3), 1 + below(3)};
            // What is written has one place for each of its elements.
            strides[0] = distinct ? strides[1] * m + below(3) : strides[0] + below(12);
            if (!distinct && below(4) == 0) strides[static_cast<std::size_t>(below(2))] = 0;
            std::int64_t first = below(40);
            for (std::size_t axis = 0; axis < 2; ++axis)
                if (below(3) == 0) {
                    first += strides[axis] * ((axis == 0 ? n : m) - 1);
                    strides[axis] = -strides[axis];
                }
            return std::pair(first, strides);
        };
        const auto [to, to_strides] = layout(true);
        const auto [from, from_strides] = layout(false);
        const auto [other, other_strides] = layout(false);
        const bool turned = below(2) == 0 && n == m;
        const auto statement = [&, to_at = to, to_by = to_strides, from_at = from, from_by = from_strides, other_at = other, other_by = other_strides](line y, read_line x) {
            grid target(y.data() + to_at, {n, m}, to_by);
            const read_grid a(x.data() + from_at, {n, m}, from_by), b(x.data() + other_at, {n, m}, other_by);
            if (turned) target = target.transpose();
            switch (trial % 4) {
            case 0: target = a + b * 2; break;
            case 1: target += a - mean<0>(b); break;
            case 2: target = a / (1 + max<1>(abs(b), keepdims)); break;
            default: target.copy_from(a); break;
            }
        };
        same(counting(room), statement);
    }
}
