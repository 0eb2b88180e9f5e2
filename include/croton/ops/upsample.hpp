// SPDX-License-Identifier: MIT
// Images made larger: each element repeated, or numbers in proportion between neighbours.
#ifndef CROTON_OPS_UPSAMPLE_HPP
#define CROTON_OPS_UPSAMPLE_HPP

#include <array>

#include <croton/core/windows.hpp>
#include <croton/ops/part.hpp>

namespace croton::inline v0_1 {

/// How `upsample_bilinear` places the elements. `align_corners`: the outermost elements of both images lie on each other; otherwise elements are squares, whose outer edges do.
struct upsample_options {
    bool align_corners = false;
};

namespace detail {

/// Whether an image has axes to make larger, and by what. `Least`, `Most`: how many such axes there may be.
template <int Least, int Most, int... Factors, traced X> constexpr bool check_upsampled(const X& x) {
    constexpr int axes = rank_of<X> - 2, factors = sizeof...(Factors);
    constexpr bool ranks = axes >= Least && axes <= Most && (factors == 1 || factors == axes) && rank_of<X> < max_rank, positive = ((Factors > 0) && ...);
    static_assert(ranks, "croton: upsampling takes images with a batch and channels, as [n,channels,height,width], and a factor for all axes of images or one for each; bilinear takes one axis or two");
    static_assert(positive, "croton: upsampling is by whole numbers of at least 1, as in upsample_nearest<2>(x)");
    if constexpr (!ranks || !positive) x.graph->stopped = true;
    return ranks && positive;
}

/// The factor of axis `i` of images.
template <int... Factors> constexpr int factor_of(int i) {
    constexpr int all[] = {Factors...};
    return all[sizeof...(Factors) == 1 ? 0 : i];
}

/// Along an axis `factor` numbers for each element, between it and its neighbours in proportion.
constexpr int interpolated(arena& g, int a, int axis, int factor, bool align_corners) {
    const element type = g[a].type;
    const shape of = g[a].shape;
    const size_ref n = of[axis];
    if (factor == 1) return a;
    const auto number = [&](double v) { return g.literal(type, v); };
    if (align_corners) {
        // Place i (n - 1) / (factor n - 1), with the last one on the last element.
        const int index = structure::arange::of(g, element::int64, g.product(n, factor));
        const int up = g.apply(code<op::multiply>, index, g.size(element::int64, g.difference(n, 1)));
        const int intervals = g.apply(code<op::maximum>, g.size(element::int64, g.difference(g.product(n, factor), 1)), g.literal(element::int64, 1));
        const int before = g.apply(code<op::floor_divide>, up, intervals), rest = g.apply(code<op::subtract>, up, g.apply(code<op::multiply>, before, intervals));
        const int share = g.apply(code<op::divide>, structure::cast::of(g, type, rest), structure::cast::of(g, type, intervals));
        const int last = g.apply(code<op::subtract>, g.size(element::int64, n), g.literal(element::int64, 1));
        const int behind = g.apply(code<op::minimum>, g.apply(code<op::add>, before, g.literal(element::int64, 1)), last);
        const int x = structure::gather::of(g, a, before, axis, false), y = structure::gather::of(g, a, behind, axis, false);
        const int along = insert_axes(g, share, ((1u << of.rank) - 1) & ~(1u << axis), of.rank);
        return g.apply(code<op::add>, g.apply(code<op::multiply>, x, g.apply(code<op::subtract>, number(1), along)), g.apply(code<op::multiply>, y, along));
    }
    // The neighbours of every element, the outermost beside themselves; then number j of an element lies (2 j + 1) / (2 factor) - 1/2 from it.
    const size_ref inner = g.difference(n, 1);
    const int first = run_of(g, a, axis, 0, g.difference(n, inner)), last = run_of(g, a, axis, inner, g.difference(n, inner));
    const int left = structure::concatenate::of(g, axis, first, run_of(g, a, axis, 0, inner)), right = structure::concatenate::of(g, axis, run_of(g, a, axis, g.difference(n, inner), inner), last);
    int all = -1;
    for (int j = 0; j < factor; ++j) {
        const double away = (2.0 * j + 1) / (2.0 * factor) - 0.5;
        const int beside = away < 0 ? left : right;
        const double share = away < 0 ? -away : away;
        const int here = g.apply(code<op::add>, g.apply(code<op::multiply>, a, number(1 - share)), g.apply(code<op::multiply>, beside, number(share)));
        const int column = insert_axes(g, here, 1u << (axis + 1), of.rank + 1);
        all = all < 0 ? column : structure::concatenate::of(g, axis + 1, all, column);
    }
    shape to = of;
    to[axis] = g.product(n, factor);
    return structure::reshape::of(g, all, to);
}

}  // namespace detail

/// Each element of images so many times along every axis: `upsample_nearest<2>(x)`, or with a factor for each axis `upsample_nearest<2, 3>(x)`. Images have one axis,
/// two or more, [n,channels,height,width], with `upsample_nearest<nhwc, 2>(x)` [n,height,width,channels]. PyTorch's `interpolate(mode="nearest")`.
template <image_layout Layout, int... Factors, traced X> constexpr auto upsample_nearest(const X& x) {
    auto made = detail::as_number(x);
    if (!detail::check_upsampled<1, max_rank, Factors...>(x)) return made;
    constexpr int first = Layout == image_layout::channels_last ? 1 : 2;
    std::array<int, max_rank> times{};
    times.fill(1);
    for (int i = 0; i < detail::rank_of<X> - 2; ++i) times[static_cast<unsigned>(first + i)] = detail::factor_of<Factors...>(i);
    made.id = detail::repeated(*x.graph, made.id, times, true);
    return made;
}
template <int... Factors, traced X> constexpr auto upsample_nearest(const X& x) { return upsample_nearest<nchw, Factors...>(x); }

/// Numbers in proportion between the neighbours along one axis or two of images of float or double: `upsample_bilinear<2>(x)`. PyTorch's `interpolate` with
/// "linear" and "bilinear", where `align_corners` is false too unless it is said. Otherwise as `upsample_nearest`.
template <image_layout Layout, int... Factors, traced X> constexpr auto upsample_bilinear(const X& x, const upsample_options& options = {}) {
    constexpr bool real = std::is_floating_point_v<detail::number_in<X>>;
    static_assert(real, "croton: upsample_bilinear takes float or double; convert with cast<float>(x)");
    auto made = detail::as_number(x);
    if constexpr (!real) x.graph->stopped = true;
    if (!detail::check_upsampled<1, 2, Factors...>(x) || !real) return made;
    constexpr int first = Layout == image_layout::channels_last ? 1 : 2;
    for (int i = 0; i < detail::rank_of<X> - 2; ++i)
        made.id = detail::interpolated(*x.graph, made.id, first + i, detail::factor_of<Factors...>(i), options.align_corners);
    return made;
}
template <int... Factors, traced X> constexpr auto upsample_bilinear(const X& x, const upsample_options& options = {}) {
    return upsample_bilinear<nchw, Factors...>(x, options);
}

}  // namespace croton::inline v0_1

#endif
