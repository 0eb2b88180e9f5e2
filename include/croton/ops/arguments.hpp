// SPDX-License-Identifier: MIT
// What each function takes: the kinds of its arguments, and a call that is right.
#ifndef CROTON_OPS_ARGUMENTS_HPP
#define CROTON_OPS_ARGUMENTS_HPP

namespace croton::inline v0_1::detail {

// Each argument is a letter: a an array, o an array or a number, q those or a list of numbers, s neither, as options, keepdims and random states are, n that or a number,
// i that or a whole number, y an array that is no function, m an array or a model of them, and * anything that is no text. Behind ? they may be left out, the last before + may be repeated, and | stands between forms.
// First those that have nothing in angle brackets, up to digitize, and from there on what may be left out.
#define CROTON_PLAIN_ARGUMENTS(form_) \
    form_(exp, "a", "(x)") \
    form_(expm1, "a", "(x)") \
    form_(log, "a", "(x)") \
    form_(log1p, "a", "(x)") \
    form_(sqrt, "a", "(x)") \
    form_(sqr, "a", "(x)") \
    form_(abs, "a", "(x)") \
    form_(sign, "a", "(x)") \
    form_(tanh, "a", "(x)") \
    form_(exp2, "a", "(x)") \
    form_(log2, "a", "(x)") \
    form_(log10, "a", "(x)") \
    form_(rsqrt, "a", "(x)") \
    form_(reciprocal, "a", "(x)") \
    form_(cbrt, "a", "(x)") \
    form_(sin, "a", "(x)") \
    form_(cos, "a", "(x)") \
    form_(tan, "a", "(x)") \
    form_(asin, "a", "(x)") \
    form_(acos, "a", "(x)") \
    form_(atan, "a", "(x)") \
    form_(sinh, "a", "(x)") \
    form_(cosh, "a", "(x)") \
    form_(asinh, "a", "(x)") \
    form_(acosh, "a", "(x)") \
    form_(atanh, "a", "(x)") \
    form_(degrees, "a", "(x)") \
    form_(radians, "a", "(x)") \
    form_(erf, "a", "(x)") \
    form_(ndtr, "a", "(x)") \
    form_(log1mexp, "a", "(x)") \
    form_(erfc, "a", "(x)") \
    form_(erfinv, "a", "(x)") \
    form_(lgamma, "a", "(x)") \
    form_(digamma, "a", "(x)") \
    form_(logit, "a", "(x)") \
    form_(atan2, "oo", "(y, x)") \
    form_(polygamma, "oo", "(n, x)") \
    form_(hypot, "oo", "(x, y)") \
    form_(logaddexp, "oo", "(x, y)") \
    form_(xlogy, "oo", "(x, y)") \
    form_(xlog1py, "oo", "(x, y)") \
    form_(pow, "oo", "(x, y)") \
    form_(maximum, "oo", "(x, y)") \
    form_(minimum, "oo", "(x, y)") \
    form_(clip, "ooo", "(x, low, high)") \
    form_(fma, "ooo", "(x, y, z)") \
    form_(lerp, "ooo", "(x, y, t)") \
    form_(where, "aoo", "(condition, x, y)") \
    form_(floor, "a", "(x)") \
    form_(ceil, "a", "(x)") \
    form_(trunc, "a", "(x)") \
    form_(round, "a", "(x)") \
    form_(fmod, "oo", "(x, y)") \
    form_(remainder, "oo", "(x, y)") \
    form_(floor_divide, "oo", "(x, y)") \
    form_(divmod, "oo", "(x, y)") \
    form_(copysign, "oo", "(x, y)") \
    form_(nextafter, "oo", "(x, y)") \
    form_(heaviside, "oo", "(x, at_zero)") \
    form_(isnan, "a", "(x)") \
    form_(isinf, "a", "(x)") \
    form_(isfinite, "a", "(x)") \
    form_(nan_to_num, "a?nnn", "(x)") \
    form_(equal, "oo", "(x, y)") \
    form_(not_equal, "oo", "(x, y)") \
    form_(isclose, "oo|oooo", "(x, y)") \
    form_(logical_and, "oo", "(x, y)") \
    form_(logical_or, "oo", "(x, y)") \
    form_(logical_xor, "oo", "(x, y)") \
    form_(logical_not, "a", "(x)") \
    form_(bitwise_and, "oo", "(x, y)") \
    form_(bitwise_or, "oo", "(x, y)") \
    form_(bitwise_xor, "oo", "(x, y)") \
    form_(bitwise_not, "a", "(x)") \
    form_(bitwise_count, "a", "(x)") \
    form_(left_shift, "oo", "(x, n)") \
    form_(right_shift, "oo", "(x, n)") \
    form_(sigmoid, "a", "(x)") \
    form_(softplus, "a", "(x)") \
    form_(relu, "a", "(x)") \
    form_(gelu, "a?s", "(x)") \
    form_(silu, "a", "(x)") \
    form_(mish, "a", "(x)") \
    form_(softsign, "a", "(x)") \
    form_(leaky_relu, "a?o", "(x, slope)") \
    form_(prelu, "ao", "(x, slope)") \
    form_(elu, "a?o", "(x, alpha)") \
    form_(celu, "a?o", "(x, alpha)") \
    form_(selu, "a", "(x)") \
    form_(hard_sigmoid, "a", "(x)") \
    form_(hard_swish, "a", "(x)") \
    form_(cross_entropy, "aa", "(logits, labels)") \
    form_(binary_cross_entropy, "aa", "(p, y)") \
    form_(binary_cross_entropy_with_logits, "aa", "(logits, y)") \
    form_(cov, "a?s|aa?s", "(x, y)") \
    form_(corrcoef, "a?a", "(x, y)") \
    form_(isin, "aq", "(x, values)") \
    form_(interp, "aaa", "(x, xp, fp)") \
    form_(trapezoid, "a?o", "(y, x)") \
    form_(flatten, "a", "(x)") \
    form_(pad, "ai?s|ai?o", "(x, 1)") \
    form_(full_like, "ao", "(x, 1)") \
    form_(zeros_like, "a", "(x)") \
    form_(ones_like, "a", "(x)") \
    form_(meshgrid, "aa", "(x, y)") \
    form_(dot, "oo", "(x, y)") \
    form_(inner, "oo", "(x, y)") \
    form_(matmul, "aa", "(x, y)") \
    form_(outer, "aa", "(x, y)") \
    form_(kron, "aa", "(x, y)") \
    form_(cross, "aa", "(x, y)") \
    form_(vdot, "aa", "(x, y)") \
    form_(multi_dot, "a+", "(a, b, c)") \
    form_(cholesky, "a", "(a)") \
    form_(inv, "a", "(a)") \
    form_(det, "a", "(a)") \
    form_(slogdet, "a", "(a)") \
    form_(qr, "a", "(a)") \
    form_(eigh, "a", "(a)") \
    form_(svd, "a", "(a)") \
    form_(pinv, "a", "(a)") \
    form_(matrix_rank, "a", "(a)") \
    form_(cond, "a|ass", "(a)") \
    form_(solve_triangular, "aa?s", "(a, b)") \
    form_(cho_solve, "aa", "(cholesky(a), b)") \
    form_(solve, "aa", "(a, b)") \
    form_(lstsq, "aa", "(a, b)") \
    form_(rms_norm, "a?s|aa?s", "(x, scale)") \
    form_(attention, "aaa?s|aaaa", "(asked, keys, values)") \
    form_(accuracy, "aa", "(predicted, labels)") \
    form_(perplexity, "aa", "(logits, labels)") \
    form_(bits_per_character, "aa", "(logits, labels)") \
    form_(uniform_like, "as", "(x, rng)") \
    form_(normal_like, "as", "(x, rng)") \
    form_(exponential_like, "as", "(x, rng)") \
    form_(gumbel_like, "as", "(x, rng)") \
    form_(truncated_normal_like, "aoos", "(x, low, high, rng)") \
    form_(bernoulli_like, "aos", "(x, p, rng)") \
    form_(randint_like, "aoos", "(x, low, high, rng)") \
    form_(categorical, "as", "(logits, rng)") \
    form_(dropout, "aos", "(x, rate, rng)") \
    form_(grad, "ym+", "(cost, x)") \
    form_(value_and_grad, "ym+", "(cost, x)") \
    form_(vjp, "ymm", "(y, x, v)") \
    form_(jvp, "ymm", "(y, x, v)") \
    form_(hvp, "ymm", "(cost, x, v)") \
    form_(jacobian, "ym+", "(y, x)") \
    form_(hessian, "ym+", "(cost, x)") \
    form_(stop_gradient, "a", "(x)") \
    form_(grad_scale, "ao", "(x, factor)") \
    form_(grad_clip, "aoo", "(x, low, high)") \
    form_(digitize, "aa", "(x, edges)") \
    form_(searchsorted, "aa", "(sorted, x)") \
    form_(convolve, "aa", "(a, v)") \
    form_(correlate, "aa", "(a, v)") \
    form_(conv1d, "aa?s|aaa?s", "(x, w)") \
    form_(conv_transpose1d, "aa?s|aaa?s", "(x, w)") \
    form_(conv2d, "aa?s|aaa?s", "(x, w)") \
    form_(conv_transpose2d, "aa?s|aaa?s", "(x, w)") \
    form_(conv3d, "aa?s|aaa?s", "(x, w)") \
    form_(conv_transpose3d, "aa?s|aaa?s", "(x, w)") \
    form_(max_pool1d, "as", "(x, options)") \
    form_(max_pool1d_with_indices, "as", "(x, options)") \
    form_(avg_pool1d, "as", "(x, options)") \
    form_(max_unpool1d, "aas|aaa", "(y, indices, options)") \
    form_(max_pool2d, "as", "(x, options)") \
    form_(max_pool2d_with_indices, "as", "(x, options)") \
    form_(avg_pool2d, "as", "(x, options)") \
    form_(max_unpool2d, "aas|aaa", "(y, indices, options)") \
    form_(max_pool3d, "as", "(x, options)") \
    form_(max_pool3d_with_indices, "as", "(x, options)") \
    form_(avg_pool3d, "as", "(x, options)") \
    form_(max_unpool3d, "aas|aaa", "(y, indices, options)") \
    form_(global_avg_pool, "a?s", "(x)") \
    form_(global_max_pool, "a?s", "(x)") \
    form_(batch_norm, "a?s|aaa?s|aaaaa?s|ass?s", "(x, scale, offset)") \
    form_(batch_norm_inference, "aaaaa?s|ass?s", "(x, scale, offset, mean, variance)") \
    form_(layer_norm, "a?s|aaa?s", "(x, scale, offset)") \
    form_(instance_norm, "a?s|aaa?s", "(x, scale, offset)") \
    form_(bernoulli, "os", "(p, rng)") \
    form_(permutation, "s|as", "(x, rng)")
#define CROTON_TAKERS_OF_ARRAYS(form_) \
    CROTON_PLAIN_ARGUMENTS(form_) \
    form_(softmax, "a", "(x)") \
    form_(log_softmax, "a", "(x)") \
    form_(logsumexp, "a?s", "(x)") \
    form_(one_hot, "a", "<10>(labels)") \
    form_(sum, "a?s", "<0>(x)") \
    form_(prod, "a?s", "<0>(x)") \
    form_(all, "a?s", "<0>(x)") \
    form_(any, "a?s", "<0>(x)") \
    form_(mean, "a?s", "<0>(x)") \
    form_(max, "a?*", "<0>(x)") \
    form_(min, "a?*", "<0>(x)") \
    form_(argmax, "a?ss", "<0>(x)") \
    form_(argmin, "a?ss", "<0>(x)") \
    form_(var, "a?ss", "<0>(x)") \
    form_(stddev, "a?ss", "<0>(x)") \
    form_(count_nonzero, "a?s", "<0>(x)") \
    form_(ptp, "a?s", "<0>(x)") \
    form_(average, "a?s|aa?s", "<0>(x, weights)") \
    form_(nansum, "a?s", "<0>(x)") \
    form_(nanprod, "a?s", "<0>(x)") \
    form_(nanmean, "a?s", "<0>(x)") \
    form_(nanvar, "a?ss", "<0>(x)") \
    form_(nanstddev, "a?ss", "<0>(x)") \
    form_(nanargmax, "a?s", "<0>(x)") \
    form_(nanargmin, "a?s", "<0>(x)") \
    form_(nanmax, "a?s", "<0>(x)") \
    form_(nanmin, "a?s", "<0>(x)") \
    form_(norm, "a?nn", "<0>(x, 1)") \
    form_(quantile, "aq?s", "<0>(x, 0.5)") \
    form_(nanquantile, "aq?s", "<0>(x, 0.5)") \
    form_(percentile, "aq?s", "<0>(x, 50)") \
    form_(nanpercentile, "aq?s", "<0>(x, 50)") \
    form_(median, "a?s", "<0>(x)") \
    form_(nanmedian, "a?s", "<0>(x)") \
    form_(cumsum, "a", "<0>(x)") \
    form_(cumprod, "a", "<0>(x)") \
    form_(logcumsumexp, "a", "<0>(x)") \
    form_(cummax, "a", "<0>(x)") \
    form_(cummin, "a", "<0>(x)") \
    form_(sort, "a", "<0>(x)") \
    form_(argsort, "a", "<0>(x)") \
    form_(topk, "a", "<5, -1>(x)") \
    form_(take, "aa", "<0>(x, indices)") \
    form_(choice, "as?n", "<5>(x, rng)") \
    form_(take_along_axis, "aa", "<0>(x, indices)") \
    form_(add_at, "aao", "<0>(x, indices, values)") \
    form_(set_at, "aao", "<0>(x, indices, values)") \
    form_(segment_sum, "aa", "<10>(x, ids)") \
    form_(segment_prod, "aa", "<10>(x, ids)") \
    form_(segment_max, "aa", "<10>(x, ids)") \
    form_(segment_min, "aa", "<10>(x, ids)") \
    form_(segment_mean, "aa", "<10>(x, ids)") \
    form_(bincount, "a", "<10>(ids)") \
    form_(transpose, "a", "<1, 0>(x)") \
    form_(swapaxes, "a", "<0, 1>(x)") \
    form_(moveaxis, "a", "<0, 1>(x)") \
    form_(newaxis, "a", "<0>(x)") \
    form_(expand_dims, "a", "<0>(x)") \
    form_(squeeze, "a", "<0>(x)") \
    form_(reshape, "a", "<2, 3>(x)") \
    form_(broadcast_to, "a", "<2, 3>(x)") \
    form_(concatenate, "a+", "<0>(x, y)") \
    form_(stack, "a+", "<0>(x, y)") \
    form_(tile, "a", "<2, 3>(x)") \
    form_(repeat, "a", "<0, 2>(x)") \
    form_(split, "a?i+", "<0, 3>(x)") \
    form_(flip, "a", "<0>(x)") \
    form_(rot90, "a", "<1>(x)") \
    form_(diff, "a", "<0>(x)") \
    form_(central_differences, "a?o", "<0>(y, 0.5)") \
    form_(histogram, "aoo", "<10>(x, 0, 1)") \
    form_(roll, "ao", "<0>(x, 1)") \
    form_(tril, "a", "(x)") \
    form_(triu, "a", "(x)") \
    form_(diagonal, "a", "(x)") \
    form_(diag, "a", "(x)") \
    form_(trace, "a", "(x)") \
    form_(tensordot, "aa|aass", "<1>(x, y)") \
    form_(matrix_power, "a", "<2>(a)") \
    form_(upsample_nearest, "a", "<2>(x)") \
    form_(upsample_bilinear, "a?s", "<2>(x)") \
    form_(group_norm, "a?s|aaa?s", "<4>(x, scale, offset)") \
    form_(top_k_accuracy, "aa", "<5>(logits, labels)") \
    form_(confusion_matrix, "aa", "<10>(predicted, labels)") \
    form_(precision_score, "aa", "<10>(predicted, labels)") \
    form_(recall_score, "aa", "<10>(predicted, labels)") \
    form_(f1_score, "aa", "<10>(predicted, labels)") \
    form_(mean_squared_error, "ao", "(prediction, target)") \
    form_(mean_absolute_error, "ao", "(prediction, target)") \
    form_(r2_score, "aa", "(prediction, target)")
// Those that make arrays are called with numbers alone, too.
#define CROTON_ARGUMENTS(form_) \
    CROTON_TAKERS_OF_ARRAYS(form_) \
    form_(zeros, "a", "<2, 3>(x)") \
    form_(ones, "a", "<2, 3>(x)") \
    form_(arange, "a?*+", "<10>(x)") \
    form_(eye, "a", "<3>(x)") \
    form_(linspace, "oo", "<5>(start, stop)") \
    form_(logspace, "oo?o", "<5>(start, stop)") \
    form_(geomspace, "oo", "<5>(start, stop)")

namespace arguments_of {
#define CROTON_PLACE(name_, ...) name_,
enum place { CROTON_ARGUMENTS(CROTON_PLACE) };
#undef CROTON_PLACE
}  // namespace arguments_of

// Pointers: of so many views g++ would count the letters.
struct arguments {
    const char *kinds, *example;
};
#define CROTON_ROW(name_, kinds_, example_) {kinds_, #name_ example_},
inline constexpr arguments arguments_taken[] = {CROTON_ARGUMENTS(CROTON_ROW)};
#undef CROTON_ROW

}  // namespace croton::inline v0_1::detail

#endif
