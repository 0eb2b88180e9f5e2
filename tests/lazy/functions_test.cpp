// SPDX-License-Identifier: MIT
// The functions on arrays give what they give in the lambda of a function: the element type and the rank of each, and the values of some.
#include <doctest/doctest.h>

#include <tuple>
#include <type_traits>

#include "lazy/alike.hpp"

using namespace croton;
using support::alike;

namespace {

using of_matrix = std::type_identity<std::tuple<matrix<float>>>;
using of_matrices = std::type_identity<std::tuple<matrix<float>, matrix<float>>>;
using of_arrays_1 = std::type_identity<std::tuple<array<float, 2>>>;
using of_arrays_2 = std::type_identity<std::tuple<array<float, 2>, array<float, 2>>>;

#define ON_ONE(...) static_assert(alike<decltype([](auto x) { return __VA_ARGS__; })>(of_matrix(), of_arrays_1()))
#define ON_TWO(...) static_assert(alike<decltype([](auto x, auto y) { return __VA_ARGS__; })>(of_matrices(), of_arrays_2()))

ON_ONE(exp(x));
ON_ONE(expm1(x));
ON_ONE(log(x));
ON_ONE(log1p(x));
ON_ONE(sqrt(x));
ON_ONE(sqr(x));
ON_ONE(abs(x));
ON_ONE(sign(x));
ON_ONE(tanh(x));
ON_ONE(exp2(x));
ON_ONE(log2(x));
ON_ONE(log10(x));
ON_ONE(rsqrt(x));
ON_ONE(reciprocal(x));
ON_ONE(cbrt(x));
ON_ONE(sin(x));
ON_ONE(cos(x));
ON_ONE(tan(x));
ON_ONE(asin(x));
ON_ONE(acos(x));
ON_ONE(atan(x));
ON_ONE(sinh(x));
ON_ONE(cosh(x));
ON_ONE(asinh(x));
ON_ONE(acosh(x));
ON_ONE(atanh(x));
ON_ONE(degrees(x));
ON_ONE(radians(x));
ON_ONE(erf(x));
ON_ONE(ndtr(x));
ON_ONE(log1mexp(x));
ON_ONE(erfc(x));
ON_ONE(erfinv(x));
ON_ONE(lgamma(x));
ON_ONE(digamma(x));
ON_ONE(logit(x));
ON_ONE(floor(x));
ON_ONE(ceil(x));
ON_ONE(trunc(x));
ON_ONE(round(x));
ON_ONE(isnan(x));
ON_ONE(isinf(x));
ON_ONE(isfinite(x));
ON_ONE(nan_to_num(x));
ON_ONE(sigmoid(x));
ON_ONE(softplus(x));
ON_ONE(relu(x));
ON_ONE(gelu(x));
ON_ONE(silu(x));
ON_ONE(mish(x));
ON_ONE(softsign(x));
ON_ONE(leaky_relu(x));
ON_ONE(elu(x));
ON_ONE(celu(x));
ON_ONE(selu(x));
ON_ONE(hard_sigmoid(x));
ON_ONE(hard_swish(x));
ON_ONE(flatten(x));
ON_ONE(ones_like(x));
ON_ONE(transpose(x));
ON_ONE(sum(x));
ON_ONE(sum<1>(x));
ON_ONE(prod(x));
ON_ONE(prod<1>(x));
ON_ONE(max(x));
ON_ONE(max<1>(x));
ON_ONE(min(x));
ON_ONE(min<1>(x));
ON_ONE(mean(x));
ON_ONE(mean<1>(x));
ON_ONE(argmax(x));
ON_ONE(argmax<1>(x));
ON_ONE(argmin(x));
ON_ONE(argmin<1>(x));
ON_ONE(var(x));
ON_ONE(var<1>(x));
ON_ONE(stddev(x));
ON_ONE(stddev<1>(x));
ON_ONE(count_nonzero(x));
ON_ONE(count_nonzero<1>(x));
ON_ONE(ptp(x));
ON_ONE(ptp<1>(x));
ON_ONE(average(x));
ON_ONE(average<1>(x));
ON_ONE(nansum(x));
ON_ONE(nansum<1>(x));
ON_ONE(nanprod(x));
ON_ONE(nanprod<1>(x));
ON_ONE(nanmean(x));
ON_ONE(nanmean<1>(x));
ON_ONE(nanvar(x));
ON_ONE(nanvar<1>(x));
ON_ONE(nanstddev(x));
ON_ONE(nanstddev<1>(x));
ON_ONE(nanargmax(x));
ON_ONE(nanargmax<1>(x));
ON_ONE(nanargmin(x));
ON_ONE(nanargmin<1>(x));
ON_ONE(nanmax(x));
ON_ONE(nanmax<1>(x));
ON_ONE(nanmin(x));
ON_ONE(nanmin<1>(x));
ON_ONE(median(x));
ON_ONE(median<1>(x));
ON_ONE(nanmedian(x));
ON_ONE(nanmedian<1>(x));
ON_ONE(norm(x));
ON_ONE(norm<1>(x));
ON_ONE(logsumexp(x));
ON_ONE(logsumexp<1>(x));
ON_ONE(sum<0>(x, keepdims));
ON_ONE(prod<0>(x, keepdims));
ON_ONE(max<0>(x, keepdims));
ON_ONE(min<0>(x, keepdims));
ON_ONE(mean<0>(x, keepdims));
ON_ONE(var<0>(x, keepdims));
ON_ONE(stddev<0>(x, keepdims));
ON_ONE(median<0>(x, keepdims));
ON_ONE(norm<0>(x, keepdims));
ON_ONE(logsumexp<0>(x, keepdims));
ON_ONE(softmax<1>(x));
ON_ONE(log_softmax<1>(x));
ON_ONE(cumsum<1>(x));
ON_ONE(cumprod<1>(x));
ON_ONE(logcumsumexp<1>(x));
ON_ONE(sort<1>(x));
ON_ONE(argsort<1>(x));
ON_ONE(flip<1>(x));
ON_ONE(diff<1>(x));
ON_ONE(newaxis<1>(x));
ON_ONE(expand_dims<1>(x));
ON_ONE(layer_norm<1>(x));
ON_TWO(atan2(x, y));
ON_TWO(hypot(x, y));
ON_TWO(polygamma(x, y));
ON_TWO(logaddexp(x, y));
ON_TWO(xlogy(x, y));
ON_TWO(xlog1py(x, y));
ON_TWO(pow(x, y));
ON_TWO(maximum(x, y));
ON_TWO(minimum(x, y));
ON_TWO(fmod(x, y));
ON_TWO(remainder(x, y));
ON_TWO(floor_divide(x, y));
ON_TWO(copysign(x, y));
ON_TWO(heaviside(x, y));
ON_TWO(nextafter(x, y));
ON_TWO(equal(x, y));
ON_TWO(not_equal(x, y));
ON_TWO(isclose(x, y));
ON_TWO(prelu(x, y));
ON_TWO(dot(x, y));
ON_TWO(matmul(x, y));
ON_TWO(inner(x, y));
ON_TWO(kron(x, y));
ON_TWO(solve(x, y));
ON_TWO(cov(x, y));
ON_TWO(corrcoef(x, y));
ON_TWO(concatenate(x, y));
ON_TWO(stack(x, y));
ON_TWO(multi_dot(x, y));
ON_TWO(mean_squared_error(x, y));
ON_TWO(mean_absolute_error(x, y));
ON_TWO(r2_score(x, y));
ON_TWO(binary_cross_entropy(x, y));
ON_TWO(binary_cross_entropy_with_logits(x, y));
ON_TWO(where(x > y, x, 0));
ON_TWO(clip(x, -1, y));
ON_TWO(fma(x, y, 1));
ON_TWO(lerp(x, y, 0.5));
ON_ONE(quantile<0>(x, 0.25));
ON_ONE(percentile(x, 25));
ON_ONE(nanquantile(x, 0.25));
ON_ONE(nanpercentile<1>(x, 25));
ON_ONE(full_like(x, 3));
ON_TWO(tensordot<1>(x, y));
ON_TWO(einsum<"ij,jk->ik">(x, y));
ON_ONE(tile<2, 2>(x));
ON_ONE(repeat<0, 2>(x));
ON_ONE(swapaxes<0, 1>(x));
ON_ONE(moveaxis<0, 1>(x));
ON_ONE(reshape<-1>(x));
ON_ONE(broadcast_to<4, 2, 3>(x));
ON_ONE(rot90<1>(x));
ON_ONE(tril(x));
ON_ONE(triu<1>(x));
ON_ONE(diagonal(x));
ON_ONE(trace(x));
ON_ONE(cholesky(x));
ON_ONE(inv(x));
ON_ONE(det(x));
ON_TWO(solve_triangular(x, y));
ON_ONE(matrix_power<2>(x));
ON_ONE(rms_norm(x));
ON_ONE(batch_norm(x, sum<0>(x), sum<0>(x)));
ON_ONE(batch_norm_inference(x, sum<0>(x), sum<0>(x), mean<0>(x), var<0>(x)));
ON_TWO(einsum<"ij,jk->ki">(x, y));
ON_ONE(cast<int>(x));

#undef ON_ONE
#undef ON_TWO

}  // namespace

TEST_CASE("reductions, rows, positions") {
    const array<float, 2> x{{1, 5, 3}, {4, 2, 6}};
    CHECK(static_cast<float>(sum(x)) == 21);
    CHECK(sum<0>(x) == array<float, 1>{5, 7, 9});
    CHECK(max<1>(x, keepdims) == array<float, 2>{{5}, {6}});
    CHECK(argmax<1>(x) == array<std::int64_t, 1>{1, 2});
    CHECK(allclose(sum<1>(softmax<1>(x)), array<float, 1>{1, 1}));
    CHECK(sort<1>(x) == array<float, 2>{{1, 3, 5}, {2, 4, 6}});
    CHECK(var(x, constant<ddof(1)>) == eval(var(x) * 6 / 5));
    CHECK(norm(x, constant<1>) == eval(max(sum<0>(abs(x)))));
    CHECK(roll<1>(x, constant<1>) == array<float, 2>{{3, 1, 5}, {6, 4, 2}});
    for (int n = -2; n < 5; n += 3) CHECK(roll<1>(x, n) == roll<1>(x, constant<1>));
    CHECK(histogram<2>(x, 0.5, 6.5) == array<std::int64_t, 1>{3, 3});
    CHECK(trapezoid(x, 0.5) == array<float, 1>{3.5f, 3.5f});
    CHECK(static_cast<float>(median(x)) == 3.5f);
    CHECK(quantile<0>(x, 0.5) == array<float, 1>{2.5f, 3.5f, 4.5f});
    CHECK_THROWS_AS(eval(max(array<float, 1>(0))), shape_error);
}

TEST_CASE("indices, labels, shapes") {
    const array<float, 2> x{{1, 5, 3}, {4, 2, 6}};
    const array<int, 1> ids{1, 0, 1};
    CHECK(take<0>(x, ids) == array<float, 2>{{4, 2, 6}, {1, 5, 3}, {4, 2, 6}});
    CHECK_THROWS_AS(eval(take<0>(x, array<int, 1>{2})), value_error);
    CHECK(add_at<0>(array<float, 1>{0, 0}, ids, array<float, 1>{1, 2, 4}) == array<float, 1>{2, 5});
    CHECK(one_hot<2>(ids) == array<bool, 2>{{false, true}, {true, false}, {false, true}});
    CHECK(bincount<3>(ids) == array<std::int64_t, 1>{1, 2, 0});
    CHECK(transpose(x) == array<float, 2>{{1, 4}, {5, 2}, {3, 6}});
    CHECK(reshape<3, 2>(x) == x.reshape(3, 2));
    CHECK(concatenate<1>(x, x(slice(), slice(0, 1))) == array<float, 2>{{1, 5, 3, 1}, {4, 2, 6, 4}});
    CHECK(cast<int>(x / 2) == array<int, 2>{{0, 2, 1}, {2, 1, 3}});
    CHECK(static_cast<float>(mean(cross_entropy(x, array<int, 1>{1, 2}))) == doctest::Approx(0.145f).epsilon(0.1));
}

TEST_CASE("several values are arrays") {
    const array<double, 2> a{{4, 1}, {1, 3}};
    const auto [q, r] = qr(a);
    CHECK(allclose(dot(q, r), a));
    const auto [values, vectors] = eigh(a);
    CHECK(allclose(dot(vectors * values, transpose(vectors)), a));
    const auto [sign, logarithm] = slogdet(a);
    CHECK(static_cast<double>(sign) == 1);
    CHECK(static_cast<double>(exp(logarithm)) == doctest::Approx(11));
    const auto [left, right] = split<1, 2>(a);
    CHECK(right == array<double, 2>{{1}, {3}});
    const auto [quotient, rest] = divmod(a, 2);
    CHECK(quotient * 2 + rest == a);
    CHECK_THROWS_AS(cholesky(a - 10).eval(), value_error);
}

TEST_CASE("convolutions and pooling") {
    const auto x = array<float, 4>::full({1, 1, 4, 4}, 1), w = array<float, 4>::full({1, 1, 3, 3}, 1);
    CHECK(conv2d(x, w) == array<float, 4>::full({1, 1, 2, 2}, 9));
    CHECK(conv2d(x, w, constant<convolution_options{.stride = 2, .padding = 1}>) == array<float, 4>{{{{4, 6}, {6, 9}}}});
    CHECK(max_pool2d(x + 1, constant<max_pool_options{.kernel = 2}>) == array<float, 4>::full({1, 1, 2, 2}, 2));
}

TEST_CASE("settings of padding, pooling, normalising and of gelu; letters of einsum") {
    const array<float, 2> x{{1, 2}, {3, 4}};
    CHECK(pad(x, constant<1>) == array<float, 2>{{0, 0, 0, 0}, {0, 1, 2, 0}, {0, 3, 4, 0}, {0, 0, 0, 0}});
    CHECK(pad(x, constant<pad_width(1, 0)>, constant<pad_mode::edge>) == array<float, 2>{{1, 1, 2}, {1, 1, 2}, {3, 3, 4}});
    CHECK(pad(x, constant<pad_widths{{1, 0}, {0, 2}}>) == array<float, 2>{{0, 0, 0, 0}, {1, 2, 0, 0}, {3, 4, 0, 0}});
    CHECK(pad(x, constant<pad_widths{{0, 0}, {2, 1}}>, constant<pad_mode::wrap>) == array<float, 2>{{1, 2, 1, 2, 1}, {3, 4, 3, 4, 3}});
    CHECK(pad(x, constant<pad_widths{{0, 1}, {1, 0}}>, constant<9>) == array<float, 2>{{9, 1, 2}, {9, 3, 4}, {9, 9, 9}});
    CHECK(einsum<"ij,jk->ki">(x, x) == array<float, 2>{{7, 15}, {10, 22}});
    CHECK(einsum<"ii">(x) + 1 == array<float, 0>(array<float, 1>{6}(0)));
    CHECK(allclose(gelu(x, constant<approximate::tanh>), gelu(x), 1e-2, 1e-2));
    const auto [most, at] = max_pool2d_with_indices(reshape<1, 1, 2, 2>(x), constant<max_pool_options{.kernel = 2}>);
    CHECK(at == array<std::int64_t, 4>{{{{3}}}});
    CHECK(max_unpool2d(most, at, constant<max_unpool_options{.kernel = 2}>) == reshape<1, 1, 2, 2>(array<float, 2>{{0, 0}, {0, 4}}));
    const array<float, 1> ones{1, 1}, zeros{0, 0};
    CHECK(allclose(batch_norm(x, ones, zeros, constant<batch_norm_options{.epsilon = 0}>), array<float, 2>{{-1, -1}, {1, 1}}));
}
