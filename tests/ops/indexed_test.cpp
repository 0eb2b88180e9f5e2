// SPDX-License-Identifier: MIT
// Indices that the program computes or is given, among slices and whole numbers.
#include <doctest/doctest.h>

#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

namespace {

template <class Device> void check_all() {
    const auto f = function<Device>("f", [](matrix<double> x, scalar<int> i, vector<int> r, vector<std::int64_t> c) {
        return outputs(x(i), x(i, slice(1, none)), x(slice(), i), x(r), x(r, c), x(slice(none, none, -1), c), x(r, 0), x[i], x(0, i), x(none, r, c), x(argmax<1>(x)(0)), x(ellipsis, r),
                       x(newaxis<1>(r), c), x(r + 2, c));
    });
    const array<double, 2> m{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    const auto [row, tail, column, rows, pairs, back, first, same, element, fresh, best, last, outer, beyond] = f(m, 1, array<int, 1>{0, -1}, array<std::int64_t, 1>{2, 1});
    CHECK(row == array<double, 1>{4, 5, 6});
    CHECK(tail == array<double, 1>{5, 6});
    CHECK(column == array<double, 1>{2, 5, 8});
    CHECK(rows == array<double, 2>{{1, 2, 3}, {7, 8, 9}});
    CHECK(pairs == array<double, 1>{3, 8});
    CHECK(back == array<double, 2>{{9, 8}, {6, 5}, {3, 2}});
    CHECK(first == array<double, 1>{1, 7});
    CHECK(same == row);
    CHECK(element == 2);
    CHECK(fresh == array<double, 2>{{3, 8}});
    CHECK(best == array<double, 1>{7, 8, 9});
    CHECK(last == array<double, 2>{{1, 3}, {4, 6}, {7, 9}});
    CHECK(outer == array<double, 2>{{3, 2}, {9, 8}});
    // What is computed is moved into range, each index in its own axis.
    CHECK(beyond == array<double, 1>{9, 5});
    CHECK_THROWS_WITH_AS(f(m, 3, array<int, 1>{0, -1}, array<std::int64_t, 1>{2, 1}),
                         "f: argument 2 holds the index 3, but take finds 3 elements along its axis: -3 to 2", value_error);
}

}  // namespace

TEST_CASE("indices among others, as NumPy has them") {
    check_all<cpu>();
    check_all<reference>();
}

TEST_CASE("the gradient of what several indices pick adds up") {
    const auto f = function<cpu>([](matrix<double> x, vector<int> r, vector<int> c) {
        const auto s = sum(sqr(x(r, c)));
        return outputs(s, grad(s, x));
    });
    const auto [s, d] = f(array<double, 2>{{1, 2}, {3, 4}}, array<int, 1>{0, 1, 1}, array<int, 1>{1, 1, -1});
    CHECK(s == 36);
    CHECK(d == array<double, 2>{{0, 4}, {0, 16}});
}
