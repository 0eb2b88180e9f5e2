// SPDX-License-Identifier: MIT
// Options in braces beside arrays, as functions have them beside expressions: each function here only says how they are written.
#ifndef CROTON_LAZY_REFUSED_OPTIONS_HPP
#define CROTON_LAZY_REFUSED_OPTIONS_HPP

#include <croton/lazy/operands.hpp>
#include <croton/ops/attention.hpp>
#include <croton/ops/convolution.hpp>
#include <croton/ops/join.hpp>
#include <croton/ops/norm_layers.hpp>
#include <croton/ops/pooling.hpp>
#include <croton/ops/solve.hpp>
#include <croton/ops/upsample.hpp>

namespace croton::inline v0_1 {

// Options that have a type fit the function on arrays better; what stands in braces has none, and fits this one alone.
#define CROTON_REFUSE_OPTIONS(name_, options_, arguments_, ...)                                                       \
    template <auto... P, detail::own_array X, detail::own_array Y = X, detail::own_array Z = X>                       \
    detail::wrong_result name_(__VA_ARGS__, const options_&) {                                                        \
        static_assert(sizeof(X) == 0, "croton: options beside arrays are a constant, as in " #name_ "(" arguments_ ", constant<" #options_ "{...}>)"); \
        return {};                                                                                                    \
    }
#define CROTON_REFUSE_OF_IMAGES(form_, axes_) \
    form_(max_pool##axes_, max_pool_options, "x", const X&) \
    form_(max_pool##axes_##_with_indices, max_pool_options, "x", const X&) \
    form_(avg_pool##axes_, avg_pool_options, "x", const X&) \
    form_(max_unpool##axes_, max_unpool_options, "y, indices", const X&, const Y&) \
    form_(conv##axes_, convolution_options, "x, w", const X&, const Y&) \
    form_(conv##axes_, convolution_options, "x, w, bias", const X&, const Y&, const Z&) \
    form_(conv_transpose##axes_, transposed_options, "x, w", const X&, const Y&) \
    form_(conv_transpose##axes_, transposed_options, "x, w, bias", const X&, const Y&, const Z&)
CROTON_REFUSE_OF_IMAGES(CROTON_REFUSE_OPTIONS, 1d)
CROTON_REFUSE_OF_IMAGES(CROTON_REFUSE_OPTIONS, 2d)
CROTON_REFUSE_OF_IMAGES(CROTON_REFUSE_OPTIONS, 3d)
CROTON_REFUSE_OPTIONS(batch_norm, batch_norm_options, "x", const X&)
CROTON_REFUSE_OPTIONS(batch_norm, batch_norm_options, "x, scale, offset", const X&, const Y&, const Z&)
CROTON_REFUSE_OPTIONS(layer_norm, norm_options, "x", const X&)
CROTON_REFUSE_OPTIONS(layer_norm, norm_options, "x, scale, offset", const X&, const Y&, const Z&)
CROTON_REFUSE_OPTIONS(instance_norm, norm_options, "x", const X&)
CROTON_REFUSE_OPTIONS(instance_norm, norm_options, "x, scale, offset", const X&, const Y&, const Z&)
CROTON_REFUSE_OPTIONS(rms_norm, rms_norm_options, "x", const X&)
CROTON_REFUSE_OPTIONS(rms_norm, rms_norm_options, "x, scale", const X&, const Y&)
CROTON_REFUSE_OPTIONS(attention, attention_options, "asked, keys, values", const X&, const Y&, const Z&)
CROTON_REFUSE_OPTIONS(solve_triangular, triangular_options, "a, b", const X&, const Y&)
CROTON_REFUSE_OPTIONS(upsample_bilinear, upsample_options, "x", const X&)
#undef CROTON_REFUSE_OF_IMAGES
#undef CROTON_REFUSE_OPTIONS
template <detail::own_array X, class... Value> detail::wrong_result pad(const X&, const pad_widths&, const Value&...) {
    static_assert(sizeof(X) == 0, "croton: widths beside arrays are a constant, as in pad(x, constant<1>), pad(x, constant<pad_width(0, 2)>) or pad(x, constant<pad_widths{{1, 1}, {0, 2}}>)");
    return {};
}

}  // namespace croton::inline v0_1

#endif
