// SPDX-License-Identifier: MIT
// Normalisation layers. All of them are formulas of means and variances, so that their derivatives and their fusing are those of sums.
#ifndef CROTON_OPS_NORM_LAYERS_HPP
#define CROTON_OPS_NORM_LAYERS_HPP

#include <cstdint>
#include <string_view>
#include <utility>

#include <croton/ops/statistics.hpp>

namespace croton::inline v0_1 {

/// What a normalisation layer learns: what each channel is multiplied by, and what is added then. A struct of your own with these fields does as
/// well, of double for example.
template <template <class, int> class A> struct norm_layer {
    A<float, 1> scale;
    A<float, 1> offset;

    /// As a layer begins: ones and zeros.
    static norm_layer of(std::int64_t channels) {
        norm_layer layer{A<float, 1>(channels), A<float, 1>(channels)};
        for (float& each : layer.scale) each = 1;
        return layer;
    }
};

/// The means and variances of the channels over the batches that were seen. Apart from what is learned, because a cost does not depend on them.
template <template <class, int> class A> struct norm_statistics {
    A<float, 1> mean;
    A<float, 1> variance;

    /// Before the first batch: zeros and ones.
    static norm_statistics of(std::int64_t channels) {
        norm_statistics statistics{A<float, 1>(channels), A<float, 1>(channels)};
        for (float& each : statistics.variance) each = 1;
        return statistics;
    }
};

/// `momentum` is the share of the new batch in the running statistics, as PyTorch has it: Flax says 1 less that. `epsilon` is added to variances.
struct batch_norm_options {
    double momentum = 0.1;
    double epsilon = 1e-5;
};
struct norm_options {
    double epsilon = 1e-5;
};
struct rms_norm_options {
    double epsilon = 1e-6;
};

/// What `batch_norm` gives in training: `auto [y, moved] = batch_norm(...)`, where `moved` goes into `outputs(...).updates(...)`.
template <class X> struct batch_normalised {
    X result;
    update_list<2> updates;
};

namespace detail {

template <class P>
concept scaled_layer = requires(const P& p) {
    requires traced<decltype(p.scale)>;
    requires traced<decltype(p.offset)>;
};
template <class S>
concept running_statistics = requires(const S& s) {
    requires traced<decltype(s.mean)>;
    requires traced<decltype(s.variance)>;
};

/// The axes of a mask.
template <unsigned Mask, int Axis = 0, int... Axes> constexpr auto axes_of() {
    if constexpr (Mask >> Axis == 0) return std::integer_sequence<int, Axes...>();
    else if constexpr ((Mask >> Axis & 1u) != 0) return axes_of<Mask, Axis + 1, Axes..., Axis>();
    else return axes_of<Mask, Axis + 1, Axes...>();
}

template <int Rank, int Axis> inline constexpr int channel_axis = axes_fit<Rank, Axis> ? (Axis < 0 ? Axis + Rank : Axis) : 0;
template <int Rank> inline constexpr unsigned all_axes = (1u << Rank) - 1;

/// Whether `x` has a batch, channels along `Axis` and, where a layer needs it, more axes.
template <int Axis, int Least, traced X> constexpr bool check_channels(const X& x) {
    constexpr int rank = rank_of<X>, axis = channel_axis<rank, Axis>;
    (void)checked_mask<rank, Axis>();
    constexpr bool fits = rank >= Least && axis != 0;
    static_assert(!axes_fit<rank, Axis> || fits, "croton: a normalisation layer takes a batch along axis 0 and channels along another, and instance_norm more axes: [n,c,h,w]");
    if constexpr (!fits || !axes_fit<rank, Axis>) x.graph->stopped = true;
    return fits && axes_fit<rank, Axis>;
}

/// A parameter of a layer as an array of the rank of `x`, whose axes in the mask it has.
template <unsigned Mask, traced X, traced V> constexpr auto spread_over(std::string_view layer, const X& x, const V& v) {
    constexpr int rank = rank_of<X>;
    constexpr bool fits = rank_of<V> == count_axes(Mask);
    static_assert(fits, "croton: the scale and the offset of a normalisation layer, and its statistics, are vectors with an element for each channel; those of layer_norm have the axes that it names");
    arena& g = *x.graph;
    if constexpr (!fits) {
        g.stopped = true;
        return as_number(x);
    } else {
        for (int i = 0, own = 0; i < rank; ++i) {
            if ((Mask >> i & 1u) == 0) continue;
            const size_ref a = g[x.id].shape[i], b = g[v.id].shape[own++];
            if (g.unify(a, b, tie::declaration) || g.failed()) continue;
            g.error << layer << ": ";
            g.say_extents(x.id, a, v.id, b, i, false);
        }
        return expr<number_in<V>, rank>{&g, insert_axes(g, read_node(v), all_axes<rank> & ~Mask, rank)};
    }
}

template <unsigned Mask, traced X> constexpr auto mean_over(const X& x) {
    return [&]<int... Axes>(std::integer_sequence<int, Axes...>) { return mean<Axes...>(x, keepdims); }(axes_of<Mask>());
}
template <unsigned Mask, traced X> constexpr auto var_over(const X& x) {
    return [&]<int... Axes>(std::integer_sequence<int, Axes...>) { return var<Axes...>(x, keepdims); }(axes_of<Mask>());
}

/// (x - mean) / sqrt(variance + epsilon).
template <traced X, traced M, traced V> constexpr auto standardised(const X& x, const M& mean, const V& variance, double epsilon) {
    return (x - mean) * rsqrt(variance + epsilon);
}
template <unsigned Mask, traced X> constexpr auto standardised(const X& given, double epsilon) {
    const auto x = as_real(given);
    return standardised(x, mean_over<Mask>(x), var_over<Mask>(x), epsilon);
}

/// What a layer has made of `x` times the scale and with the offset, which lie along the axes of the mask.
template <unsigned Mask, traced X, traced Y, traced S, traced O> constexpr auto scaled(std::string_view layer, const X& x, const Y& y, const S& scale, const O& offset) {
    return y * spread_over<Mask>(layer, x, scale) + spread_over<Mask>(layer, x, offset);
}

template <int Axis, traced X, traced S, traced O, traced M, traced V>
constexpr auto batch_normalise(const X& given, const S& scale, const O& offset, const M& mean, const V& variance, const batch_norm_options& options) {
    constexpr int rank = rank_of<X>;
    constexpr unsigned channel = 1u << channel_axis<rank, Axis>, others = all_axes<rank> & ~channel;
    const auto x = as_real(given);
    arena& g = *x.graph;
    using T = number_in<decltype(x)>;
    (void)check_channels<Axis, 2>(x);
    const auto m = mean_over<others>(x), v = var_over<others>(x);
    const auto y = scaled<channel>("batch_norm", x, standardised(x, m, v, options.epsilon), scale, offset);
    // A batch of one value has no spread that could be corrected, and one of none says nothing.
    const expr<T, 0> n{&g, count_node(g, element_of<T>, x.id, others)};
    const auto moved = [&](const auto& running, const auto& now) {
        (void)spread_over<channel>("batch_norm", x, running);
        const auto before = as_number(running);
        const expr<T, 1> seen{&g, drop_axes(g, now.id, others)};
        return where(n > 0, (1 - options.momentum) * before + options.momentum * seen, before);
    };
    const auto new_mean = moved(mean, m), new_variance = moved(variance, v * (n / maximum(n - 1, 1)));
    return batch_normalised<expr<T, rank>>{y, {update(mean, new_mean).entry[0], update(variance, new_variance).entry[0]}};
}

}  // namespace detail

/// Each channel less its mean and by its spread over the batch and all other axes (Ioffe and Szegedy 2015), in training: (x - mean) / sqrt(variance +
/// epsilon) * scale + offset, with the variance of the batch that is divided by the number of its values. Channels lie along axis 1, NCHW, or along
/// the one that is named: `batch_norm<-1>(x, ...)` of NHWC. The running statistics become (1 - momentum) times what they were and momentum times
/// those of the batch, whose variance is divided by the number of values less 1: PyTorch's. An empty batch leaves them as they are. They are shared
/// parameters, and move where the updates are returned: `auto [y, moved] = batch_norm(x, layer, statistics, {.momentum = 0.1})`.
template <int Axis = 1, traced X, detail::scaled_layer P, detail::running_statistics S>
constexpr auto batch_norm(const X& x, const P& layer, const S& statistics, const batch_norm_options& options = {}) {
    return detail::batch_normalise<Axis>(x, layer.scale, layer.offset, statistics.mean, statistics.variance, options);
}
/// The same with vectors in the place of the structs.
template <int Axis = 1, traced X, traced S, traced O, traced M, traced V>
constexpr auto batch_norm(const X& x, const S& scale, const O& offset, const M& mean, const V& variance, const batch_norm_options& options = {}) {
    return detail::batch_normalise<Axis>(x, scale, offset, mean, variance, options);
}

/// The same without running statistics: the result alone.
template <int Axis = 1, traced X> constexpr auto batch_norm(const X& x, const batch_norm_options& options = {}) {
    constexpr unsigned channel = 1u << detail::channel_axis<detail::rank_of<X>, Axis>;
    (void)detail::check_channels<Axis, 2>(x);
    return detail::standardised<detail::all_axes<detail::rank_of<X>> & ~channel>(x, options.epsilon);
}
template <int Axis = 1, traced X, traced S, traced O>
constexpr auto batch_norm(const X& x, const S& scale, const O& offset, const batch_norm_options& options = {}) {
    return detail::scaled<1u << detail::channel_axis<detail::rank_of<X>, Axis>>("batch_norm", x, batch_norm<Axis>(x, options), scale, offset);
}
template <int Axis = 1, traced X, detail::scaled_layer P> constexpr auto batch_norm(const X& x, const P& layer, const batch_norm_options& options = {}) {
    return batch_norm<Axis>(x, layer.scale, layer.offset, options);
}

/// `batch_norm` by the running statistics, as when nothing is trained: (x - mean) / sqrt(variance + epsilon) * scale + offset.
template <int Axis = 1, traced X, traced S, traced O, traced M, traced V>
constexpr auto batch_norm_inference(const X& given, const S& scale, const O& offset, const M& mean, const V& variance, const batch_norm_options& options = {}) {
    constexpr unsigned channel = 1u << detail::channel_axis<detail::rank_of<X>, Axis>;
    const auto x = detail::as_real(given);
    (void)detail::check_channels<Axis, 2>(x);
    const auto along = [&](const auto& v) { return detail::spread_over<channel>("batch_norm_inference", x, v); };
    // One factor and one term for each channel.
    const auto factor = along(scale) * rsqrt(along(variance) + options.epsilon);
    return x * factor + (along(offset) - along(mean) * factor);
}
template <int Axis = 1, traced X, detail::scaled_layer P, detail::running_statistics S>
constexpr auto batch_norm_inference(const X& x, const P& layer, const S& statistics, const batch_norm_options& options = {}) {
    return batch_norm_inference<Axis>(x, layer.scale, layer.offset, statistics.mean, statistics.variance, options);
}

/// Less the mean and by the spread over the named axes (the last one unless named), (x - mean) / sqrt(variance + epsilon): Ba, Kiros and Hinton 2016.
/// Scale and offset have the axes that are named, in the order of `x`.
template <int... Axes, traced X> constexpr auto layer_norm(const X& x, const norm_options& options = {}) {
    constexpr unsigned mask = detail::axis_list<detail::rank_of<X>, Axes...>().mask;
    if constexpr (sizeof...(Axes) == 0) return layer_norm<-1>(x, options);
    else if constexpr (mask == 0) return mean<Axes...>(x, keepdims);
    else return detail::standardised<mask>(x, options.epsilon);
}
template <int... Axes, traced X, traced S, traced O> constexpr auto layer_norm(const X& x, const S& scale, const O& offset, const norm_options& options = {}) {
    if constexpr (sizeof...(Axes) == 0) return layer_norm<-1>(x, scale, offset, options);
    else return detail::scaled<detail::axis_list<detail::rank_of<X>, Axes...>().mask>("layer_norm", x, layer_norm<Axes...>(x, options), scale, offset);
}
template <int... Axes, traced X, detail::scaled_layer P> constexpr auto layer_norm(const X& x, const P& layer, const norm_options& options = {}) {
    return layer_norm<Axes...>(x, layer.scale, layer.offset, options);
}

/// By the root of the mean of the squares over the last axis, x / sqrt(mean(x^2) + epsilon) (Zhang and Sennrich 2019), times a scale for each of its
/// elements where there is one. `epsilon` is 1e-6 unless it is said: PyTorch takes the precision of the element type.
template <traced X> constexpr auto rms_norm(const X& given, const rms_norm_options& options = {}) {
    const auto x = detail::as_real(given);
    return x * rsqrt(mean<-1>(sqr(x), keepdims) + options.epsilon);
}
template <traced X, traced S> constexpr auto rms_norm(const X& x, const S& scale, const rms_norm_options& options = {}) {
    const auto y = rms_norm(x, options);
    if constexpr (detail::rank_of<X> == 0) return y;
    else return y * detail::spread_over<1u << (detail::rank_of<X> - 1)>("rms_norm", x, scale);
}

/// Each channel of each sample less its mean and by its spread over the axes besides, [n,c,h,w] (Ulyanov, Vedaldi and Lempitsky 2016). Channels lie
/// along axis 1, or along the one that is named.
template <int Axis = 1, traced X> constexpr auto instance_norm(const X& x, const norm_options& options = {}) {
    constexpr int rank = detail::rank_of<X>;
    if constexpr (rank < 3) {
        (void)detail::check_channels<Axis, 3>(x);
        return detail::as_real(x);
    } else {
        (void)detail::check_channels<Axis, 3>(x);
        return detail::standardised<detail::all_axes<rank> & ~(1u | 1u << detail::channel_axis<rank, Axis>)>(x, options.epsilon);
    }
}
template <int Axis = 1, traced X, traced S, traced O> constexpr auto instance_norm(const X& x, const S& scale, const O& offset, const norm_options& options = {}) {
    return detail::scaled<1u << detail::channel_axis<detail::rank_of<X>, Axis>>("instance_norm", x, instance_norm<Axis>(x, options), scale, offset);
}
template <int Axis = 1, traced X, detail::scaled_layer P> constexpr auto instance_norm(const X& x, const P& layer, const norm_options& options = {}) {
    return instance_norm<Axis>(x, layer.scale, layer.offset, options);
}

namespace detail {

/// Axis `axis` as two: so many groups, and what is in each.
constexpr shape in_groups(arena& g, const shape& of, int axis, int groups) {
    shape to = of;
    to.rank = of.rank + 1;
    for (int i = axis + 1; i < of.rank; ++i) to[i + 1] = of[i];
    to[axis] = groups;
    const size_ref next = -1 - g.sizes.size();
    to[axis + 1] = g.quotient(of[axis], groups);
    if (to[axis + 1] == next) g.sizes.back().tied_by = tie::split;
    return to;
}

/// `x` by its groups, and times a scale and an offset of its channels where there are any.
template <int Groups, int Axis, traced X, traced... V> constexpr auto normalise_groups(const X& given, const norm_options& options, const V&... parameters) {
    const auto x = as_real(given);
    constexpr int rank = rank_of<X>, axis = channel_axis<rank, Axis>;
    static_assert(Groups > 0, "croton: group_norm says into how many groups the channels go, as in group_norm<4>(x)");
    static_assert(rank < max_rank, "croton: group_norm needs an axis more for a while: the rank of what it takes is at most 7");
    arena& g = *x.graph;
    if constexpr (Groups <= 0 || rank >= max_rank) {
        g.stopped = true;
        return x;
    } else {
        using T = number_in<decltype(x)>;
        const size_ref n = g.find(g[x.id].shape[axis]);
        const bool fits = check_channels<Axis, 2>(x), divide = n < 0 || n % Groups == 0;
        if (fits && !divide && !g.failed()) {
            g.error << "group_norm: ";
            g.describe(g.error, x.id);
            g.error << " has " << n << " channels, which do not make " << Groups << " equal groups";
        }
        if (!fits || !divide) return x;
        // In the shape of the groups to the end, so that it is one loop.
        const expr<T, rank + 1> grouped{&g, structure::reshape::of(g, x.id, in_groups(g, g[x.id].shape, axis, Groups))};
        constexpr unsigned channels = 3u << axis;
        auto y = standardised<all_axes<rank + 1> & ~(1u | 1u << axis)>(grouped, options.epsilon);
        if constexpr (sizeof...(V) == 2) {
            const auto in_group = [&](const auto& v) {
                (void)spread_over<1u << axis>("group_norm", x, v);
                using P = number_in<std::remove_cvref_t<decltype(v)>>;
                return expr<P, 2>{&g, structure::reshape::of(g, read_node(v), in_groups(g, g[v.id].shape, 0, Groups))};
            };
            y = scaled<channels>("group_norm", grouped, y, in_group(parameters)...);
        }
        return expr<T, rank>{&g, structure::reshape::of(g, y.id, g[x.id].shape)};
    }
}

}  // namespace detail

/// Each of so many groups of channels of each sample less its mean and by its spread over the channels of the group and the axes besides (Wu and He
/// 2018): `group_norm<4>(x, layer)`. Channels lie along axis 1, or along the one that is named second; their number is a multiple of the groups: an
/// error while compiling, or a `shape_error` where only the call knows it.
template <int Groups, int Axis = 1, traced X> constexpr auto group_norm(const X& x, const norm_options& options = {}) {
    return detail::normalise_groups<Groups, Axis>(x, options);
}
template <int Groups, int Axis = 1, traced X, traced S, traced O>
constexpr auto group_norm(const X& x, const S& scale, const O& offset, const norm_options& options = {}) {
    return detail::normalise_groups<Groups, Axis>(x, options, scale, offset);
}
template <int Groups, int Axis = 1, traced X, detail::scaled_layer P> constexpr auto group_norm(const X& x, const P& layer, const norm_options& options = {}) {
    return group_norm<Groups, Axis>(x, layer.scale, layer.offset, options);
}

}  // namespace croton::inline v0_1

#endif
