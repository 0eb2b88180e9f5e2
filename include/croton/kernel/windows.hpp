// SPDX-License-Identifier: MIT
// Windows that move over an image, as the attributes of a routine hold them.
#ifndef CROTON_KERNEL_WINDOWS_HPP
#define CROTON_KERNEL_WINDOWS_HPP

#include <cstdint>
#include <string>
#include <string_view>

#include <croton/config.hpp>
#include <croton/core/windows.hpp>

namespace croton::inline v0_1::kernel {

/// The windows of a routine. Element `k` of window `p` along an axis is element `p * stride + k * dilation - before` of the image, or padding.
struct windows {
    int axes = 0;
    std::int64_t flags = 0;  // what the routine says of its first three attributes, by bit
    std::int64_t way = 0;    // which of its algorithms; 0: the routine chooses
    padding_rule rule = padding_rule::numbers;
    std::int64_t stride[max_window_axes]{}, dilation[max_window_axes]{}, before[max_window_axes]{}, kernel[max_window_axes]{};

    /// What lies in front of an image of `image` elements along an axis.
    CROTON_HD constexpr std::int64_t padding(int axis, std::int64_t image, std::int64_t of_kernel, std::int64_t count) const {
        const std::int64_t reach = dilation[axis] * (of_kernel - 1);
        if (rule == padding_rule::full) return reach;
        if (rule == padding_rule::numbers) return before[axis];
        const std::int64_t missing = (count - 1) * stride[axis] + reach + 1 - image;
        return missing > 0 ? missing / 2 : 0;
    }
};

// The attributes: 3 bits of flags, 3 of the way, 2 of the rule, whether all axes have the same numbers, then the numbers of one axis or of each.
// Numbers that are never 0 are stored less 1.
inline constexpr int window_number_bits = 50;

/// Of windows whose kernel no argument has the numbers are four.
CROTON_HD constexpr int bits_of_window_number(int axes, bool equal, bool has_kernel) {
    return window_number_bits / ((has_kernel ? 4 : 3) * (equal ? 1 : axes));
}

/// The largest number that every field holds.
constexpr std::int64_t largest_window_number(int axes, bool equal, bool has_kernel) {
    return (std::int64_t{1} << bits_of_window_number(axes, equal, has_kernel)) - 1;
}

constexpr bool axes_are_equal(const windows& w) {
    for (int i = 1; i < w.axes; ++i)
        if (w.stride[i] != w.stride[0] || w.dilation[i] != w.dilation[0] || w.before[i] != w.before[0] || w.kernel[i] != w.kernel[0]) return false;
    return true;
}

/// The attributes, of numbers that fit.
constexpr std::int64_t attributes_of(const windows& w, bool has_kernel) {
    const bool equal = axes_are_equal(w);
    const int bits = bits_of_window_number(w.axes, equal, has_kernel);
    std::int64_t packed = 0;
    const auto put = [&](std::int64_t number) { packed = packed << bits | number; };
    for (int i = equal ? 0 : w.axes - 1; i >= 0; --i) {
        if (has_kernel) put(w.kernel[i] - 1);
        put(w.before[i]);
        put(w.dilation[i] - 1);
        put(w.stride[i] - 1);
    }
    return packed << 9 | (equal ? 256 : 0) | static_cast<std::int64_t>(w.rule) << 6 | w.way << 3 | w.flags;
}

CROTON_HD constexpr windows windows_of(std::int64_t attributes, int axes, bool has_kernel) {
    windows w;
    w.axes = axes;
    w.flags = attributes & 7;
    w.way = attributes >> 3 & 7;
    w.rule = static_cast<padding_rule>(attributes >> 6 & 3);
    const bool equal = (attributes & 256) != 0;
    const int bits = bits_of_window_number(axes, equal, has_kernel);
    const std::int64_t mask = (std::int64_t{1} << bits) - 1;
    std::int64_t rest = attributes >> 9;
    for (int i = 0; i < axes; ++i) {
        if (equal) rest = attributes >> 9;
        w.stride[i] = (rest & mask) + 1;
        rest >>= bits;
        w.dilation[i] = (rest & mask) + 1;
        rest >>= bits;
        w.before[i] = rest & mask;
        rest >>= bits;
        if (!has_kernel) continue;
        w.kernel[i] = (rest & mask) + 1;
        rest >>= bits;
    }
    return w;
}

/// Says so where the windows do not fit into an image that only the call knows, or have no elements.
inline void refuse_windows(std::string& text, std::string_view who, const windows& w, int axis, int of_image, std::int64_t image,
                           std::int64_t kernel, std::int64_t count) {
    if (!text.empty() || (count > 0 && kernel > 0)) return;
    const std::string along = " along axis " + std::to_string(of_image);
    const std::string padded = w.rule == padding_rule::numbers && w.before[axis] == 0 ? "" : " with its padding";
    const std::string reach = std::to_string(w.dilation[axis] * (kernel - 1) + 1);
    text = std::string(who) + (kernel == 0 ? ": a window of no elements" + along
                                           : ": a window of " + reach + " does not fit into an image of " + std::to_string(image) + " elements" + along + padded);
}

}  // namespace croton::inline v0_1::kernel

#endif
