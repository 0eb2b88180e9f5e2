// SPDX-License-Identifier: MIT
// The functions on arrays and on expressions of them: each is the one of traced expressions, by its name.
#ifndef CROTON_LAZY_FUNCTIONS_HPP
#define CROTON_LAZY_FUNCTIONS_HPP

#include <string_view>
#include <utility>

#include <croton/lazy/einsum.hpp>
#include <croton/lazy/forms.hpp>
#include <croton/lazy/lazy.hpp>
#include <croton/ops/activations.hpp>
#include <croton/ops/along.hpp>
#include <croton/ops/attention.hpp>
#include <croton/ops/bins.hpp>
#include <croton/ops/bits.hpp>
#include <croton/ops/calculus.hpp>
#include <croton/ops/closeness.hpp>
#include <croton/ops/convolution.hpp>
#include <croton/ops/convolve.hpp>
#include <croton/ops/decompositions.hpp>
#include <croton/ops/filled.hpp>
#include <croton/ops/functions.hpp>
#include <croton/ops/gather.hpp>
#include <croton/ops/join.hpp>
#include <croton/ops/linalg.hpp>
#include <croton/ops/matrices.hpp>
#include <croton/ops/metrics.hpp>
#include <croton/ops/nn.hpp>
#include <croton/ops/norm.hpp>
#include <croton/ops/norm_layers.hpp>
#include <croton/ops/part.hpp>
#include <croton/ops/pooling.hpp>
#include <croton/ops/quantile.hpp>
#include <croton/ops/random.hpp>
#include <croton/ops/reduce.hpp>
#include <croton/ops/rounding.hpp>
#include <croton/ops/scatter.hpp>
#include <croton/ops/shape.hpp>
#include <croton/ops/solve.hpp>
#include <croton/ops/statistics.hpp>
#include <croton/ops/upsample.hpp>

namespace croton::inline v0_1 {

// What a function takes in angle brackets, axes and extents, it takes here as well.
#define CROTON_ON_ARRAYS(name_, ...)                                                                                      \
    namespace detail::call_of {                                                                                           \
    template <auto... P> struct name_ {                                                                                   \
        static constexpr std::string_view name = #name_;                                                                  \
        static constexpr int takes = arguments_of::name_;                                                                 \
        __VA_ARGS__                                                                                                       \
        template <class... E> constexpr auto operator()(E... e) const { return ::croton::name_<P...>(e...); }             \
    };                                                                                                                    \
    }                                                                                                                     \
    template <auto... P, class... X> requires (detail::on_arrays<X...> || detail::on_wrong<X...>)                         \
    auto name_(X&&... x) { return detail::lazily<detail::call_of::name_<P...>>(std::forward<X>(x)...); }

// The numbers that these take beside arrays decide how they compute.
CROTON_ON_ARRAYS(norm, static constexpr bool takes_settings = true;)
CROTON_ON_ARRAYS(nan_to_num, static constexpr bool takes_settings = true;)
CROTON_ON_ARRAYS(pad, static constexpr bool takes_settings = true;)
CROTON_ON_ARRAYS(split, static constexpr bool takes_settings = true;)
CROTON_ON_ARRAYS(max_pool1d, static constexpr bool takes_settings = true;)
CROTON_ON_ARRAYS(max_pool2d, static constexpr bool takes_settings = true;)
CROTON_ON_ARRAYS(max_pool3d, static constexpr bool takes_settings = true;)
CROTON_ON_ARRAYS(max_pool1d_with_indices, static constexpr bool takes_settings = true;)
CROTON_ON_ARRAYS(max_pool2d_with_indices, static constexpr bool takes_settings = true;)
CROTON_ON_ARRAYS(max_pool3d_with_indices, static constexpr bool takes_settings = true;)
CROTON_ON_ARRAYS(max_unpool1d, static constexpr bool takes_settings = true;)
CROTON_ON_ARRAYS(max_unpool2d, static constexpr bool takes_settings = true;)
CROTON_ON_ARRAYS(max_unpool3d, static constexpr bool takes_settings = true;)
CROTON_ON_ARRAYS(avg_pool1d, static constexpr bool takes_settings = true;)
CROTON_ON_ARRAYS(avg_pool2d, static constexpr bool takes_settings = true;)
CROTON_ON_ARRAYS(avg_pool3d, static constexpr bool takes_settings = true;)

// Elementwise. Those of one operator say here which elements it takes.
CROTON_ON_ARRAYS(exp, using operation = op::exp;)
CROTON_ON_ARRAYS(expm1, using operation = op::expm1;)
CROTON_ON_ARRAYS(log, using operation = op::log;)
CROTON_ON_ARRAYS(log1p, using operation = op::log1p;)
CROTON_ON_ARRAYS(sqrt, using operation = op::sqrt;)
CROTON_ON_ARRAYS(sqr, )
CROTON_ON_ARRAYS(abs, )
CROTON_ON_ARRAYS(sign, )
CROTON_ON_ARRAYS(tanh, using operation = op::tanh;)
CROTON_ON_ARRAYS(exp2, using operation = op::exp2;)
CROTON_ON_ARRAYS(log2, using operation = op::log2;)
CROTON_ON_ARRAYS(log10, using operation = op::log10;)
CROTON_ON_ARRAYS(rsqrt, )
CROTON_ON_ARRAYS(reciprocal, )
CROTON_ON_ARRAYS(cbrt, using operation = op::cbrt;)
CROTON_ON_ARRAYS(sin, using operation = op::sin;)
CROTON_ON_ARRAYS(cos, using operation = op::cos;)
CROTON_ON_ARRAYS(tan, using operation = op::tan;)
CROTON_ON_ARRAYS(asin, using operation = op::asin;)
CROTON_ON_ARRAYS(acos, using operation = op::acos;)
CROTON_ON_ARRAYS(atan, using operation = op::atan;)
CROTON_ON_ARRAYS(atan2, )
CROTON_ON_ARRAYS(hypot, )
CROTON_ON_ARRAYS(sinh, using operation = op::sinh;)
CROTON_ON_ARRAYS(cosh, using operation = op::cosh;)
CROTON_ON_ARRAYS(asinh, using operation = op::asinh;)
CROTON_ON_ARRAYS(acosh, using operation = op::acosh;)
CROTON_ON_ARRAYS(atanh, using operation = op::atanh;)
CROTON_ON_ARRAYS(degrees, )
CROTON_ON_ARRAYS(radians, )
CROTON_ON_ARRAYS(erf, using operation = op::erf;)
CROTON_ON_ARRAYS(ndtr, using operation = op::ndtr;)
CROTON_ON_ARRAYS(log1mexp, using operation = op::log1mexp;)
CROTON_ON_ARRAYS(erfc, using operation = op::erfc;)
CROTON_ON_ARRAYS(erfinv, using operation = op::erfinv;)
CROTON_ON_ARRAYS(lgamma, using operation = op::lgamma;)
CROTON_ON_ARRAYS(digamma, using operation = op::digamma;)
CROTON_ON_ARRAYS(polygamma, )
CROTON_ON_ARRAYS(logit, using operation = op::logit;)
CROTON_ON_ARRAYS(logaddexp, )
CROTON_ON_ARRAYS(xlogy, )
CROTON_ON_ARRAYS(xlog1py, )
CROTON_ON_ARRAYS(pow, )
CROTON_ON_ARRAYS(maximum, )
CROTON_ON_ARRAYS(minimum, )
CROTON_ON_ARRAYS(clip, )
CROTON_ON_ARRAYS(fma, )
CROTON_ON_ARRAYS(lerp, )
CROTON_ON_ARRAYS(where, )

// Rounding and remainders
CROTON_ON_ARRAYS(floor, )
CROTON_ON_ARRAYS(ceil, )
CROTON_ON_ARRAYS(trunc, )
CROTON_ON_ARRAYS(round, )
CROTON_ON_ARRAYS(fmod, )
CROTON_ON_ARRAYS(remainder, )
CROTON_ON_ARRAYS(floor_divide, )
CROTON_ON_ARRAYS(divmod, )
CROTON_ON_ARRAYS(copysign, )
CROTON_ON_ARRAYS(heaviside, )
CROTON_ON_ARRAYS(nextafter, )
CROTON_ON_ARRAYS(isnan, )
CROTON_ON_ARRAYS(isinf, )
CROTON_ON_ARRAYS(isfinite, )

// Truth values and bits
CROTON_ON_ARRAYS(equal, )
CROTON_ON_ARRAYS(not_equal, )
CROTON_ON_ARRAYS(isclose, )
CROTON_ON_ARRAYS(logical_and, )
CROTON_ON_ARRAYS(logical_or, )
CROTON_ON_ARRAYS(logical_xor, )
CROTON_ON_ARRAYS(logical_not, )
CROTON_ON_ARRAYS(bitwise_and, )
CROTON_ON_ARRAYS(bitwise_or, )
CROTON_ON_ARRAYS(bitwise_xor, )
CROTON_ON_ARRAYS(bitwise_not, )
CROTON_ON_ARRAYS(bitwise_count, )
CROTON_ON_ARRAYS(left_shift, )
CROTON_ON_ARRAYS(right_shift, )

// Activations and losses
CROTON_ON_ARRAYS(sigmoid, using operation = op::sigmoid;)
CROTON_ON_ARRAYS(softplus, using operation = op::softplus;)
CROTON_ON_ARRAYS(relu, using operation = op::relu;)
CROTON_ON_ARRAYS(gelu, using operation = op::gelu;)
CROTON_ON_ARRAYS(silu, )
CROTON_ON_ARRAYS(mish, )
CROTON_ON_ARRAYS(softsign, using operation = op::softsign;)
CROTON_ON_ARRAYS(leaky_relu, )
CROTON_ON_ARRAYS(prelu, )
CROTON_ON_ARRAYS(elu, )
CROTON_ON_ARRAYS(celu, )
CROTON_ON_ARRAYS(selu, )
CROTON_ON_ARRAYS(hard_sigmoid, )
CROTON_ON_ARRAYS(hard_swish, )
CROTON_ON_ARRAYS(softmax, )
CROTON_ON_ARRAYS(log_softmax, )
CROTON_ON_ARRAYS(logsumexp, )
CROTON_ON_ARRAYS(one_hot, )
CROTON_ON_ARRAYS(cross_entropy, )
CROTON_ON_ARRAYS(binary_cross_entropy, )
CROTON_ON_ARRAYS(binary_cross_entropy_with_logits, )

// Reductions
CROTON_ON_ARRAYS(sum, )
CROTON_ON_ARRAYS(prod, )
CROTON_ON_ARRAYS(max, )
CROTON_ON_ARRAYS(min, )
CROTON_ON_ARRAYS(all, )
CROTON_ON_ARRAYS(any, )
CROTON_ON_ARRAYS(mean, )
CROTON_ON_ARRAYS(argmax, )
CROTON_ON_ARRAYS(argmin, )
CROTON_ON_ARRAYS(var, )
CROTON_ON_ARRAYS(stddev, )
CROTON_ON_ARRAYS(count_nonzero, )
CROTON_ON_ARRAYS(ptp, )
CROTON_ON_ARRAYS(average, )
CROTON_ON_ARRAYS(cov, )
CROTON_ON_ARRAYS(corrcoef, )
CROTON_ON_ARRAYS(nansum, )
CROTON_ON_ARRAYS(nanprod, )
CROTON_ON_ARRAYS(nanmean, )
CROTON_ON_ARRAYS(nanvar, )
CROTON_ON_ARRAYS(nanstddev, )
CROTON_ON_ARRAYS(nanargmax, )
CROTON_ON_ARRAYS(nanargmin, )
CROTON_ON_ARRAYS(nanmax, )
CROTON_ON_ARRAYS(nanmin, )
CROTON_ON_ARRAYS(quantile, )
CROTON_ON_ARRAYS(percentile, )
CROTON_ON_ARRAYS(nanquantile, )
CROTON_ON_ARRAYS(nanpercentile, )
CROTON_ON_ARRAYS(median, )
CROTON_ON_ARRAYS(nanmedian, )

// Along axes
CROTON_ON_ARRAYS(cumsum, )
CROTON_ON_ARRAYS(cumprod, )
CROTON_ON_ARRAYS(logcumsumexp, )
CROTON_ON_ARRAYS(cummax, )
CROTON_ON_ARRAYS(cummin, )
CROTON_ON_ARRAYS(sort, )
CROTON_ON_ARRAYS(argsort, )
CROTON_ON_ARRAYS(topk, )
CROTON_ON_ARRAYS(searchsorted, )
CROTON_ON_ARRAYS(digitize, )
CROTON_ON_ARRAYS(isin, )
CROTON_ON_ARRAYS(histogram, using numbers = double;)
CROTON_ON_ARRAYS(trapezoid, )
CROTON_ON_ARRAYS(central_differences, )
CROTON_ON_ARRAYS(interp, )
CROTON_ON_ARRAYS(take, )
CROTON_ON_ARRAYS(take_along_axis, )
CROTON_ON_ARRAYS(add_at, )
CROTON_ON_ARRAYS(set_at, )
CROTON_ON_ARRAYS(segment_sum, )
CROTON_ON_ARRAYS(segment_prod, )
CROTON_ON_ARRAYS(segment_max, )
CROTON_ON_ARRAYS(segment_min, )
CROTON_ON_ARRAYS(segment_mean, )
CROTON_ON_ARRAYS(bincount, )

// Shapes
CROTON_ON_ARRAYS(transpose, )
CROTON_ON_ARRAYS(swapaxes, )
CROTON_ON_ARRAYS(moveaxis, )
CROTON_ON_ARRAYS(newaxis, )
CROTON_ON_ARRAYS(expand_dims, )
CROTON_ON_ARRAYS(squeeze, )
CROTON_ON_ARRAYS(reshape, )
CROTON_ON_ARRAYS(flatten, )
CROTON_ON_ARRAYS(broadcast_to, )
CROTON_ON_ARRAYS(concatenate, )
CROTON_ON_ARRAYS(stack, )
CROTON_ON_ARRAYS(tile, )
CROTON_ON_ARRAYS(repeat, )
CROTON_ON_ARRAYS(flip, )
CROTON_ON_ARRAYS(roll, using numbers = std::int64_t;)
CROTON_ON_ARRAYS(rot90, )
CROTON_ON_ARRAYS(diff, )
CROTON_ON_ARRAYS(tril, )
CROTON_ON_ARRAYS(triu, )
CROTON_ON_ARRAYS(diagonal, )
CROTON_ON_ARRAYS(diag, )
CROTON_ON_ARRAYS(trace, )
CROTON_ON_ARRAYS(full_like, )
CROTON_ON_ARRAYS(ones_like, )
CROTON_ON_ARRAYS(meshgrid, )

// Products and linear algebra
CROTON_ON_ARRAYS(dot, )
CROTON_ON_ARRAYS(matmul, )
CROTON_ON_ARRAYS(outer, )
CROTON_ON_ARRAYS(kron, )
CROTON_ON_ARRAYS(cross, )
CROTON_ON_ARRAYS(tensordot, )
CROTON_ON_ARRAYS(inner, )
CROTON_ON_ARRAYS(vdot, )
CROTON_ON_ARRAYS(multi_dot, )
CROTON_ON_ARRAYS(matrix_power, )
CROTON_ON_ARRAYS(cholesky, )
CROTON_ON_ARRAYS(solve_triangular, )
CROTON_ON_ARRAYS(cho_solve, )
CROTON_ON_ARRAYS(solve, )
CROTON_ON_ARRAYS(inv, )
CROTON_ON_ARRAYS(det, )
CROTON_ON_ARRAYS(slogdet, )
CROTON_ON_ARRAYS(qr, )
CROTON_ON_ARRAYS(eigh, )
CROTON_ON_ARRAYS(svd, )
CROTON_ON_ARRAYS(lstsq, )
CROTON_ON_ARRAYS(pinv, )
CROTON_ON_ARRAYS(matrix_rank, )
CROTON_ON_ARRAYS(cond, )

// Convolutions, layers and scores
CROTON_ON_ARRAYS(convolve, )
CROTON_ON_ARRAYS(correlate, )
CROTON_ON_ARRAYS(conv1d, )
CROTON_ON_ARRAYS(conv2d, )
CROTON_ON_ARRAYS(conv3d, )
CROTON_ON_ARRAYS(conv_transpose1d, )
CROTON_ON_ARRAYS(conv_transpose2d, )
CROTON_ON_ARRAYS(conv_transpose3d, )
CROTON_ON_ARRAYS(global_avg_pool, )
CROTON_ON_ARRAYS(global_max_pool, )
CROTON_ON_ARRAYS(upsample_nearest, )
CROTON_ON_ARRAYS(upsample_bilinear, )
CROTON_ON_ARRAYS(batch_norm, )
CROTON_ON_ARRAYS(batch_norm_inference, )
CROTON_ON_ARRAYS(layer_norm, )
CROTON_ON_ARRAYS(rms_norm, )
CROTON_ON_ARRAYS(instance_norm, )
CROTON_ON_ARRAYS(group_norm, )
CROTON_ON_ARRAYS(attention, )
CROTON_ON_ARRAYS(accuracy, )
CROTON_ON_ARRAYS(top_k_accuracy, )
CROTON_ON_ARRAYS(confusion_matrix, )
CROTON_ON_ARRAYS(precision_score, )
CROTON_ON_ARRAYS(recall_score, )
CROTON_ON_ARRAYS(f1_score, )
CROTON_ON_ARRAYS(perplexity, )
CROTON_ON_ARRAYS(bits_per_character, )
CROTON_ON_ARRAYS(mean_squared_error, )
CROTON_ON_ARRAYS(mean_absolute_error, )
CROTON_ON_ARRAYS(r2_score, )

// Draws, each computed at once
CROTON_ON_ARRAYS(uniform_like, )
CROTON_ON_ARRAYS(normal_like, )
CROTON_ON_ARRAYS(exponential_like, )
CROTON_ON_ARRAYS(gumbel_like, )
CROTON_ON_ARRAYS(truncated_normal_like, )
CROTON_ON_ARRAYS(bernoulli, using numbers = float;)
CROTON_ON_ARRAYS(bernoulli_like, using numbers = float;)
CROTON_ON_ARRAYS(randint_like, )
CROTON_ON_ARRAYS(categorical, )
CROTON_ON_ARRAYS(permutation, )
CROTON_ON_ARRAYS(choice, )
CROTON_ON_ARRAYS(dropout, )

#undef CROTON_ON_ARRAYS

}  // namespace croton::inline v0_1

#endif
