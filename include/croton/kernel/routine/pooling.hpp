// SPDX-License-Identifier: MIT
// The largest elements and the means of windows of images by plain code, and what is linear in the place of their derivatives.
#ifndef CROTON_KERNEL_ROUTINE_POOLING_HPP
#define CROTON_KERNEL_ROUTINE_POOLING_HPP

#include <limits>

#include <croton/core/literals.hpp>
#include <croton/kernel/routine.hpp>
#include <croton/kernel/windows.hpp>

namespace croton::inline v0_1::kernel {

/// The elements of a window along an axis that lie in the image: numbers `first` to `end` - 1; element 0 lies at `start`.
struct window_span {
    std::int64_t start = 0, first = 0, end = 0;
};

/// How images and what is made of their windows lie, always with three axes along which windows move: of those that there are not, the extent is 1.
struct pooling_task {
    std::int64_t images = 0, channels = 0;
    std::int64_t image[3]{1, 1, 1}, kernel[3]{1, 1, 1}, count[3]{1, 1, 1};
    std::int64_t stride[3]{1, 1, 1}, dilation[3]{1, 1, 1}, before[3]{}, behind[3]{};
    std::int64_t x_image = 0, x_channel = 0, x_at[3]{}, y_image = 0, y_channel = 0, y_at[3]{};
    int axes = 0;
    bool channels_last = false, counts_padding = true;

    CROTON_HD std::int64_t image_size() const { return image[0] * image[1] * image[2]; }
    CROTON_HD std::int64_t kernel_size() const { return kernel[0] * kernel[1] * kernel[2]; }
    CROTON_HD std::int64_t counts() const { return count[0] * count[1] * count[2]; }
    CROTON_HD std::int64_t operations() const { return images * channels * counts() * kernel_size(); }

    CROTON_HD int channel_axis() const { return channels_last ? axes + 1 : 1; }
    CROTON_HD int first_axis() const { return channels_last ? 1 : 2; }
    /// The place of an element of an array of images, by its index there.
    CROTON_HD void place(const std::int64_t* index, std::int64_t* at) const {
        for (int a = 0; a < 3; ++a) at[a] = a < 3 - axes ? 0 : index[first_axis() + a - 3 + axes];
    }

    CROTON_HD window_span span(int axis, std::int64_t window) const {
        window_span s;
        s.start = window * stride[axis] - before[axis];
        s.first = s.start < 0 ? (dilation[axis] - 1 - s.start) / dilation[axis] : 0;
        const std::int64_t most = s.start < image[axis] ? (image[axis] - s.start + dilation[axis] - 1) / dilation[axis] : 0;
        s.end = most < kernel[axis] ? most : kernel[axis];
        return s;
    }
    /// How many elements of a window along an axis a mean is divided by. Means have no dilation.
    CROTON_HD std::int64_t counted(int axis, std::int64_t window) const {
        const std::int64_t start = window * stride[axis] - before[axis], low = counts_padding ? start : start < 0 ? 0 : start;
        const std::int64_t end = start + kernel[axis], limit = image[axis] + (counts_padding ? behind[axis] : 0);
        return (end < limit ? end : limit) - low;
    }
    /// The windows along an axis that have the element at `at`, in their order: numbers `first` to `last`, each `by` elements of the window farther in front; none
    /// where `last` is less. With a dilation not all of them have it.
    CROTON_HD void windows_at(int axis, std::int64_t at, std::int64_t* first, std::int64_t* last) const {
        const std::int64_t padded = at + before[axis], reach = dilation[axis] * (kernel[axis] - 1);
        *first = padded <= reach ? 0 : (padded - reach + stride[axis] - 1) / stride[axis];
        const std::int64_t most = padded / stride[axis];
        *last = most < count[axis] ? most : count[axis] - 1;
    }
};

/// What the routines have in common. `X`, `Y`: which slots are images and what is made of their windows.
template <int Arguments, int X, int Y> struct pooling_routine {
    static constexpr int arguments = Arguments;
    static constexpr bool of_elements = true;
    /// Padding is not counted among the elements of a mean; where windows begin in the image and reach beyond its padding, that is not counted either, and the
    /// place of a dilation, which a mean has not, says how much padding lies behind.
    static constexpr std::int64_t uncounted = 1, channels_last = 2, reaches_beyond = 4;
    static constexpr std::string_view attribute[2] = {"without the padding"sv, "channels last"sv};

    CROTON_HD static const std::int64_t* extents(const routine_call& c, int slot) { return slot == arguments ? c.extent : c.from[slot]; }

    CROTON_HD static pooling_task task(const routine_call& c) {
        const windows w = windows_of(c.attributes, c.rank - 2, true);
        const std::int64_t *x = extents(c, X), *y = extents(c, Y);
        pooling_task t;
        t.axes = w.axes;
        t.channels_last = (w.flags & channels_last) != 0;
        t.counts_padding = (w.flags & uncounted) == 0;
        const bool beyond = (w.flags & reaches_beyond) != 0;
        const int channel = t.channel_axis(), first = t.first_axis();
        t.images = x[0];
        t.channels = x[channel];
        t.x_image = c.stride[X][0];
        t.x_channel = c.stride[X][channel];
        t.y_image = c.stride[Y][0];
        t.y_channel = c.stride[Y][channel];
        for (int i = 0; i < w.axes; ++i) {
            const int to = max_window_axes - w.axes + i;
            t.image[to] = x[first + i];
            t.kernel[to] = w.kernel[i];
            t.count[to] = y[first + i];
            t.stride[to] = w.stride[i];
            t.dilation[to] = beyond ? 1 : w.dilation[i];
            t.before[to] = w.padding(i, t.image[to], t.kernel[to], t.count[to]);
            t.behind[to] = beyond ? w.dilation[i] - 1 : (t.count[to] - 1) * t.stride[to] + t.dilation[to] * (t.kernel[to] - 1) + 1 - t.before[to] - t.image[to];
            t.x_at[to] = c.stride[X][first + i];
            t.y_at[to] = c.stride[Y][first + i];
        }
        return t;
    }
    static std::int64_t work(const routine_call& c) { return task(c).operations(); }
};

/// What lies at a place of a slot.
template <class E> CROTON_HD const E* images_of(const routine_call& c, int slot, std::int64_t offset) { return reinterpret_cast<const E*>(c.data[slot]) + offset; }

template <class T> inline constexpr T lowest_of = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();

/// The largest element of a window and its number in the image, -1 where the window has none of it. Of equal ones it is the first, and a NaN is larger than all.
template <class T> struct largest_element {
    T value = lowest_of<T>;
    std::int64_t place = 0;

    CROTON_HD static largest_element of(const pooling_task& t, const T* x, const std::int64_t* window) {
        largest_element most;
        window_span s[3];
        for (int a = 0; a < 3; ++a) {
            s[a] = t.span(a, window[a]);
            most.place = s[a].first < s[a].end && most.place >= 0 ? most.place * t.image[a] + s[a].start + s[a].first * t.dilation[a] : -1;
        }
        for (std::int64_t i = s[0].first; i < s[0].end; ++i)
            for (std::int64_t j = s[1].first; j < s[1].end; ++j)
                for (std::int64_t k = s[2].first; k < s[2].end; ++k) {
                    const std::int64_t d = s[0].start + i * t.dilation[0], h = s[1].start + j * t.dilation[1], w = s[2].start + k * t.dilation[2];
                    const T v = x[d * t.x_at[0] + h * t.x_at[1] + w * t.x_at[2]];
                    if (!(v > most.value) && v == v) continue;
                    most.value = v;
                    most.place = (d * t.image[1] + h) * t.image[2] + w;
                }
        return most;
    }
};

struct window_max : pooling_routine<1, 0, 1> {
    static constexpr std::string_view name = "window_max"sv;

    template <class T, class A> CROTON_HD static T element(const pooling_task& t, const routine_call& c, routine_types<T, A>, const std::int64_t* index) {
        std::int64_t window[3];
        t.place(index, window);
        return largest_element<A>::of(t, images_of<A>(c, 0, index[0] * t.x_image + index[t.channel_axis()] * t.x_channel), window).value;
    }
};

struct window_max_place : pooling_routine<1, 0, 1> {
    static constexpr std::string_view name = "window_max_place"sv;

    template <class T, class A> CROTON_HD static T element(const pooling_task& t, const routine_call& c, routine_types<T, A>, const std::int64_t* index) {
        std::int64_t window[3];
        t.place(index, window);
        const std::int64_t place = largest_element<A>::of(t, images_of<A>(c, 0, index[0] * t.x_image + index[t.channel_axis()] * t.x_channel), window).place;
        return static_cast<T>(place < 0 ? 0 : place);
    }
};

/// Images and numbers of their windows: for each element of the images the sum of the numbers of those windows whose largest element it is.
struct window_max_input : pooling_routine<2, 0, 1> {
    static constexpr std::string_view name = "window_max_input"sv;

    template <class T, class A, class B> CROTON_HD static T element(const pooling_task& t, const routine_call& c, routine_types<T, A, B>, const std::int64_t* index) {
        std::int64_t at[3], first[3], last[3], window[3];
        t.place(index, at);
        for (int a = 0; a < 3; ++a) t.windows_at(a, at[a], &first[a], &last[a]);
        const A* const x = images_of<A>(c, 0, index[0] * t.x_image + index[t.channel_axis()] * t.x_channel);
        const B* const y = images_of<B>(c, 1, index[0] * t.y_image + index[t.channel_axis()] * t.y_channel);
        const std::int64_t here = (at[0] * t.image[1] + at[1]) * t.image[2] + at[2];
        T sum{};
        for (window[0] = first[0]; window[0] <= last[0]; ++window[0])
            for (window[1] = first[1]; window[1] <= last[1]; ++window[1])
                for (window[2] = first[2]; window[2] <= last[2]; ++window[2])
                    if (largest_element<A>::of(t, x, window).place == here) sum += static_cast<T>(y[window[0] * t.y_at[0] + window[1] * t.y_at[1] + window[2] * t.y_at[2]]);
        return sum;
    }
};

/// The means of windows.
struct window_mean : pooling_routine<1, 0, 1> {
    static constexpr std::string_view name = "window_mean"sv;

    template <class T, class A> CROTON_HD static T element(const pooling_task& t, const routine_call& c, routine_types<T, A>, const std::int64_t* index) {
        std::int64_t window[3], among = 1;
        t.place(index, window);
        window_span s[3];
        for (int a = 0; a < 3; ++a) {
            s[a] = t.span(a, window[a]);
            among *= t.counted(a, window[a]);
        }
        const A* const x = images_of<A>(c, 0, index[0] * t.x_image + index[t.channel_axis()] * t.x_channel);
        T sum{};
        for (std::int64_t i = s[0].first; i < s[0].end; ++i)
            for (std::int64_t j = s[1].first; j < s[1].end; ++j)
                for (std::int64_t k = s[2].first; k < s[2].end; ++k)
                    sum += static_cast<T>(x[(s[0].start + i) * t.x_at[0] + (s[1].start + j) * t.x_at[1] + (s[2].start + k) * t.x_at[2]]);
        return sum / static_cast<T>(among);
    }
};

/// Numbers of windows: for each element of images the sum of the numbers of those windows that it is in, each by the elements of the window. It is summed along
/// the first axes, then along the last one.
struct window_mean_input : pooling_routine<1, 1, 0> {
    static constexpr std::string_view name = "window_mean_input"sv;

    template <class T, class A> CROTON_HD static T element(const pooling_task& t, const routine_call& c, routine_types<T, A>, const std::int64_t* index) {
        std::int64_t at[3], first[3], last[3], window[3];
        t.place(index, at);
        for (int a = 0; a < 3; ++a) t.windows_at(a, at[a], &first[a], &last[a]);
        const A* const y = images_of<A>(c, 0, index[0] * t.y_image + index[t.channel_axis()] * t.y_channel);
        T sum{};
        for (window[2] = first[2]; window[2] <= last[2]; ++window[2]) {
            T column{};
            for (window[0] = first[0]; window[0] <= last[0]; ++window[0])
                for (window[1] = first[1]; window[1] <= last[1]; ++window[1]) {
                    const std::int64_t among = t.counted(0, window[0]) * t.counted(1, window[1]) * t.counted(2, window[2]);
                    column += static_cast<T>(y[window[0] * t.y_at[0] + window[1] * t.y_at[1] + window[2] * t.y_at[2]]) / static_cast<T>(among);
                }
            sum += column;
        }
        return sum;
    }
};

}  // namespace croton::inline v0_1::kernel

#endif
