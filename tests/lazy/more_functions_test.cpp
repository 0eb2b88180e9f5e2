// SPDX-License-Identifier: MIT
// The functions on arrays that functions_test.cpp has not: bits and truth values, labels and scores, images, what gives several values.
#include <doctest/doctest.h>

#include <cmath>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "lazy/alike.hpp"

using namespace croton;
using support::alike;

namespace {

template <class... X> using list = std::type_identity<std::tuple<X...>>;

using floats = array<float, 2>;
using ints = array<int, 1>;
using bools = array<bool, 1>;
using image_1 = array<float, 3>;
using image_2 = array<float, 4>;
using image_3 = array<float, 5>;
using line_symbol = tensor<float, dynamic, dynamic, dynamic>;
using picture_symbol = tensor<float, dynamic, dynamic, dynamic, dynamic>;
using volume_symbol = tensor<float, dynamic, dynamic, dynamic, dynamic, dynamic>;

#define ON(symbols, arrays, ...) static_assert(alike<decltype([](auto a) { return __VA_ARGS__; })>(symbols(), arrays()))
#define ON_2(symbols, arrays, ...) static_assert(alike<decltype([](auto a, auto b) { return __VA_ARGS__; })>(symbols(), arrays()))

using two_bool_arrays = list<bools, bools>;
using two_int_arrays = list<ints, ints>;
using two_lines = list<image_1, image_1>;
using two_pictures = list<image_2, image_2>;
using two_volumes = list<image_3, image_3>;
using indexed_arrays = list<floats, array<int, 2>>;
using two_vectors = list<vector<float>, vector<float>>;
using two_vector_arrays = list<array<float, 1>, array<float, 1>>;
using two_matrices = list<matrix<float>, matrix<float>>;
using two_matrix_arrays = list<floats, floats>;
using of_bools = list<vector<bool>>;
using two_bools = list<vector<bool>, vector<bool>>;
using two_ints = list<vector<int>, vector<int>>;
ON(of_bools, list<bools>, all(a));
ON(of_bools, list<bools>, any(a));
ON(of_bools, list<bools>, logical_not(a));
ON(list<vector<int>>, list<ints>, bitwise_not(a));
ON(list<vector<int>>, list<ints>, bitwise_count(a));
ON_2(two_bools, two_bool_arrays, logical_and(a, b));
ON_2(two_bools, two_bool_arrays, logical_or(a, b));
ON_2(two_bools, two_bool_arrays, logical_xor(a, b));
ON_2(two_ints, two_int_arrays, bitwise_and(a, b));
ON_2(two_ints, two_int_arrays, bitwise_or(a, b));
ON_2(two_ints, two_int_arrays, bitwise_xor(a, b));
ON_2(two_ints, two_int_arrays, left_shift(a, b));
ON_2(two_ints, two_int_arrays, right_shift(a, b));

using scored = list<matrix<float>, vector<int>>;
using scored_arrays = list<floats, ints>;
ON_2(scored, scored_arrays, accuracy(a, b));
ON_2(scored, scored_arrays, top_k_accuracy<2>(a, b));
ON_2(scored, scored_arrays, perplexity(a, b));
ON_2(scored, scored_arrays, bits_per_character(a, b));
ON_2(scored, scored_arrays, cross_entropy(a, b));
ON_2(two_ints, two_int_arrays, confusion_matrix<3>(a, b));
ON_2(two_ints, two_int_arrays, precision_score<3>(a, b));
ON_2(two_ints, two_int_arrays, recall_score<3>(a, b));
ON_2(two_ints, two_int_arrays, f1_score<3>(a, b));

using of_lines = list<line_symbol, line_symbol>;
using of_pictures = list<picture_symbol, picture_symbol>;
using of_volumes = list<volume_symbol, volume_symbol>;
ON_2(of_lines, two_lines, conv1d(a, b));
ON_2(of_volumes, two_volumes, conv3d(a, b));
ON_2(of_lines, two_lines, conv_transpose1d(a, b));
ON_2(of_pictures, two_pictures, conv_transpose2d(a, b));
ON_2(of_volumes, two_volumes, conv_transpose3d(a, b));
ON(list<picture_symbol>, list<image_2>, global_avg_pool(a));
ON(list<picture_symbol>, list<image_2>, global_max_pool(a));
ON(list<picture_symbol>, list<image_2>, upsample_nearest<2, 2>(a));
ON(list<picture_symbol>, list<image_2>, upsample_bilinear<2, 2>(a));
ON(list<picture_symbol>, list<image_2>, instance_norm(a));
ON(list<picture_symbol>, list<image_2>, group_norm<1>(a));

using indexed = list<matrix<float>, matrix<int>>;
ON_2(indexed, indexed_arrays, take_along_axis<1>(a, b));
ON_2(scored, scored_arrays, segment_sum<3>(a, b));
ON_2(scored, scored_arrays, segment_prod<3>(a, b));
ON_2(scored, scored_arrays, segment_max<3>(a, b));
ON_2(scored, scored_arrays, segment_min<3>(a, b));
ON_2(scored, scored_arrays, segment_mean<3>(a, b));
ON_2(two_vectors, two_vector_arrays, searchsorted(a, b));
ON_2(two_vectors, two_vector_arrays, outer(a, b));
ON_2(two_matrices, two_matrix_arrays, vdot(a, b));
ON(list<matrix<float>>, list<floats>, squeeze<0>(newaxis<0>(a)));
static_assert(alike<decltype([](auto q, auto k, auto v) { return attention(q, k, v); })>(list<matrix<float>, matrix<float>, matrix<float>>(), list<floats, floats, floats>()));
static_assert(alike<decltype([](auto x, auto at, auto y) { return set_at<0>(x, at, y); })>(list<matrix<float>, vector<int>, matrix<float>>(), list<floats, ints, floats>()));

#undef ON
#undef ON_2

struct bump {
    static constexpr std::string_view name = "bump";
    static float value(float x) { return std::exp(-x * x); }
};

}  // namespace

TEST_CASE("an operator of the program's own") {
    const array<float, 1> x{0, 1};
    CHECK(allclose(2 * elementwise<bump>(x - 1), array<float, 1>{2 * std::exp(-1.F), 2}));
    CHECK(explain(elementwise<bump>(x)).find("bump(a)") != std::string::npos);
}

TEST_CASE("truth values and bits") {
    const array<bool, 1> a{true, false, true}, b{true, true, false};
    CHECK((a & b) == array<bool, 1>{true, false, false});
    CHECK((a | b) == logical_or(a, b));
    CHECK((!a) == array<bool, 1>{false, true, false});
    CHECK(static_cast<bool>(any(a)));
    CHECK(!static_cast<bool>(all(a)));
    const array<int, 1> i{6, 5, 4};
    CHECK((~i & 7) == array<int, 1>{1, 2, 3});
    CHECK(left_shift(i, 1) == array<int, 1>{12, 10, 8});
    CHECK(right_shift(i, 1) == array<int, 1>{3, 2, 2});
    CHECK((i << 1) == left_shift(i, 1));
    CHECK(bitwise_count(-i) == array<std::uint8_t, 1>{2, 2, 1});
    CHECK((i >> 1) == right_shift(i, 1));
    CHECK((i > 4 && i < 6) == array<bool, 1>{false, true, false});
    CHECK((a || b) == (a | b));
    array<int, 1> shifted = i;
    shifted <<= 2;
    shifted >>= i - 4;
    CHECK(shifted == array<int, 1>{6, 10, 16});
}

TEST_CASE("arrays of which only the extents are asked for") {
    const array<float, 1> x{1, 2, 3};
    const array<float, 2> powers = stack<1>(ones_like(x), x, sqr(x));
    CHECK(array_equal(powers, array<float, 2>{{1, 1, 1}, {1, 2, 4}, {1, 3, 9}}));
    const array<float, 1> ones = ones_like(x), sum = zeros_like(x) + x;
    CHECK(array_equal(ones, array<float, 1>{1, 1, 1}));
    CHECK(array_equal(sum, x));
}

TEST_CASE("scores") {
    const array<float, 2> logits{{0, 2, 1}, {3, 0, 1}, {0, 1, 2}};
    const array<int, 1> labels{1, 2, 2};
    CHECK(static_cast<double>(accuracy(logits, labels)) == doctest::Approx(2.0 / 3));
    CHECK(static_cast<double>(top_k_accuracy<2>(logits, labels)) == doctest::Approx(1));
    CHECK(confusion_matrix<3>(labels, labels) == array<std::int64_t, 2>{{0, 0, 0}, {0, 1, 0}, {0, 0, 2}});
    CHECK(static_cast<double>(perplexity(logits, labels)) == doctest::Approx(std::exp(static_cast<double>(mean(cross_entropy(logits, labels))))));
}

TEST_CASE("what gives several values gives arrays, and what indices write") {
    const array<float, 2> x{{1, 5, 3}, {4, 2, 6}};
    const auto [most, at] = topk<2, 1>(x);
    CHECK(most == array<float, 2>{{5, 3}, {6, 4}});
    CHECK(at == array<std::int64_t, 2>{{1, 2}, {2, 0}});
    CHECK(take_along_axis<1>(x, at) == most);
    CHECK(set_at<0>(x, array<int, 1>{1}, array<float, 2>{{7, 8, 9}}) == array<float, 2>{{1, 5, 3}, {7, 8, 9}});
    CHECK(segment_sum<2>(x, array<int, 1>{1, 1}) == array<float, 2>{{0, 0, 0}, {5, 7, 9}});
    CHECK(searchsorted(array<float, 1>{1, 3, 5}, array<float, 1>{0, 3, 4}) == array<std::int64_t, 1>{0, 1, 2});
    const auto [columns, rows] = meshgrid(array<float, 1>{1, 2, 3}, array<float, 1>{10, 20});
    CHECK(columns == array<float, 2>{{1, 2, 3}, {1, 2, 3}});
    CHECK(rows == array<float, 2>{{10, 10, 10}, {20, 20, 20}});
    const array<double, 2> a{{2, 0}, {0, 3}, {0, 0}};
    const auto [u, s, vt] = svd(a);
    CHECK(allclose(dot(u * s, vt), a));
    const auto least = lstsq(a, array<double, 1>{2, 6, 1});
    CHECK(allclose(std::get<0>(least), array<double, 1>{1, 2}));
    CHECK(allclose(dot(pinv(a), a), array<double, 2>{{1, 0}, {0, 1}}));
    CHECK(allclose(cond(a), 1.5));
    CHECK(matrix_rank(array<float, 2>{{1, 2, 3}, {2, 4, 6}}) == 1);
    CHECK(allclose(cho_solve(cholesky(array<double, 2>{{4, 2}, {2, 3}}), array<double, 1>{8, 8}), array<double, 1>{1, 2}));
}

TEST_CASE("eval of values, views and several expressions") {
    array<float, 2> x{{1, 5, 3}, {4, 2, 6}};
    const auto same = eval(x);
    static_assert(std::is_same_v<decltype(same), const array<float, 2>>);
    CHECK(same == x);
    const auto part = eval(x(1, slice(0, 2)));
    static_assert(std::is_same_v<decltype(part), const array<float, 1>>);
    x(1, 0) = 9;
    CHECK(part == array<float, 1>{4, 2});
    const float* const memory = x.data();
    const auto moved = eval(std::move(x));
    CHECK(moved.data() == memory);
    const auto [twice, whole] = eval(std::tuple(moved * 2, moved));
    CHECK(twice(1, 2) == 12);
    CHECK(whole == moved);
    static_assert(!std::ranges::range<decltype(moved * 2)>);
}

TEST_CASE("lines, pictures and volumes") {
    const array<float, 3> line{{{1, 4, 2, 3}}};
    CHECK(max_pool1d(line, constant<max_pool_options{.kernel = 2}>) == array<float, 3>{{{4, 3}}});
    CHECK(avg_pool1d(line, constant<avg_pool_options{.kernel = 2}>) == array<float, 3>{{{2.5f, 2.5f}}});
    const auto [most, at] = max_pool1d_with_indices(line, constant<max_pool_options{.kernel = 2}>);
    CHECK(max_unpool1d(most, at, constant<max_unpool_options{.kernel = 2}>) == array<float, 3>{{{0, 4, 0, 3}}});
    const auto picture = array<float, 4>::full({1, 1, 2, 2}, 3);
    CHECK(avg_pool2d(picture, constant<avg_pool_options{.kernel = 2}>) == array<float, 4>{{{{3}}}});
    CHECK(upsample_nearest<2, 2>(picture) == array<float, 4>::full({1, 1, 4, 4}, 3));
    const auto volume = array<float, 5>::full({1, 1, 2, 2, 2}, 3);
    CHECK(max_pool3d(volume, constant<max_pool_options{.kernel = 2}>) == array<float, 5>::full({1, 1, 1, 1, 1}, 3));
    CHECK(avg_pool3d(volume, constant<avg_pool_options{.kernel = 2}>) == array<float, 5>::full({1, 1, 1, 1, 1}, 3));
    const auto [most_3, at_3] = max_pool3d_with_indices(volume, constant<max_pool_options{.kernel = 2}>);
    CHECK(max_unpool3d(most_3, at_3, constant<max_unpool_options{.kernel = 2}>).eval().extent(4) == 2);
}

TEST_CASE("one truth value chooses all of an array") {
    const array<float, 2> m{{1, 2}, {3, 4}};
    const array<float, 1> x{5, 6};
    const array<int, 1> i{7, 8};
    const array<float, 0> one(2);
    bool first = true;
    CHECK(eval(where(first, m, x)) == m);
    CHECK(eval(where(!first, m, x + 1)) == array<float, 2>{{6, 7}, {6, 7}});
    CHECK(eval(where(one > 1, x, 0)) == x);
    CHECK(eval(where(one > 3, 1.5, -x)) == array<float, 1>{-5, -6});
    CHECK(eval(where(i > 7, 1ull << 63, 0ull)) == array<std::uint64_t, 1>{0, std::uint64_t{1} << 63});
    CHECK(eval(where(i > 7, 1ll, 0ll)) == array<std::int64_t, 1>{0, 1});
    CHECK(eval(where(false, i, 3)) == array<int, 1>{3, 3});
    CHECK(where(true, one, 0)() == 2);
    CHECK(eval(where(true, array<float, 1>(0), 1)).size() == 0);
}

TEST_CASE("indices in braces") {
    array<float, 1> x{1, 2, 3, 4};
    const array<float, 2> m{{1, 2, 3}, {4, 5, 6}};
    CHECK(take<0>(x, {0, -1, 2}) == array<float, 1>{1, 4, 3});
    CHECK(take<1>(m, {2, 0}) == array<float, 2>{{3, 1}, {6, 4}});
    CHECK(take<0>(x + 1, {1}) == array<float, 1>{3});
    x = take<0>(x, {3, 2, 1, 0});
    CHECK(x == array<float, 1>{4, 3, 2, 1});
    CHECK_THROWS_AS(x = take<0>(x, {0, 1, 2, 4}), value_error);
    CHECK(x == array<float, 1>{4, 3, 2, 1});
}
