// SPDX-License-Identifier: MIT
// Windows that a pooling moves over an image, as slices each of which has one element of every window.
#ifndef CROTON_OPS_POOL_WINDOWS_HPP
#define CROTON_OPS_POOL_WINDOWS_HPP

#include <string_view>

#include <croton/graph/windows.hpp>
#include <croton/ops/join.hpp>

namespace croton::inline v0_1 {

/// The windows of a max pooling. Numbers are one for all axes or a list with one for each; the stride is the kernel where it is not said.
struct max_pool_options {
    window_numbers kernel{};
    window_numbers stride{};
    window_padding padding = 0;  // or "same", "valid", "full"
    window_numbers dilation = 1;
};

namespace detail {

/// A shape whose axes from `first` on, so many of them, are one.
constexpr shape one_axis(arena& g, const shape& of, int first, int axes) {
    shape to = of;
    to.rank -= axes - 1;
    for (int i = 1; i < axes; ++i) to[first] = g.product(to[first], of[first + i]);
    for (int i = first + 1; i < to.rank; ++i) to[i] = of[i + axes - 1];
    return to;
}

/// The stride of windows, which is their extent where it is not said.
constexpr window_numbers stride_of(const window_numbers& stride, const window_numbers& kernel) {
    return stride.count > 0 ? stride : kernel.count > 0 ? kernel : window_numbers(1);
}

/// Windows over some axes of a node, `first` and those behind it.
class pooling {
public:
    int axes, first;
    size_ref count[max_window_axes]{};  // of windows

    constexpr pooling(arena& graph, std::string_view who, int x, int of_axes, int first_axis, const max_pool_options& o)
        : axes(of_axes), first(first_axis), g_(graph), x_(x), made_(graph, who, {of_axes, stride_of(o.stride, o.kernel), o.dilation, o.padding, o.kernel}) {
        if (o.kernel.count == 0) made_.say() << "it needs the extents of its windows, as in {.kernel = 2}";
        const kernel::windows& w = made_.made;
        for (int i = 0; i < axes && !g_.failed(); ++i) {
            const size_ref n = extent(i), reach = w.dilation[i] * (w.kernel[i] - 1);
            count[i] = made_.count(i, x_, first + i, w.kernel[i]);
            if (w.rule == padding_rule::numbers) {
                before_[i] = made_.before(i);
                after_[i] = made_.after(i);
                const size_ref most = before_[i] > after_[i] ? before_[i] : after_[i];
                if (most > reach) made_.say() << "with a padding of " << most << " there are windows of " << reach + 1 << " that lie beside the image";
            } else if (w.rule == padding_rule::full) {
                before_[i] = after_[i] = reach;
            } else {
                const size_ref all = g_.difference(g_.sum(g_.product(g_.difference(count[i], 1), w.stride[i]), reach + 1), n);
                after_[i] = g_.rounded_up(all, 2);
                before_[i] = g_.difference(all, after_[i]);
            }
            if (w.rule != padding_rule::same && !g_.failed()) {
                const size_ref least = w.rule == padding_rule::full ? 1 : reach + 1 - before_[i] - after_[i];
                (void)g_.demand(x_, first + i, n, least < 1 ? 1 : least, reach + 1, demanded::window);
            }
            beside_each_other_ = beside_each_other_ && w.stride[i] == w.kernel[i] && w.dilation[i] == 1 && before_[i] == 0 && after_[i] == 0;
        }
        for (int i = 0; i < axes; ++i) elements_ *= static_cast<int>(w.kernel[i]);
    }

    constexpr bool fits() const { return !g_.failed(); }
    /// How many elements a window has.
    constexpr int elements() const { return elements_; }
    constexpr size_ref extent(int axis) const { return g_.find(g_[x_].shape[first + axis]); }
    constexpr const kernel::windows& numbers() const { return made_.made; }
    constexpr size_ref before(int axis) const { return before_[axis]; }
    /// Whether every element is of one window or of none: then windows are rows of an axis more, and what a derivative brings to the elements of a window is
    /// joined, where that of elements which windows share is added up.
    constexpr bool beside_each_other() const { return beside_each_other_; }

    /// Which element of its window number `k` is along an axis.
    constexpr std::int64_t offset(int k, int axis) const {
        for (int i = axes; --i > axis;) k /= static_cast<int>(numbers().kernel[i]);
        return k % numbers().kernel[axis];
    }

    /// The image with its padding.
    constexpr int padded(int value) const {
        int a = x_;
        for (int i = 0; i < axes; ++i) {
            shape in_front = g_[a].shape, behind = in_front;
            in_front[first + i] = before_[i];
            behind[first + i] = after_[i];
            a = structure::concatenate::of(g_, first + i, structure::concatenate::of(g_, first + i, structure::broadcast::of(g_, value, in_front), a), structure::broadcast::of(g_, value, behind));
        }
        return a;
    }
    /// Every window's element `k` of the padded image along an axis.
    constexpr int slice(int padded, int axis, std::int64_t k) const {
        return structure::slice::of(g_, padded, first + axis, k * numbers().dilation[axis], count[axis], numbers().stride[axis]);
    }
    constexpr int slice(int padded, int k) const {
        for (int i = 0; i < axes; ++i) padded = slice(padded, i, offset(k, i));
        return padded;
    }

    /// The image with two axes for each along which windows move: the windows, and their elements.
    constexpr int in_windows() const {
        int a = x_;
        shape to = g_[x_].shape;
        to.rank += axes;
        for (int i = 0; i < axes; ++i) {
            a = run_of(g_, a, first + i, 0, g_.product(count[i], numbers().kernel[i]));
            to[first + 2 * i] = count[i];
            to[first + 2 * i + 1] = numbers().kernel[i];
        }
        for (int i = first + axes; i < g_[x_].shape.rank; ++i) to[i + axes] = g_[x_].shape[i];
        return structure::reshape::of(g_, a, to);
    }
    constexpr int element_of_windows(int windows, int k) const {
        for (int i = 0; i < axes; ++i) windows = run_of(g_, windows, first + 2 * i + 1, offset(k, i), 1);
        return windows;
    }
    /// What was made of such elements, without the axes of these.
    constexpr int of_windows(int made) const {
        unsigned axes_of_elements = 0;
        for (int i = 0; i < axes; ++i) axes_of_elements |= 2u << (first + 2 * i);
        return drop_axes(g_, made, axes_of_elements);
    }

    /// Where the first element of each window along an axis lies, from 0; in front of the image it is negative.
    constexpr int place(element type, int axis) const {
        const int rank = g_[x_].shape.rank;
        int at = insert_axes(g_, structure::arange::of(g_, type, count[axis]), ((1u << rank) - 1) & ~(1u << (first + axis)), rank);
        at = g_.apply(code<op::multiply>, at, g_.literal(type, numbers().stride[axis]));
        return g_.apply(code<op::subtract>, at, g_.size(type, before_[axis]));
    }
    /// The number of an element in its image, of numbers along the axes.
    template <class F> constexpr int flat(element type, F number) const {
        int at = -1;
        size_ref row = 1;
        for (int i = axes; i-- > 0;) {
            const int here = g_.apply(code<op::multiply>, number(i), g_.size(type, row));
            at = at < 0 ? here : g_.apply(code<op::add>, here, at);
            row = g_.product(row, extent(i));
        }
        return at;
    }
    /// A node with the axes of the windows, or those of images, as one.
    constexpr int as_one_axis(int a) const { return structure::reshape::of(g_, a, one_axis(g_, g_[a].shape, first, axes)); }
    constexpr shape of_result() const {
        shape to = g_[x_].shape;
        for (int i = 0; i < axes; ++i) to[first + i] = count[i];
        return to;
    }

private:
    arena& g_;
    int x_;
    window_maker made_;
    size_ref before_[max_window_axes]{}, after_[max_window_axes]{};
    bool beside_each_other_ = true;
    int elements_ = 1;
};

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
