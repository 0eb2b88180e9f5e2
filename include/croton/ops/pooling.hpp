// SPDX-License-Identifier: MIT
// The largest elements, or the means, of windows that move over images, and of whole images.
#ifndef CROTON_OPS_POOLING_HPP
#define CROTON_OPS_POOLING_HPP

#include <string_view>
#include <tuple>

#include <croton/core/literals.hpp>
#include <croton/ops/norm_layers.hpp>
#include <croton/ops/pool_windows.hpp>
#include <croton/ops/scatter.hpp>

namespace croton::inline v0_1 {

/// The windows of a mean. `count_padding`: padding counts among the elements of a window, as zeros: PyTorch's count_include_pad, and its default.
struct avg_pool_options {
    window_numbers kernel{};
    window_numbers stride{};
    window_padding padding = 0;
    bool count_padding = true;
    bool ceil_mode = false;  // as that of `max_pool_options`; what reaches beyond the padding is not counted
};

/// The windows that the elements of a `max_unpool` were the largest of.
struct max_unpool_options {
    window_numbers kernel{};
    window_numbers stride{};
    window_padding padding = 0;
};

namespace detail {

/// Behind the windows `relu` runs over fewer elements: it leaves the larger of two numbers the larger one, or makes both 0, where there is no derivative.
template <class G> constexpr int max_pooled(G& g, const pooling& p, int x) {
    const bool rectified = g.template is<op::relu>(x);
    const int from = rectified ? g[x].in[0] : x, y = structure::window_max::of(g, g[x].type, from, -1, p.max_attributes(), p.of_result());
    return rectified ? g.apply(code<op::relu>, y) : y;
}

template <int Axes, traced X> constexpr bool check_image(const X& x) {
    constexpr bool ranks = rank_of<X> == Axes + 2, numbers = !std::is_same_v<number_in<X>, bool>;
    static_assert(Axes != 1 || ranks, "croton: max_pool1d, avg_pool1d and max_unpool1d take images of 3 axes, [n,channels,length]; newaxis<0>(x) makes one image a batch");
    static_assert(Axes != 2 || ranks, "croton: max_pool2d, avg_pool2d and max_unpool2d take images of 4 axes, [n,channels,height,width]; newaxis<0>(x) makes one image a batch");
    static_assert(Axes != 3 || ranks, "croton: max_pool3d, avg_pool3d and max_unpool3d take images of 5 axes, [n,channels,depth,height,width]; newaxis<0>(x) makes one image a batch");
    static_assert(numbers, "croton: a pooling does not take bool; convert with cast<float>(x)");
    if constexpr (!ranks || !numbers) x.graph->stopped = true;
    return ranks && numbers;
}

template <image_layout Layout> inline constexpr int first_image_axis = Layout == image_layout::channels_last ? 1 : 2;

/// What sentences begin with, by the number of axes.
inline constexpr std::string_view max_pool_names[] = {""sv, "max_pool1d"sv, "max_pool2d"sv, "max_pool3d"sv}, avg_pool_names[] = {""sv, "avg_pool1d"sv, "avg_pool2d"sv, "avg_pool3d"sv},
                                  max_unpool_names[] = {""sv, "max_unpool1d"sv, "max_unpool2d"sv, "max_unpool3d"sv};

template <int Axes, image_layout Layout, traced X> constexpr auto max_pooling(const X& x, const max_pool_options& o) {
    using T = number_in<X>;
    expr<T, rank_of<X>> made{x.graph, read_node(x)};
    if (!check_image<Axes>(x) || x.graph->failed()) return made;
    arena& g = *x.graph;
    const pooling p(g, max_pool_names[Axes], made.id, Axes, Layout, o);
    if (p.fits()) made.id = max_pooled(g, p, made.id);
    return made;
}
template <int Axes, image_layout Layout, traced X> constexpr auto max_pooling_with_indices(const X& x, const max_pool_options& o) {
    using T = number_in<X>;
    auto& g = *x.graph;
    std::tuple<expr<T, rank_of<X>>, expr<std::int64_t, rank_of<X>>> made{{&g, read_node(x)}, {&g, g.literal(element::int64, 0)}};
    if (!check_image<Axes>(x) || g.failed()) return made;
    const int image = read_node(x);
    const pooling p(g, max_pool_names[Axes], image, Axes, Layout, o);
    if (!p.fits()) return made;
    std::get<0>(made).id = max_pooled(g, p, image);
    std::get<1>(made).id = structure::window_max_place::of(g, element::int64, image, -1, p.max_attributes(), p.of_result());
    return made;
}

template <int Axes, image_layout Layout, traced X> constexpr auto avg_pooling(const X& given, const avg_pool_options& o) {
    auto made = as_real(given);
    if (!check_image<Axes>(made) || made.graph->failed()) return made;
    arena& g = *made.graph;
    pooling p(g, avg_pool_names[Axes], made.id, Axes, Layout, {o.kernel, o.stride, o.padding, 1, o.ceil_mode});
    const std::int64_t attributes = p.mean_attributes(o.count_padding);
    if (p.fits()) made.id = structure::window_mean_of(g, made.id, attributes, p.of_result());
    return made;
}

/// Zeros of extents `to` along the axes from `first` on, with the elements of `y` at their places.
template <class G> constexpr int max_unpooled(G& g, std::string_view who, int y, int indices, int axes, int first, const size_ref* to) {
    const shape of = g[y].shape;
    for (int i = 0; i < of.rank; ++i) {
        if (g.unify(of[i], g[indices].shape[i], tie::indexed) || g.failed()) continue;
        g.error << who << ": ";
        g.say_extents(y, of[i], indices, g[indices].shape[i], i, false);
    }
    shape all = of;
    for (int i = 0; i < axes; ++i) all[first + i] = to[i];
    const shape plane = structure::one_axis(g, all, first, axes), rows = structure::one_axis(g, of, first, axes);
    bound_indices(g, indices, plane[first], bound_of::max_unpool);
    const int zeros = structure::broadcast::of(g, g.literal(g[y].type, 0), plane);
    const int put = structure::scatter::of(g, zeros, structure::reshape::of(g, indices, rows), structure::reshape::of(g, y, rows), first, true, true);
    return structure::reshape::of(g, put, all);
}

/// `from` is the image whose extents the result has, or the options by which it had been pooled.
template <int Axes, image_layout Layout, traced Y, traced I, class From> constexpr auto max_unpooling(const Y& y, const I& indices, const From& from) {
    constexpr bool fits = are_indices<I> && rank_of<I> == rank_of<Y>;
    static_assert(fits, "croton: max_unpool takes elements and, for each, the whole number that max_pool2d_with_indices gave");
    arena& g = *y.graph;
    expr<number_in<Y>, rank_of<Y>> made{&g, read_node(y)};
    if constexpr (!fits) {
        g.stopped = true;
    } else if (check_image<Axes>(y) && !g.failed()) {
        size_ref to[max_window_axes]{};
        if constexpr (traced<From>) {
            if (!check_image<Axes>(from)) return made;
            g.unused.push(from.id);
            for (int i = 0; i < Axes; ++i) to[i] = g[from.id].shape[first_image_axis<Layout> + i];
        } else {
            window_maker windows(g, max_unpool_names[Axes], {Axes, stride_of(from.stride, from.kernel), 1, from.padding, from.kernel});
            if (from.kernel.count == 0 || from.padding.rule != padding_rule::numbers)
                windows.say() << "it needs the windows in numbers, as in {.kernel = 2}, or an image whose extents the result has, as in max_unpool2d(y, indices, x)";
            for (int i = 0; i < Axes && !g.failed(); ++i) {
                const size_ref moved = g.product(g.difference(g[made.id].shape[first_image_axis<Layout> + i], 1), windows.made.stride[i]);
                to[i] = g.difference(g.sum(moved, windows.made.kernel[i]), windows.before(i) + windows.after(i));
            }
        }
        if (!g.failed()) made.id = max_unpooled(g, max_unpool_names[Axes], made.id, indices.id, Axes, first_image_axis<Layout>, to);
    }
    return made;
}

/// The axes of images with a batch and channels: none where there are no others.
template <image_layout Layout, int Rank>
inline constexpr unsigned image_axes = Rank < 3 ? 0u : ((1u << Rank) - 1) & ~(1u | 1u << (Layout == image_layout::channels_last ? Rank - 1 : 1));
template <traced X> constexpr bool check_whole_image(const X& x) {
    static_assert(rank_of<X> >= 3, "croton: a pooling of whole images takes a batch, channels and the axes of images: [n,channels,height,width]");
    if constexpr (rank_of<X> < 3) x.graph->stopped = true;
    return rank_of<X> >= 3;
}

}  // namespace detail

/// The largest element of each window that moves over images: `max_pool2d(x, {.kernel = 2, .stride = 2})`, where the stride is the kernel unless it is said.
/// Images are [n,channels,height,width], with `max_pool2d<nhwc>` [n,height,width,channels]; the result has, along each axis, (n + paddings - dilation (k - 1) -
/// 1) / stride + 1 elements, rounded down, or with `.ceil_mode = true` as many as there are windows that begin in the image or in front of it: PyTorch's.
/// Padding is below every number. Of equal elements the first is the largest, and has all of the derivative, as in PyTorch; a NaN is larger than all.
/// Windows that do not fit are a compile-time error where extents are declared, else a `shape_error`.
template <image_layout Layout = nchw, traced X> constexpr auto max_pool2d(const X& x, const max_pool_options& options) { return detail::max_pooling<2, Layout>(x, options); }
/// The same of [n,channels,length].
template <image_layout Layout = nchw, traced X> constexpr auto max_pool1d(const X& x, const max_pool_options& options) { return detail::max_pooling<1, Layout>(x, options); }
/// The same of [n,channels,depth,height,width].
template <image_layout Layout = nchw, traced X> constexpr auto max_pool3d(const X& x, const max_pool_options& options) { return detail::max_pooling<3, Layout>(x, options); }

/// `max_pool2d`, and of which element it is: its number in the plane of its channel, row * width + column, as int64: `auto [y, indices] = ...`.
template <image_layout Layout = nchw, traced X> constexpr auto max_pool2d_with_indices(const X& x, const max_pool_options& options) {
    return detail::max_pooling_with_indices<2, Layout>(x, options);
}
template <image_layout Layout = nchw, traced X> constexpr auto max_pool1d_with_indices(const X& x, const max_pool_options& options) {
    return detail::max_pooling_with_indices<1, Layout>(x, options);
}
template <image_layout Layout = nchw, traced X> constexpr auto max_pool3d_with_indices(const X& x, const max_pool_options& options) {
    return detail::max_pooling_with_indices<3, Layout>(x, options);
}

/// Zeros, and the elements of `y` where the indices say: back from `max_pool2d_with_indices`, with its options, or in the extents of an image. Of those that go to
/// one place the last stays. An index that names no element is a `value_error` as for `take`.
template <image_layout Layout = nchw, traced Y, traced I> constexpr auto max_unpool2d(const Y& y, const I& indices, const max_unpool_options& options) {
    return detail::max_unpooling<2, Layout>(y, indices, options);
}
template <image_layout Layout = nchw, traced Y, traced I, traced X> constexpr auto max_unpool2d(const Y& y, const I& indices, const X& like) {
    return detail::max_unpooling<2, Layout>(y, indices, like);
}
template <image_layout Layout = nchw, traced Y, traced I> constexpr auto max_unpool1d(const Y& y, const I& indices, const max_unpool_options& options) {
    return detail::max_unpooling<1, Layout>(y, indices, options);
}
template <image_layout Layout = nchw, traced Y, traced I, traced X> constexpr auto max_unpool1d(const Y& y, const I& indices, const X& like) {
    return detail::max_unpooling<1, Layout>(y, indices, like);
}
template <image_layout Layout = nchw, traced Y, traced I> constexpr auto max_unpool3d(const Y& y, const I& indices, const max_unpool_options& options) {
    return detail::max_unpooling<3, Layout>(y, indices, options);
}
template <image_layout Layout = nchw, traced Y, traced I, traced X> constexpr auto max_unpool3d(const Y& y, const I& indices, const X& like) {
    return detail::max_unpooling<3, Layout>(y, indices, like);
}

/// The mean of each window that moves over images, otherwise as `max_pool2d`: `avg_pool2d(x, {.kernel = 3, .stride = 2, .padding = 1})`. Padding counts as zeros, as
/// in PyTorch, or not at all with `.count_padding = false`.
template <image_layout Layout = nchw, traced X> constexpr auto avg_pool2d(const X& x, const avg_pool_options& options) { return detail::avg_pooling<2, Layout>(x, options); }
/// The same of [n,channels,length].
template <image_layout Layout = nchw, traced X> constexpr auto avg_pool1d(const X& x, const avg_pool_options& options) { return detail::avg_pooling<1, Layout>(x, options); }
/// The same of [n,channels,depth,height,width].
template <image_layout Layout = nchw, traced X> constexpr auto avg_pool3d(const X& x, const avg_pool_options& options) { return detail::avg_pooling<3, Layout>(x, options); }

/// The mean of each channel of each image: [n,channels,height,width] -> [n,channels], or [n,channels,1,1] with `keepdims`. Images have any number of axes.
template <image_layout Layout = nchw, traced X> constexpr auto global_avg_pool(const X& x, keepdims_t) {
    (void)detail::check_whole_image(x);
    return detail::mean_over<detail::image_axes<Layout, detail::rank_of<X>>>(x);
}
template <image_layout Layout = nchw, traced X> constexpr auto global_avg_pool(const X& x) {
    const auto kept = global_avg_pool<Layout>(x, keepdims);
    return expr<detail::number_in<X>, 2>{x.graph, detail::drop_axes(*x.graph, kept.id, detail::image_axes<Layout, detail::rank_of<X>>)};
}

/// The largest element of each channel of each image, with derivatives as `max_pool2d` has them.
template <image_layout Layout = nchw, traced X> constexpr auto global_max_pool(const X& given, keepdims_t) {
    const auto x = detail::as_number(given);
    constexpr int rank = detail::rank_of<X>, first = detail::first_image_axis<Layout>;
    using T = detail::number_in<X>;
    detail::arena& g = *x.graph;
    if (!detail::check_whole_image(x)) return expr<T, rank>(x);
    const expr<T, 3> flat{&g, detail::structure::reshape::of(g, x.id, detail::structure::one_axis(g, g[x.id].shape, first, rank - 2))};
    auto largest = max<first>(flat, keepdims);
    if constexpr (std::is_floating_point_v<T>)
        largest.id = detail::structure::stand_in::of(g, largest.id, detail::structure::gather::of(g, flat.id, newaxis<first>(argmax<first>(flat)).id, first, true));
    return expr<T, rank>{&g, detail::insert_axes(g, detail::drop_axes(g, largest.id, 1u << first), detail::image_axes<Layout, rank>, rank)};
}
template <image_layout Layout = nchw, traced X> constexpr auto global_max_pool(const X& x) {
    const auto kept = global_max_pool<Layout>(x, keepdims);
    return expr<detail::number_in<X>, 2>{x.graph, detail::drop_axes(*x.graph, kept.id, detail::image_axes<Layout, detail::rank_of<X>>)};
}

}  // namespace croton::inline v0_1

#endif
