// SPDX-License-Identifier: MIT
// Convolutions along one, two and three axes, and transposed ones.
#ifndef CROTON_OPS_CONVOLUTION_HPP
#define CROTON_OPS_CONVOLUTION_HPP

#include <croton/graph/structure/convolution.hpp>
#include <croton/graph/windows.hpp>
#include <croton/ops/shape.hpp>

namespace croton::inline v0_1 {

/// How a convolution is computed; `by_size` leaves it to the device, as does a way that cannot do what is asked for.
enum class convolution_way : std::uint8_t {
    by_size,
    loops,   // each element by itself
    blocks,  // of results in registers
    gemm,    // matrix products, where kernels have one element
    // By Winograd's F(4x4,3x3), where kernels are 3 x 3 and move by one, without dilation: fewer products, and sums of float that are off by
    // some 1e-5 of the largest one. Not for gradients of kernels.
    winograd,
};

/// What a convolution is asked for besides its arguments. Numbers are one for all axes or a list with one for each, paddings also pairs
/// of what is in front and behind.
struct convolution_options {
    window_numbers stride = 1;
    window_padding padding = 0;   // or "same", "valid", "full"
    window_numbers dilation = 1;
    int groups = 1;               // the channels are so many groups, each with kernels of its own; as many as there are channels: depth-wise
    bool flip = false;            // the kernel from its last element to its first: the convolution of mathematics, Theano's conv2d
    convolution_way algorithm = convolution_way::by_size;
};

/// What a transposed convolution is asked for. `output_padding`: how many elements more the result has behind, of those whose windows are the same.
struct transposed_options {
    window_numbers stride = 1;
    window_padding padding = 0;
    window_numbers output_padding = 0;
    window_numbers dilation = 1;
    int groups = 1;
    bool flip = false;
    convolution_way algorithm = convolution_way::by_size;
};

namespace detail {

/// Where the axes of images and kernels are, for `axes` axes along which windows move.
struct convolution_axes {
    int channel, first, out, in, kernel;
    constexpr convolution_axes(image_layout layout, int axes) {
        const bool last = layout == image_layout::channels_last;
        channel = last ? axes + 1 : 1;
        first = last ? 1 : 2;
        out = last ? axes + 1 : 0;
        in = last ? axes : 1;
        kernel = last ? 0 : 2;
    }
};

/// `conv2d(x, w)`: what its sentences begin with.
constexpr void name_convolution(const arena& g, text_builder& who, int axes, bool transposes, int x, int w) {
    who << (transposes ? "conv_transpose" : "conv") << axes << "d(";
    g.describe(who, x);
    who << ", ";
    g.describe(who, w);
    who << ")";
}

/// Demands that the channels of `x` are those that kernels see times the groups.
constexpr void match_channels(arena& g, window_maker& windows, int x, size_ref has, size_ref of_kernel, int groups, int w, std::string_view seen) {
    if (g.unify(has, of_kernel, tie::convolution) || g.failed()) return;
    windows.say();
    g.describe(g.error, x);
    g.error << " has ";
    g.describe_size(g.error, has);
    g.error << (g.find(has) == 1 ? " channel but " : " channels but ");
    g.describe(g.error, w);
    g.error << seen;
    g.describe_size(g.error, of_kernel);
    if (groups != 1) g.error << " in " << groups << " groups";
}

constexpr std::int64_t convolution_attributes(kernel::windows made, bool flips, image_layout layout, convolution_way way) {
    made.flags = (flips ? kernel::convolution::flipped : 0) | (layout == image_layout::channels_last ? kernel::convolution::channels_last : 0);
    made.way = static_cast<std::int64_t>(way);
    return kernel::attributes_of(made, false);
}

constexpr bool check_groups(arena& g, window_maker& windows, int groups, size_ref channels, std::string_view whose) {
    if (g.failed()) return false;
    const size_ref n = g.find(channels);
    if (groups < 1) windows.say() << "groups are at least 1, and not " << groups;
    else if (n >= 0 && n % groups != 0) windows.say() << groups << " groups do not divide " << n << whose;
    return !g.failed();
}

template <class G> constexpr int convolved_nodes(G& g, int axes, image_layout layout, int x, int w, const convolution_options& o) {
    const convolution_axes at(layout, axes);
    text_builder who;
    name_convolution(g, who, axes, false, x, w);
    window_maker windows(g, who.view(), {axes, o.stride, o.dilation, o.padding});
    const shape of_x = g[x].shape, of_w = g[w].shape;
    if (!check_groups(g, windows, o.groups, of_w[at.out], " kernels")) return x;
    match_channels(g, windows, x, of_x[at.channel], g.product(of_w[at.in], o.groups), o.groups, w, " sees ");
    shape to = of_x;
    to[at.channel] = of_w[at.out];
    for (int i = 0; i < axes; ++i) to[at.first + i] = windows.count(i, x, at.first + i, of_w[at.kernel + i]);
    return g.failed() ? x : structure::convolution::of(g, x, w, convolution_attributes(windows.made, o.flip, layout, o.algorithm), to);
}

template <class G> constexpr int transposed_nodes(G& g, int axes, image_layout layout, int x, int w, const transposed_options& o) {
    const convolution_axes at(layout, axes);
    text_builder who;
    name_convolution(g, who, axes, true, x, w);
    window_maker windows(g, who.view(), {axes, o.stride, o.dilation, o.padding});
    const shape of_x = g[x].shape, of_w = g[w].shape;
    if (!check_groups(g, windows, o.groups, of_w[at.out], " kernels")) return x;
    match_channels(g, windows, x, of_x[at.channel], of_w[at.out], o.groups, w, " has kernels for ");
    if (!o.output_padding.fits(axes))
        windows.say() << "output_padding has " << o.output_padding.count << " numbers for " << axes << (axes == 1 ? " axis" : " axes");
    shape to = of_x;
    to[at.channel] = g.product(of_w[at.in], o.groups);
    for (int i = 0; i < axes && !g.failed(); ++i) {
        const std::int64_t more = o.output_padding[i], stride = windows.made.stride[i];
        if (more < 0 || (more >= stride && more >= windows.made.dilation[i]))
            windows.say() << "output_padding is less than the stride or the dilation, and not " << more;
        const size_ref n = of_x[at.first + i], k = of_w[at.kernel + i];
        const size_ref all = windows.made.rule == padding_rule::same
                                 ? g.sum(g.product(n, stride), more)
                                 : g.difference(g.sum(g.sum(g.product(g.difference(n, 1), stride), windows.reach(i, k)), more + 1),
                                                windows.pads(i, k));
        to[at.first + i] = all;
        if (g.find(all) == 0) windows.say() << "its padding leaves nothing of axis " << at.first + i;
    }
    return g.failed() ? x : structure::convolution_input::of(g, x, w, convolution_attributes(windows.made, o.flip, layout, o.algorithm), to);
}

/// Whether two expressions are an image and a kernel with `Axes` axes along which windows move.
template <int Axes, traced X, traced W> constexpr bool check_convolved(const X& x, const W& w) {
    constexpr bool ranks = rank_of<X> == Axes + 2 && rank_of<W> == Axes + 2, numbers = !std::is_same_v<number_in<X>, bool>;
    static_assert(Axes != 1 || ranks,
                  "croton: conv1d takes images of 3 axes, [n,channels,length], and kernels of 3; newaxis<0>(x) makes one image a batch");
    static_assert(Axes != 2 || ranks,
                  "croton: conv2d takes images of 4 axes, [n,channels,height,width], and kernels of 4; newaxis<0>(x) makes one image a batch");
    static_assert(Axes != 3 || ranks, "croton: conv3d takes images of 5 axes, [n,channels,depth,height,width], and kernels of 5; newaxis<0>(x) makes "
                                      "one image a batch");
    static_assert(numbers, "croton: a convolution does not take bool; convert with cast<float>(x)");
    if constexpr (!ranks || !numbers) {
        x.graph->stopped = true;
        return false;
    } else {
        arena& g = *x.graph;
        if (g[read_node(x)].type != g[read_node(w)].type) element_mismatch(g, "a convolution", x.id, w.id);
        return !g.failed();
    }
}
template <int Axes, image_layout Layout, traced X, traced W> constexpr auto convolved(const X& x, const W& w, const convolution_options& options) {
    expr<number_in<X>, rank_of<X>> made{x.graph, read_node(x)};
    if (check_convolved<Axes>(x, w)) made.id = convolved_nodes(*x.graph, Axes, Layout, made.id, read_node(w), options);
    return made;
}
template <int Axes, image_layout Layout, traced X, traced W>
constexpr auto convolved_back(const X& x, const W& w, const transposed_options& options) {
    expr<number_in<X>, rank_of<X>> made{x.graph, read_node(x)};
    if (check_convolved<Axes>(x, w)) made.id = transposed_nodes(*x.graph, Axes, Layout, made.id, read_node(w), options);
    return made;
}

/// The result of a convolution with the number that `bias` has for each channel added to it.
template <int Axes, image_layout Layout, traced Y, traced B> constexpr auto with_bias(const Y& y, const B& bias) {
    constexpr bool fits = rank_of<B> == 1;
    static_assert(fits, "croton: the bias of a convolution is a vector that has a number for each channel of the result");
    arena& g = *y.graph;
    if (!fits) {
        g.stopped = true;
    } else if (const size_ref channels = g[y.id].shape[Layout == nhwc ? Axes + 1 : 1], numbers = g[read_node(bias)].shape[0];
               !g.failed() && !g.unify(channels, numbers, tie::convolution)) {
        g.error << "a convolution: ";
        g.describe(g.error, bias.id);
        g.error << " has ";
        g.describe_size(g.error, numbers);
        g.error << " numbers for ";
        g.describe_size(g.error, channels);
        g.error << (g.find(channels) == 1 ? " channel" : " channels") << " of the result";
    }
    if constexpr (!fits) return y;
    else if constexpr (Layout == nhwc) return y + bias;
    else if constexpr (Axes == 1) return y + newaxis<1>(bias);
    else if constexpr (Axes == 2) return y + newaxis<1, 2>(bias);
    else return y + newaxis<1, 2, 3>(bias);
}

}  // namespace detail

/// Kernels that move over images: `conv2d(x, w, {.stride = 2, .padding = 1, .groups = 2})`. Images are [n,channels,height,width] and
/// kernels [out,channels/groups,height,width], as in PyTorch; with `conv2d<nhwc>` images are [n,height,width,channels] and kernels
/// [height,width,channels/groups,out], as in TensorFlow and Flax. The result has, along each axis,
/// (n + paddings - dilation (k - 1) - 1) / stride + 1 elements, rounded down, with `.padding = "same"` n / stride, rounded up. It is the
/// cross-correlation that everybody calls a convolution; with `.flip` the kernel is turned around. `conv2d(x, w, b, {...})` adds a bias, a vector with
/// a number for each channel of the result. Channels, groups and windows that do not fit are a compile-time error where extents are declared,
/// else a `shape_error`.
template <image_layout Layout = nchw, traced X, traced W> constexpr auto conv2d(const X& x, const W& w, convolution_options options = {}) {
    return detail::convolved<2, Layout>(x, w, options);
}
template <image_layout Layout = nchw, traced X, traced W, traced B>
constexpr auto conv2d(const X& x, const W& w, const B& bias, convolution_options options = {}) {
    return detail::with_bias<2, Layout>(detail::convolved<2, Layout>(x, w, options), bias);
}
/// The same along one axis, [n,channels,length] and [out,channels/groups,length].
template <image_layout Layout = nchw, traced X, traced W> constexpr auto conv1d(const X& x, const W& w, convolution_options options = {}) {
    return detail::convolved<1, Layout>(x, w, options);
}
template <image_layout Layout = nchw, traced X, traced W, traced B>
constexpr auto conv1d(const X& x, const W& w, const B& bias, convolution_options options = {}) {
    return detail::with_bias<1, Layout>(detail::convolved<1, Layout>(x, w, options), bias);
}
/// The same along three axes, [n,channels,depth,height,width] and [out,channels/groups,depth,height,width].
template <image_layout Layout = nchw, traced X, traced W> constexpr auto conv3d(const X& x, const W& w, convolution_options options = {}) {
    return detail::convolved<3, Layout>(x, w, options);
}
template <image_layout Layout = nchw, traced X, traced W, traced B>
constexpr auto conv3d(const X& x, const W& w, const B& bias, convolution_options options = {}) {
    return detail::with_bias<3, Layout>(detail::convolved<3, Layout>(x, w, options), bias);
}

/// The gradient of `conv2d` for its image, as a function: PyTorch's `conv_transpose2d`. Kernels are [channels,out/groups,height,width], with `nhwc`
/// [height,width,out/groups,channels]; the result has, along each axis, (n - 1) stride - paddings + dilation (k - 1) + output_padding + 1 elements,
/// with `.padding = "same"` n stride + output_padding. A bias as `conv2d` has it.
template <image_layout Layout = nchw, traced X, traced W> constexpr auto conv_transpose2d(const X& x, const W& w, transposed_options options = {}) {
    return detail::convolved_back<2, Layout>(x, w, options);
}
template <image_layout Layout = nchw, traced X, traced W, traced B>
constexpr auto conv_transpose2d(const X& x, const W& w, const B& bias, transposed_options options = {}) {
    return detail::with_bias<2, Layout>(detail::convolved_back<2, Layout>(x, w, options), bias);
}
/// The same along one axis.
template <image_layout Layout = nchw, traced X, traced W> constexpr auto conv_transpose1d(const X& x, const W& w, transposed_options options = {}) {
    return detail::convolved_back<1, Layout>(x, w, options);
}
template <image_layout Layout = nchw, traced X, traced W, traced B>
constexpr auto conv_transpose1d(const X& x, const W& w, const B& bias, transposed_options options = {}) {
    return detail::with_bias<1, Layout>(detail::convolved_back<1, Layout>(x, w, options), bias);
}
/// The same along three axes.
template <image_layout Layout = nchw, traced X, traced W> constexpr auto conv_transpose3d(const X& x, const W& w, transposed_options options = {}) {
    return detail::convolved_back<3, Layout>(x, w, options);
}
template <image_layout Layout = nchw, traced X, traced W, traced B>
constexpr auto conv_transpose3d(const X& x, const W& w, const B& bias, transposed_options options = {}) {
    return detail::with_bias<3, Layout>(detail::convolved_back<3, Layout>(x, w, options), bias);
}

}  // namespace croton::inline v0_1

#endif
