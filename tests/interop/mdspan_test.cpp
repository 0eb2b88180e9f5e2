// SPDX-License-Identifier: MIT
// std::mdspan in both directions, without a copy: every layout, constness and rank. Where the library has none there is nothing to test.
#include <doctest/doctest.h>

#include <version>
#ifdef __cpp_lib_mdspan
#include <array>
#include <cstdint>
#include <mdspan>
#include <type_traits>
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

namespace {

std::vector<double> counting(std::int64_t size) {
    std::vector<double> v(static_cast<std::size_t>(size));
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<double>(i);
    return v;
}

template <class Layout> using grid = std::mdspan<double, std::dextents<int, 2>, Layout>;

}  // namespace

TEST_CASE_TEMPLATE("matrices of each layout", Layout, std::layout_right, std::layout_left) {
    std::vector<double> memory = counting(12);
    const grid<Layout> m(memory.data(), std::dextents<int, 2>(3, 4));
    static_assert(std::is_same_v<decltype(as_view(m)), view<double, 2>>);
    const array<double, 2> own(m);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 4; ++j) CHECK(own(i, j) == m[std::array{i, j}]);
    CHECK(own == m);
    CHECK(m == own);
    CHECK(array_equal(m, m));

    array<double, 2> y;
    y = own * m + 1;
    CHECK(y == own * own + 1);
    y = m;
    CHECK(y == own);
    // One that has no name is a reference to its elements, as one that has one.
    const auto e = grid<Layout>(m) - own;
    CHECK(e == array<double, 2>(3, 4));
    CHECK(sum<0>(m) == sum<0>(own));

    as_view(m) = own * 2;
    as_view(m)(slice(1, none), 0) += 1;
    CHECK(m[std::array{2, 0}] == own(2, 0) * 2 + 1);
    CHECK(m[std::array{2, 1}] == own(2, 1) * 2);
    as_view(m) = own;

    const auto product = function<cpu>([](matrix<double> x) { return dot(x, transpose(x)) + 1; });
    CHECK(product(m) == product(own));
    const auto twice = function<cpu>([](matrix<double> x) { return x * 2; });
    CHECK(twice(m) == own * 2);
    std::vector<double> out(12);
    const std::mdspan<double, std::extents<long, 3, std::dynamic_extent>, Layout> to(out.data(), std::extents<long, 3, std::dynamic_extent>(4));
    twice.call_into(to, m);
    CHECK(to == own * 2);
    const auto step = function<cpu>([](shared<matrix<double>> w) { return outputs().updates(w += 1); });
    step(m);
    CHECK(m == own + 1);
}

TEST_CASE("strides") {
    std::vector<double> memory = counting(40);
    using extents = std::dextents<int, 2>;
    const std::mdspan<double, extents, std::layout_stride> m(memory.data(), {extents(3, 4), std::array{2, 10}});
    const view<double, 2> seen = m;
    CHECK(seen.stride(0) == 2);
    CHECK(seen.stride(1) == 10);
    CHECK(m == array<double, 2>{{0, 10, 20, 30}, {2, 12, 22, 32}, {4, 14, 24, 34}});
    as_view(m)(slice(), 1) = array<double, 1>{-1, -2, -3};
    CHECK(memory[14] == -3);
    CHECK(memory[13] == 13);
    // It reads backwards what it writes.
    as_view(m) = as_view(m)(slice(none, none, -1)) * 1;
    CHECK(m == array<double, 2>{{4, -3, 24, 34}, {2, -2, 22, 32}, {0, -1, 20, 30}});
}

TEST_CASE("constant elements, and constant spans of elements that are not") {
    std::vector<float> memory{1, 2, 3};
    const std::mdspan<const float, std::dextents<std::size_t, 1>> read(memory.data(), 3);
    static_assert(std::is_same_v<decltype(as_view(read)), view<const float, 1>>);
    const std::mdspan<float, std::dextents<std::size_t, 1>> written(memory.data(), 3);
    static_assert(std::is_same_v<decltype(as_view(written)), view<float, 1>>);
    as_view(written) = sqr(read) + array<float, 1>{1, 1, 1};
    CHECK(memory == std::vector<float>{2, 5, 10});
    CHECK(static_cast<float>(sum(read)) == 17);
}

TEST_CASE("extents that the type says, of small index types") {
    std::vector<double> memory = counting(120);
    const std::mdspan<double, std::extents<std::uint8_t, 2, 3, 4>> m(memory.data());
    CHECK(as_view(m).extents() == extents_of<3>{2, 3, 4});
    const auto f = function<cpu>([](tensor<double, 2, 3, 4> x) { return sum<0>(x); });
    CHECK(f(m) == sum<0>(array<double, 3>(m)));
    const std::mdspan<double, std::extents<std::int8_t, 2, 3, 4, 5>> n(memory.data());
    CHECK(as_view(n).extents() == extents_of<4>{2, 3, 4, 5});
    CHECK(as_view(n).strides() == extents_of<4>{60, 20, 5, 1});
    CHECK(as_view(n)(1, 2, 3, 4) == 119);
}

TEST_CASE("no axes, and no elements") {
    float number = 3;
    const std::mdspan<float, std::extents<int>> m(&number);
    const array<float, 1> a{1, 2};
    CHECK(a * m == array<float, 1>{3, 6});
    as_view(m) = sum(a) + 1;
    CHECK(number == 4);
    array<float, 0> zero;
    zero = m;
    CHECK(zero == 4);
    const auto f = function<cpu>([](scalar<float> x) { return x * 2; });
    CHECK(static_cast<float>(f(m)) == 8);

    const std::mdspan<float, std::dextents<int, 2>> rows(nullptr, 0, 3);
    CHECK(rows == array<float, 2>(0, 3));
    CHECK(sum<0>(rows) == array<float, 1>(3));
    const std::mdspan<float, std::dextents<int, 2>, std::layout_left> columns(nullptr, 3, 0);
    CHECK(array<float, 2>(3, 0) + columns == array<float, 2>(3, 0));
    CHECK(static_cast<float>(sum(std::mdspan<float, std::dextents<int, 1>>())) == 0);
}

TEST_CASE("indices, bytes and truth values") {
    std::vector<int> ids{2, 0};
    std::array<bool, 3> flags{true, false, true};
    const array<float, 1> a{1, 2, 3};
    CHECK(take<0>(a, std::mdspan<int, std::dextents<int, 1>>(ids.data(), 2)) == array<float, 1>{3, 1});
    CHECK(where(std::mdspan<bool, std::dextents<int, 1>>(flags.data(), 3), a, 0) == array<float, 1>{1, 0, 3});
    std::array<std::uint8_t, 3> bytes{};
    as_view(std::mdspan<std::uint8_t, std::dextents<int, 1>>(bytes.data(), 3)) = cast<std::uint8_t>(a);
    CHECK(bytes == std::array<std::uint8_t, 3>{1, 2, 3});
}

TEST_CASE("of arrays and views") {
    array<double, 2> a{{1, 2, 3}, {4, 5, 6}};
    const std::mdspan dense(a.data(), a.extents());
    static_assert(std::is_same_v<decltype(dense)::layout_type, std::layout_right>);
    CHECK(dense[std::array{1, 2}] == 6);
    CHECK(as_view(dense) == a);
    const auto part = a(slice(), slice(0, none, 2));
    const std::mdspan strided(part.data(), std::layout_stride::mapping(std::dextents<std::int64_t, 2>(part.extents()), part.strides()));
    CHECK(strided[std::array{1, 1}] == 6);
    CHECK(as_view(strided) == part);
    strided[std::array{0, 1}] = 30;
    CHECK(a(0, 2) == 30);
    CHECK(a(1, 1) == 5);
}
#endif
