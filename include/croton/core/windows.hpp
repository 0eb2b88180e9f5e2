// SPDX-License-Identifier: MIT
// How a program says where windows lie on an image: numbers for all axes or for each, and paddings.
#ifndef CROTON_CORE_WINDOWS_HPP
#define CROTON_CORE_WINDOWS_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace croton::inline v0_1 {

/// The most axes along which windows move: an image of three dimensions.
inline constexpr int max_window_axes = 3;

/// In which order the axes of images lie: the channels in front of those along which windows move, as in [n,c,h,w], or behind, as in [n,h,w,c].
enum class image_layout : std::uint8_t { channels_first, channels_last };
inline constexpr image_layout nchw = image_layout::channels_first, nhwc = image_layout::channels_last;

/// A number for all axes of the windows, as in `.stride = 2`, or one for each, as in `.stride = {1, 2}`.
struct window_numbers {
    std::int64_t number[max_window_axes]{};
    int count = 0;  // how many were written; 0: none

    constexpr window_numbers() = default;
    constexpr window_numbers(int n) : number{n, n, n}, count(1) {}
    constexpr window_numbers(std::initializer_list<std::int64_t> each) {
        for (const std::int64_t n : each) {
            if (count < max_window_axes) number[count] = n;
            ++count;
        }
    }
    constexpr std::int64_t operator[](int axis) const { return number[axis]; }
    /// Whether there is one for each of so many axes.
    constexpr bool fits(int axes) const { return count == 1 ? axes == 1 || number[1] == number[0] : count == axes; }
};

/// What an image gets in front of and behind an axis.
struct window_pad {
    std::int64_t before = 0, after = 0;
    constexpr window_pad(int both) : before(both), after(both) {}
    constexpr window_pad(int in_front, int behind) : before(in_front), after(behind) {}
};

/// Where paddings come from.
enum class padding_rule : std::uint8_t {
    numbers,
    same,   // ceil(n / stride) windows, as in XLA and TensorFlow: what is needed for that, of an odd number the larger half behind
    full,   // every window that has an element of the image
    wrong,  // a word that names none of these
};

/// A padding: a number for both sides of all axes, one for each axis as in `{1, 2}`, pairs of what is in front and behind as in `{{0, 1}, {2, 2}}`, or
/// "same", "valid" (none) or "full".
struct window_padding {
    padding_rule rule = padding_rule::numbers;
    std::int64_t before[max_window_axes]{}, after[max_window_axes]{};
    int count = 1;

    constexpr window_padding() = default;
    constexpr window_padding(int both) {
        for (int i = 0; i < max_window_axes; ++i) before[i] = after[i] = both;
    }
    constexpr window_padding(std::initializer_list<window_pad> each) : count(0) {
        for (const window_pad& p : each) {
            if (count < max_window_axes) {
                before[count] = p.before;
                after[count] = p.after;
            }
            ++count;
        }
    }
    template <std::size_t N> constexpr window_padding(const char (&word)[N]) {
        const std::string_view said(word);
        rule = said == "same" ? padding_rule::same : said == "full" ? padding_rule::full : said == "valid" ? padding_rule::numbers : padding_rule::wrong;
    }
    constexpr bool fits(int axes) const {
        if (count != 1 || axes == 1) return count == axes;
        return before[1] == before[0] && after[1] == after[0];
    }
};

}  // namespace croton::inline v0_1

#endif
