// SPDX-License-Identifier: MIT
// Windows that move over an image: from what a program says to what a routine takes, how many there are, and what is wrong with them.
#ifndef CROTON_GRAPH_WINDOWS_HPP
#define CROTON_GRAPH_WINDOWS_HPP

#include <string_view>

#include <croton/graph/arena.hpp>
#include <croton/kernel/windows.hpp>

namespace croton::inline v0_1::detail {

/// What a program says of windows along `axes` axes; `kernel` where it is no array.
struct window_request {
    int axes = 0;
    window_numbers stride, dilation;
    window_padding padding;
    window_numbers kernel{};
};

/// The windows of a request. What is wrong is said behind the `who` of the function, as in `conv2d`.
class window_maker {
public:
    kernel::windows made;

    constexpr window_maker(arena& graph, std::string_view who, const window_request& request) : g_(graph), who_(who), asked_(request) {
        made.axes = asked_.axes;
        made.rule = asked_.padding.rule;
        if (made.rule == padding_rule::wrong) say() << "a padding is \"same\", \"valid\", \"full\", or numbers";
        take("stride", asked_.stride, 1, made.stride);
        take("dilation", asked_.dilation, 1, made.dilation);
        if (has_kernel()) take("kernel", asked_.kernel, 1, made.kernel);
        if (!asked_.padding.fits(asked_.axes)) say_count("padding", asked_.padding.count);
        for (int i = 0; i < asked_.axes && made.rule == padding_rule::numbers; ++i) {
            made.before[i] = before(i);
            if (before(i) < 0 || after(i) < 0) say() << "a padding is not negative; it is " << (before(i) < 0 ? before(i) : after(i)) << " here";
        }
        check_room();
    }

    constexpr std::int64_t before(int axis) const { return asked_.padding.before[axis]; }
    constexpr std::int64_t after(int axis) const { return asked_.padding.after[axis]; }

    /// How far a window reaches behind its first element along an axis.
    constexpr size_ref reach(int axis, size_ref kernel) const { return g_.product(g_.difference(kernel, 1), made.dilation[axis]); }
    /// Both paddings of an axis that are no matter of the stride.
    constexpr size_ref pads(int axis, size_ref kernel) const {
        return made.rule == padding_rule::full ? g_.product(reach(axis, kernel), 2) : made.rule == padding_rule::numbers ? before(axis) + after(axis) : 0;
    }

    /// Both paddings of an axis and, where the number of windows is `rounded_up`, what those reach beyond that begin in the image or in front of it.
    constexpr std::int64_t padded_by(int axis, std::int64_t kernel, bool rounded_up) const {
        const std::int64_t reach = made.dilation[axis] * (kernel - 1), in_front = made.rule == padding_rule::full ? reach : before(axis), all = pads(axis, kernel);
        const std::int64_t farther = all + made.stride[axis] - 1, most = in_front + reach;
        return !rounded_up ? all : farther < most ? farther : most;
    }

    /// The number of windows along axis `axis` of those that they move along: (image + before + after - dilation (kernel - 1) - 1) / stride + 1, rounded
    /// down, or where that is `rounded_up` those that begin in the image or in front of it; "same": image / stride, rounded up. `of_image`: the axis of node `x`
    /// that this is.
    constexpr size_ref count(int axis, int x, int of_image, size_ref kernel, bool rounded_up = false) {
        const size_ref image = g_.find(g_[x].shape[of_image]), size = g_.find(kernel);
        if (size == 0) say() << "a window of no elements along axis " << of_image;
        if (made.rule == padding_rule::same) return g_.rounded_up(image, made.stride[axis]);
        const size_ref padded = g_.sum(image, rounded_up ? padded_by(axis, size, true) : pads(axis, size)), behind = reach(axis, size);
        if (image >= 0 && size > 0 && padded <= behind && !g_.failed()) {
            say() << "a window of " << behind + 1 << " does not fit into ";
            g_.describe(g_.error, x);
            g_.error << ", which has " << padded << " elements along axis " << of_image << (padded == image ? "" : " with its padding");
        }
        return g_.rounded_up(g_.difference(padded, behind), made.stride[axis]);
    }

    /// Demands that the attributes of a routine have room for the numbers.
    constexpr void check_room() {
        const bool equal = kernel::axes_are_equal(made);
        const std::int64_t most = kernel::largest_window_number(asked_.axes, equal, has_kernel());
        for (int i = 0; i < asked_.axes; ++i)
            if (made.stride[i] > most || made.dilation[i] > most || made.before[i] > most || made.kernel[i] > most) {
                say() << "numbers of windows" << (equal ? "" : " that differ by axis") << " are at most " << most << " here";
                return;
            }
    }

    /// Where the sentence begins; what is said after the first one is not kept.
    constexpr text_builder& say() {
        text_builder& to = g_.failed() ? later_ : g_.error;
        to << who_ << ": ";
        return to;
    }

private:
    constexpr bool has_kernel() const { return asked_.kernel.count > 0; }
    constexpr void say_count(std::string_view what, int count) {
        say() << "it has " << asked_.axes << (asked_.axes == 1 ? " axis" : " axes") << " along which windows move, but " << what << " has "
              << (count == 1 ? max_window_axes : count) << (count == 1 ? " that differ" : "");
    }
    constexpr void take(std::string_view what, const window_numbers& from, std::int64_t least, std::int64_t* to) {
        if (!from.fits(asked_.axes)) say_count(what, from.count);
        for (int i = 0; i < asked_.axes; ++i) {
            to[i] = from[i];
            if (from[i] >= least) continue;
            say() << what << " is at least " << least << ", and not " << from[i];
            to[i] = least;
        }
    }
    arena& g_;
    std::string_view who_;
    window_request asked_;
    text_builder later_;
};

}  // namespace croton::inline v0_1::detail

#endif
