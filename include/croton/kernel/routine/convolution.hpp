// SPDX-License-Identifier: MIT
// Convolutions by plain code, and what is linear in their place: the image that a cotangent comes from, and the kernel.
#ifndef CROTON_KERNEL_ROUTINE_CONVOLUTION_HPP
#define CROTON_KERNEL_ROUTINE_CONVOLUTION_HPP

#include <croton/core/literals.hpp>
#include <croton/kernel/kernel.hpp>
#include <croton/kernel/routine.hpp>
#include <croton/kernel/windows.hpp>

namespace croton::inline v0_1::kernel {

/// How an image, a kernel and the result lie, always with three axes along which windows move: of those that there are not, the extent is 1.
struct convolution_task {
    std::int64_t images = 0, groups = 0, in = 0, out = 0;  // channels of one group
    std::int64_t image[3]{1, 1, 1}, kernel[3]{1, 1, 1}, count[3]{1, 1, 1};
    std::int64_t stride[3]{1, 1, 1}, dilation[3]{1, 1, 1}, before[3]{};
    std::int64_t x_image = 0, x_channel = 0, x_at[3]{}, y_image = 0, y_channel = 0, y_at[3]{}, w_out = 0, w_in = 0, w_at[3]{};
    std::int64_t w_first = 0;  // of a flipped kernel the element that comes first lies last
    std::int64_t bias = 0;
    int axes = 0;
    bool channels_last = false, relu = false;

    CROTON_HD std::int64_t image_size() const { return image[0] * image[1] * image[2]; }
    CROTON_HD std::int64_t kernel_size() const { return kernel[0] * kernel[1] * kernel[2]; }
    CROTON_HD std::int64_t counts() const { return count[0] * count[1] * count[2]; }
    /// A product and a sum each.
    CROTON_HD std::int64_t operations() const { return 2 * images * groups * in * out * kernel_size() * counts(); }

    CROTON_HD int channel_axis() const { return channels_last ? axes + 1 : 1; }
    CROTON_HD int first_axis() const { return channels_last ? 1 : 2; }
};

/// Calls f with each place of a box of three axes.
template <class F> CROTON_HD void each_place(const std::int64_t* extent, const F& f) {
    std::int64_t at[3];
    for (at[0] = 0; at[0] < extent[0]; ++at[0])
        for (at[1] = 0; at[1] < extent[1]; ++at[1])
            for (at[2] = 0; at[2] < extent[2]; ++at[2]) f(static_cast<const std::int64_t*>(at));
}

/// What the three have in common. `X`, `W`, `Y`: which slots are the image [n,c,...] or [n,...,c], the kernel [out,in,...] or
/// [...,in,out], and the result, like the image. Each sum goes over the places in their order, so that it is the same on all devices but
/// those that have a better way. What lies in the padding is 0 and is multiplied as such: with an infinity it makes a NaN.
template <int X, int W, int Y, int Arguments = 2> struct convolution_routine {
    static constexpr int arguments = Arguments;
    static constexpr bool of_elements = true;
    static constexpr std::int64_t flipped = 1, channels_last = 2, relu_flag = 4;
    static constexpr std::string_view attribute[3] = {"flipped"sv, "channels last"sv, "relu"sv};

    CROTON_HD static const std::int64_t* extents(const routine_call& c, int slot) { return slot == arguments ? c.extent : c.from[slot]; }
    CROTON_HD static windows windows_of_call(const routine_call& c) { return windows_of(c.attributes, c.rank - 2, false); }

    CROTON_HD static convolution_task task(const routine_call& c) {
        const windows w = windows_of_call(c);
        const std::int64_t *x = extents(c, X), *k = extents(c, W), *y = extents(c, Y);
        convolution_task t;
        t.axes = w.axes;
        t.channels_last = (w.flags & channels_last) != 0;
        t.relu = (w.flags & relu_flag) != 0;
        if constexpr (Arguments == 3) t.bias = c.stride[2][0];
        const int channel = t.channel_axis(), first = t.first_axis();
        const int of_out = t.channels_last ? w.axes + 1 : 0, of_in = t.channels_last ? w.axes : 1, of_kernel = t.channels_last ? 0 : 2;
        t.images = x[0];
        t.in = k[of_in];
        t.groups = t.in == 0 ? 1 : x[channel] / t.in;
        t.out = t.groups == 0 ? 0 : k[of_out] / t.groups;
        t.x_image = c.stride[X][0];
        t.x_channel = c.stride[X][channel];
        t.y_image = c.stride[Y][0];
        t.y_channel = c.stride[Y][channel];
        t.w_out = c.stride[W][of_out];
        t.w_in = c.stride[W][of_in];
        for (int i = 0; i < w.axes; ++i) {
            const int to = max_window_axes - w.axes + i;
            t.image[to] = x[first + i];
            t.kernel[to] = k[of_kernel + i];
            t.count[to] = y[first + i];
            t.stride[to] = w.stride[i];
            t.dilation[to] = w.dilation[i];
            t.before[to] = w.padding(i, t.image[to], t.kernel[to], t.count[to]);
            t.x_at[to] = c.stride[X][first + i];
            t.y_at[to] = c.stride[Y][first + i];
            t.w_at[to] = c.stride[W][of_kernel + i];
            if ((w.flags & flipped) == 0) continue;
            t.w_first += (t.kernel[to] - 1) * t.w_at[to];
            t.w_at[to] = -t.w_at[to];
        }
        return t;
    }
    static std::int64_t work(const routine_call& c) { return task(c).operations(); }

    /// What only the call knows: whether the windows fit, and the groups.
    static void refuse(const routine_call& c, std::string& text) {
        const windows w = windows_of_call(c);
        const convolution_task t = task(c);
        const std::string who = "conv" + std::to_string(w.axes) + "d";
        for (int i = 0; i < w.axes; ++i) {
            const int from = max_window_axes - w.axes + i;
            refuse_windows(text, who, w, i, t.first_axis() + i, t.image[from], t.kernel[from], t.count[from]);
        }
        const std::int64_t channels = extents(c, X)[t.channel_axis()], results = extents(c, Y)[t.channel_axis()];
        if (text.empty() && (t.in * t.groups != channels || t.out * t.groups != results))
            text = who + ": " + std::to_string(channels) + " channels, of which a kernel sees " + std::to_string(t.in) + ", do not give " +
                   std::to_string(results) + ": groups have the same number of channels";
    }

    /// Elements of the slots.
    template <class T, int K, class A, class B> CROTON_HD static T read(const routine_call& c, routine_types<T, A, B>, std::int64_t offset) {
        if constexpr (K == 0) return static_cast<T>(reinterpret_cast<const A*>(c.data[0])[offset]);
        else return static_cast<T>(reinterpret_cast<const B*>(c.data[1])[offset]);
    }
};

/// y = sum of x at p stride + k dilation - before, times w at k, over the channels of a group and the places k of the kernel.
template <int Arguments> struct convolution_result : convolution_routine<0, 1, Arguments, Arguments> {
    using base = convolution_routine<0, 1, Arguments, Arguments>;
    static constexpr std::int64_t relu = base::relu_flag;
    static constexpr int channel(int rank, std::int64_t attributes) { return (attributes & base::channels_last) != 0 ? rank - 1 : 1; }

    template <class T, class A, class B, class... Bias>
    CROTON_HD static T element(const convolution_task& t, const routine_call& c, routine_types<T, A, B, Bias...>, const std::int64_t* index) {
        const routine_types<T, A, B> types;
        const std::int64_t o = index[t.channel_axis()], group = o / t.out;
        const std::int64_t x = index[0] * t.x_image + group * t.in * t.x_channel, w = t.w_first + o * t.w_out;
        std::int64_t from[3];
        for (int a = 0; a < 3; ++a) from[a] = (a < 3 - t.axes ? 0 : index[t.first_axis() + a - 3 + t.axes] * t.stride[a]) - t.before[a];
        T sum{};
        for (std::int64_t i = 0; i < t.in; ++i)
            each_place(t.kernel, [&](const std::int64_t* k) {
                std::int64_t of_x = x + i * t.x_channel, of_w = w + i * t.w_in;
                bool inside = true;
                for (int a = 0; a < 3; ++a) {
                    const std::int64_t at = from[a] + k[a] * t.dilation[a];
                    inside = inside && at >= 0 && at < t.image[a];
                    of_x += at * t.x_at[a];
                    of_w += k[a] * t.w_at[a];
                }
                sum = plus_product(sum, inside ? base::template read<T, 0>(c, types, of_x) : T{}, base::template read<T, 1>(c, types, of_w));
            });
        if constexpr (Arguments == 3) sum = static_cast<T>(sum + reinterpret_cast<const T*>(c.data[2])[o * t.bias]);
        return t.relu && sum < T{} ? T{} : sum;
    }
};
/// The same plus a number of each channel.
struct convolution_biased : convolution_result<3> {
    static constexpr std::string_view name = "convolution_biased"sv;
};
struct convolution : convolution_result<2> {
    static constexpr std::string_view name = "convolution"sv;
    using biased = convolution_biased;
};

/// y, w -> x: for each element of the image the sum of those of y that it is part of, times that of the kernel with which it is.
struct convolution_input : convolution_routine<2, 1, 0> {
    static constexpr std::string_view name = "convolution_input"sv;

    template <class T, class A, class B>
    CROTON_HD static T element(const convolution_task& t, const routine_call& c, routine_types<T, A, B> types, const std::int64_t* index) {
        const std::int64_t channel = index[t.channel_axis()], group = channel / t.in;
        const std::int64_t y = index[0] * t.y_image + group * t.out * t.y_channel;
        const std::int64_t w = t.w_first + group * t.out * t.w_out + channel % t.in * t.w_in;
        std::int64_t from[3];
        for (int a = 0; a < 3; ++a) from[a] = (a < 3 - t.axes ? 0 : index[t.first_axis() + a - 3 + t.axes]) + t.before[a];
        T sum{};
        for (std::int64_t o = 0; o < t.out; ++o)
            each_place(t.kernel, [&](const std::int64_t* k) {
                std::int64_t of_y = y + o * t.y_channel, of_w = w + o * t.w_out;
                bool inside = true;
                for (int a = 0; a < 3; ++a) {
                    const std::int64_t reach = from[a] - k[a] * t.dilation[a];
                    if (reach % t.stride[a] != 0) return;
                    inside = inside && reach >= 0 && reach / t.stride[a] < t.count[a];
                    of_y += reach / t.stride[a] * t.y_at[a];
                    of_w += k[a] * t.w_at[a];
                }
                sum = plus_product(sum, inside ? read<T, 0>(c, types, of_y) : T{}, read<T, 1>(c, types, of_w));
            });
        return sum;
    }
};

/// x, y -> w: for each element of the kernel the sum of what it is multiplied with, times what that is added to.
struct convolution_weight : convolution_routine<0, 2, 1> {
    static constexpr std::string_view name = "convolution_weight"sv;

    template <class T, class A, class B>
    CROTON_HD static T element(const convolution_task& t, const routine_call& c, routine_types<T, A, B> types, const std::int64_t* index) {
        const std::int64_t o = index[t.channels_last ? t.axes + 1 : 0], i = index[t.channels_last ? t.axes : 1], group = o / t.out;
        const bool flips = (windows_of_call(c).flags & flipped) != 0;
        std::int64_t from[3];
        for (int a = 0; a < 3; ++a) {
            const std::int64_t written = a < 3 - t.axes ? 0 : index[(t.channels_last ? 0 : 2) + a - 3 + t.axes];
            from[a] = (flips ? t.kernel[a] - 1 - written : written) * t.dilation[a] - t.before[a];
        }
        T sum{};
        for (std::int64_t n = 0; n < t.images; ++n)
            each_place(t.count, [&](const std::int64_t* p) {
                std::int64_t of_x = n * t.x_image + (group * t.in + i) * t.x_channel, of_y = n * t.y_image + o * t.y_channel;
                bool inside = true;
                for (int a = 0; a < 3; ++a) {
                    const std::int64_t at = from[a] + p[a] * t.stride[a];
                    inside = inside && at >= 0 && at < t.image[a];
                    of_x += at * t.x_at[a];
                    of_y += p[a] * t.y_at[a];
                }
                sum = plus_product(sum, inside ? read<T, 0>(c, types, of_x) : T{}, read<T, 1>(c, types, of_y));
            });
        return sum;
    }
};

}  // namespace croton::inline v0_1::kernel

#endif
