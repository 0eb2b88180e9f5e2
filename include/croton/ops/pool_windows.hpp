// SPDX-License-Identifier: MIT
// Windows that a pooling moves over an image: how many there are, and the attributes of what computes them.
#ifndef CROTON_OPS_POOL_WINDOWS_HPP
#define CROTON_OPS_POOL_WINDOWS_HPP

#include <string_view>

#include <croton/graph/structure/pooling.hpp>
#include <croton/graph/windows.hpp>

namespace croton::inline v0_1 {

/// The windows of a max pooling. Numbers are one for all axes or a list with one for each; the stride is the kernel where it is not said.
struct max_pool_options {
    window_numbers kernel{};
    window_numbers stride{};
    window_padding padding = 0;  // or "same", "valid", "full"
    window_numbers dilation = 1;
    bool ceil_mode = false;      // windows that begin in the image, or in front of it, and reach beyond its padding are there as well
};

namespace detail {

/// The stride of windows, which is their extent where it is not said.
constexpr window_numbers stride_of(const window_numbers& stride, const window_numbers& kernel) {
    return stride.count > 0 ? stride : kernel.count > 0 ? kernel : window_numbers(1);
}

/// Windows over some axes of a node, `first` and those behind it.
class pooling {
public:
    int axes, first;
    size_ref count[max_window_axes]{};  // of windows

    constexpr pooling(arena& graph, std::string_view who, int x, int of_axes, image_layout layout, const max_pool_options& o)
        : axes(of_axes), first(layout == image_layout::channels_last ? 1 : 2), g_(graph), x_(x), layout_(layout), rounds_up_(o.ceil_mode && o.padding.rule != padding_rule::same),
          made_(graph, who, {of_axes, stride_of(o.stride, o.kernel), o.dilation, o.padding, o.kernel}) {
        if (o.kernel.count == 0) made_.say() << "it needs the extents of its windows, as in {.kernel = 2}";
        const kernel::windows& w = made_.made;
        for (int i = 0; i < axes && !g_.failed(); ++i) {
            const std::int64_t reach = w.dilation[i] * (w.kernel[i] - 1), most = before(i) > behind(i) ? before(i) : behind(i);
            count[i] = made_.count(i, x_, first + i, w.kernel[i], rounds_up_);
            if (w.rule == padding_rule::same || g_.failed()) continue;
            if (most > reach) made_.say() << "with a padding of " << most << " there are windows of " << reach + 1 << " that lie beside the image";
            const std::int64_t least = reach + 1 - made_.padded_by(i, w.kernel[i], rounds_up_);
            if (!g_.failed()) (void)g_.demand(x_, first + i, g_.find(g_[x_].shape[first + i]), least < 1 ? 1 : least, reach + 1, demanded::window);
        }
    }

    constexpr bool fits() const { return !g_.failed(); }

    constexpr std::int64_t max_attributes() const { return kernel::attributes_of(made_.made, true) | layout_flag(); }
    constexpr std::int64_t mean_attributes(bool counts_padding) {
        std::int64_t flags = layout_flag() | (counts_padding ? 0 : kernel::window_mean::uncounted);
        if (rounds_up_) {
            flags |= kernel::window_mean::reaches_beyond;
            for (int i = 0; i < axes; ++i) made_.made.dilation[i] = behind(i) + 1;
            made_.check_room();
        }
        return kernel::attributes_of(made_.made, true) | flags;
    }
    constexpr shape of_result() const {
        shape to = g_[x_].shape;
        for (int i = 0; i < axes; ++i) to[first + i] = count[i];
        return to;
    }

private:
    constexpr std::int64_t layout_flag() const { return layout_ == image_layout::channels_last ? kernel::window_max::channels_last : 0; }
    /// What lies in front of an image and behind it, which is no matter of its extent.
    constexpr std::int64_t before(int axis) const { return made_.made.rule == padding_rule::full ? made_.made.dilation[axis] * (made_.made.kernel[axis] - 1) : made_.before(axis); }
    constexpr std::int64_t behind(int axis) const { return made_.made.rule == padding_rule::full ? made_.made.kernel[axis] - 1 : made_.after(axis); }

    arena& g_;
    int x_;
    image_layout layout_;
    bool rounds_up_;
    window_maker made_;
};

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
