// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "along.hpp"

using namespace croton;
using along::check_layouts;
using along::for_each_row;

namespace {

template <class T> bool before(T a, T b) { return a < b || (b != b && a == a); }

const auto sorted = [](const auto& x, auto& y) {
    y = x;
    std::stable_sort(y.begin(), y.end(), [](auto a, auto b) { return before(a, b); });
};
const auto places = [](const auto& x, auto& y) {
    std::iota(y.begin(), y.end(), 0);
    std::stable_sort(y.begin(), y.end(), [&](std::int64_t a, std::int64_t b) { return before(x[static_cast<std::size_t>(a)], x[static_cast<std::size_t>(b)]); });
};

// Few values, so that many are equal; some are NaN.
template <class T, int Rank> array<T, Rank> mixed(const extents_of<Rank>& extents, int values) {
    support::numbers numbers(9);
    array<T, Rank> x(extents);
    for (T& e : x) {
        const double v = std::floor(numbers.next(-values, values));
        e = static_cast<T>(v);
        if constexpr (std::is_floating_point_v<T>)
            if (v == 1) e = std::numeric_limits<T>::quiet_NaN();
    }
    return x;
}

constexpr auto of_three = [](tensor<float, dynamic, dynamic, dynamic> x) {
    return outputs(sort<0>(x), sort<1>(x), sort<-1>(x), argsort<0>(x), argsort<1>(x), argsort<2>(x));
};

template <class Device> void check_floats() {
    const auto f = function<Device>(of_three);
    for (const auto& extents : {extents_of<3>{3, 4, 5}, {1, 7, 1}, {2, 0, 3}, {0, 2, 3}, {2, 3, 700}, {400, 1, 2}}) {
        const auto x = mixed<float, 3>(extents, 40);
        array<float, 3> y(extents);
        array<std::int64_t, 3> at(extents);
        const auto check = [&]<int Axis>(std::integral_constant<int, Axis>) {
            for_each_row(x, y, Axis, sorted);
            for_each_row(x, at, Axis, places);
            check_layouts<float>([&](const auto& v) { return std::get<Axis>(f(v)); }, x, y);
            check_layouts<std::int64_t>([&](const auto& v) { return std::get<3 + Axis>(f(v)); }, x, at);
        };
        check(std::integral_constant<int, 0>());
        check(std::integral_constant<int, 1>());
        check(std::integral_constant<int, 2>());
    }
}

template <class Device, class T> void check_type(std::int64_t n) {
    const auto f = function<Device>([](vector<T> x) { return outputs(sort(x), argsort(x)); });
    const auto x = mixed<T, 1>({n}, 1000000);
    array<T, 1> y(extents_of<1>{n});
    array<std::int64_t, 1> at(extents_of<1>{n});
    for_each_row(x, y, 0, sorted);
    for_each_row(x, at, 0, places);
    const auto [values, where] = f(x);
    along::check_same(values, y);
    along::check_same(where, at);
}
template <class Device> void check_types() {
    for (const std::int64_t n : {0, 1, 100, 3000}) {
        check_type<Device, double>(n);
        check_type<Device, int>(n);
        check_type<Device, std::int64_t>(n);
    }
}

// As many rows as networks of registers sort at once, fewer, and more; as long as they sort, compare and count digits of.
void check_rows_and_lengths() {
    const auto f = function<cpu>([](matrix<float> x) { return outputs(sort<1>(x), argsort<1>(x)); });
    const auto g = function<cpu>([](matrix<double> x) { return outputs(sort<1>(x), argsort<1>(x)); });
    const auto check = [](const auto& sort_both, const auto& x) {
        auto y = x;
        array<std::int64_t, 2> at(x.extents());
        for_each_row(x, y, 1, sorted);
        for_each_row(x, at, 1, places);
        const auto [values, where] = sort_both(x);
        along::check_same(values, y);
        along::check_same(where, at);
    };
    for (const std::int64_t rows : {1, 3, 4, 5, 8, 16, 17, 19})
        for (const std::int64_t length : {1, 2, 9, 24, 31, 33, 130, 330, 770, 1025}) {
            check(f, mixed<float, 2>({rows, length}, 100));
            check(g, mixed<double, 2>({rows, length}, 100000));
        }
}

}  // namespace

TEST_CASE("floats along every axis, NaN last, equal ones in order") {
    check_floats<cpu>();
    check_floats<reference>();
}
TEST_CASE("other element types") {
    check_types<cpu>();
    check_types<reference>();
}

TEST_CASE("special numbers") {
    constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const auto check = [&](const auto& f) {
        const array<float, 1> x{nan, infinity, 0.0f, -0.0f, -infinity, -nan, 1e-45f, -1e-45f};
        const auto [y, at] = f(x);
        CHECK(at == array<std::int64_t, 1>{4, 7, 2, 3, 6, 1, 0, 5});
        CHECK((y(0) == -infinity && y(1) == -1e-45f && y(2) == 0 && y(3) == 0 && y(4) == 1e-45f && y(5) == infinity && y(6) != y(6) && y(7) != y(7)));
    };
    constexpr auto f = [](vector<float> x) { return outputs(sort(x), argsort(x)); };
    check(function<cpu>(f));
    check(function<reference>(f));
}

TEST_CASE("half is sorted as float, bools are sorted as bools") {
    const auto f = function<cpu>([](vector<half> x, vector<bool> b) { return outputs(sort(x), argsort(x), sort(b), argsort(b)); });
    const auto [y, at, truth, of_truth] = f(array<half, 1>{half(2), half(-1), half(0.5f)}, array<bool, 1>{true, false, true, false});
    CHECK(truth == array<bool, 1>{false, false, true, true});
    CHECK(of_truth == array<std::int64_t, 1>{1, 3, 0, 2});
    CHECK(y == array<float, 1>{-1, 0.5f, 2});
    CHECK(at == array<std::int64_t, 1>{1, 2, 0});
}

TEST_CASE("topk") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    constexpr auto of_matrix = [](matrix<float> x) {
        auto [values, at] = topk<2, 0>(x);
        auto [all, at_all] = topk<3, -1>(x);
        return outputs(values, at, all, at_all);
    };
    const auto check = [&](const auto& f) {
        const array<float, 2> x{{1, nan, 3}, {5, 2, 3}, {4, nan, 3}};
        const auto [values, at, all, at_all] = f(x);
        CHECK(at == array<std::int64_t, 2>{{1, 1, 0}, {2, 0, 1}});
        CHECK((values(0, 0) == 5 && values(1, 0) == 4 && values(0, 1) == 2 && values(1, 1) != values(1, 1) && values(1, 2) == 3));
        CHECK(at_all == array<std::int64_t, 2>{{2, 0, 1}, {0, 2, 1}, {0, 2, 1}});
        CHECK((all(0, 0) == 3 && all(0, 1) == 1 && all(0, 2) != all(0, 2)));
        CHECK_THROWS_WITH_AS(f(array<float, 2>(extents_of<2>{1, 3})), doctest::Contains("topk: the axis has extent 1, which is less than 2"), shape_error);
    };
    check(function<cpu>(of_matrix));
    check(function<reference>(of_matrix));
}

TEST_CASE("searchsorted") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    constexpr auto of_vector = [](vector<float> row, matrix<float> x, scalar<float> s) {
        return outputs(searchsorted(row, x), searchsorted<side::right>(row, transpose(x)), searchsorted(sort(row * -1), s));
    };
    const auto check = [&](const auto& f) {
        const array<float, 1> v{1, 2, 2, 4, nan};
        const auto [left, right, at] = f(v, array<float, 2>{{0, 2, 3}, {4, 5, nan}}, -2.0f);
        CHECK(left == array<std::int64_t, 2>{{0, 1, 3}, {3, 4, 4}});
        CHECK(right == array<std::int64_t, 2>{{0, 4}, {3, 4}, {3, 5}});
        CHECK(at() == 1);
        const auto [nothing, empty, zero] = f(array<float, 1>(extents_of<1>{0}), array<float, 2>(extents_of<2>{0, 2}), 1.0f);
        CHECK((nothing.size() == 0 && empty.size() == 0 && zero() == 0));
    };
    check(function<cpu>(of_vector));
    check(function<reference>(of_vector));
}

TEST_CASE("long rows are searched as short ones are") {
    const auto check = []<class T>(T, const auto& many, const auto& plain) {
        for (const int length : {0, 1, 2, 7, 24, 25, 60, 700})
            for (const int order : {0, 1, 2, 3}) {
                array<T, 1> row = mixed<T, 1>({length}, length), x = mixed<T, 1>({2117}, length + 3);
                std::sort(row.begin(), row.end(), [](T a, T b) { return before(a, b); });
                if (order == 1) std::sort(x.begin(), x.end(), [](T a, T b) { return before(a, b); });
                if (order == 2) std::sort(x.begin(), x.end(), [](T a, T b) { return before(b, a); });
                if (order == 3) std::sort(x.begin() + 500, x.begin() + 1500, [](T a, T b) { return before(a, b); });
                const auto fast = many(row, x, x(slice(none, none, -2))), slow = plain(row, x, x(slice(none, none, -2)));
                CHECK(fast == slow);
            }
    };
    constexpr auto of_doubles = [](vector<double> row, vector<double> x, vector<double> turned) {
        return std::tuple(searchsorted(row, x), searchsorted<side::right>(row, x), isin(x, row), searchsorted<side::right>(row, turned), isin(turned, row));
    };
    constexpr auto of_bytes = [](vector<std::int8_t> row, vector<std::int8_t> x, vector<std::int8_t> turned) {
        return std::tuple(searchsorted(row, x), searchsorted<side::right>(row, x), isin(x, row), searchsorted<side::right>(row, turned), isin(turned, row));
    };
    constexpr auto of_longs = [](vector<std::int64_t> row, vector<std::int64_t> x, vector<std::int64_t> turned) {
        return std::tuple(searchsorted(row, x), searchsorted<side::right>(row, x), isin(x, row), searchsorted<side::right>(row, turned), isin(turned * 1000000007, row * 1000000007));
    };
    check(0.0, function<cpu>(of_doubles), function<reference>(of_doubles));
    check(std::int8_t(), function<cpu>(of_bytes), function<reference>(of_bytes));
    check(std::int64_t(), function<cpu>(of_longs), function<reference>(of_longs));
}

TEST_CASE("rows of every number and length are sorted") { check_rows_and_lengths(); }
TEST_CASE("cotangents go back to where elements were") {
    const auto numbers = support::numbers(3).fill<double, 3>({2, 3, 4});
    CHECK_NOTHROW(verify_grad(
        [](tensor<double, dynamic, dynamic, dynamic> x) { return std::tuple(sort<0>(x) * x, sort<1>(sqr(x)), grad(sum(sqr(sort<2>(x)) * x), x)); }, numbers));
    const auto f = function<cpu>([](vector<float> x, vector<float> c) { return grad(sum(sort(x) * c), x); });
    CHECK(f(array<float, 1>{2, 1, 2, 1}, array<float, 1>{1, 2, 3, 4}) == array<float, 1>{3, 1, 4, 2});
}
