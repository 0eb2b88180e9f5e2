// SPDX-License-Identifier: MIT
// Convolutions of float and double on the CPU, and both of their gradients.
#ifndef CROTON_DEVICE_CPU_CONVOLUTION_HPP
#define CROTON_DEVICE_CPU_CONVOLUTION_HPP

#include <croton/device/cpu/correlate.hpp>
#include <croton/device/cpu/correlation_sums.hpp>

namespace croton::inline v0_1::detail::cpu_device {

/// The largest room for planes: with more, fewer threads share the images.
inline constexpr std::int64_t most_plane_bytes = std::int64_t{64} << 20;

/// What a body works in: first numbers of 64 bits, then those of the weights, then those of each thread.
template <class T> struct convolution_room {
    std::int64_t indices = 0, weights = 0, each = 0;
    int parts = 1;

    convolution_room(std::int64_t index_count, std::int64_t weight_count, std::int64_t each_count, std::int64_t units)
        : indices(in_lines(index_count * 8)), weights(in_lines(weight_count * size)), each(each_count) {
        const std::int64_t most = std::max<std::int64_t>(1, most_plane_bytes / std::max<std::int64_t>(1, each * size));
        parts = static_cast<int>(std::max<std::int64_t>(1, std::min({std::int64_t{most_threads}, units, most})));
    }
    std::int64_t bytes() const { return indices + weights + parts * each * size; }
    std::int64_t* at_indices(std::byte* room) const { return reinterpret_cast<std::int64_t*>(room); }
    T* at_weights(std::byte* room) const { return reinterpret_cast<T*>(room + indices); }
    T* at_planes(std::byte* room) const { return reinterpret_cast<T*>(room + indices + weights); }

private:
    static constexpr std::int64_t size = static_cast<std::int64_t>(sizeof(T));
    static std::int64_t in_lines(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }
};

/// The planes of the image of a convolution.
inline image_plane plane_of_image(const kernel::convolution_task& t) {
    image_plane p;
    std::int64_t reach[3];
    for (int a = 0; a < 3; ++a) {
        p.step[a] = t.stride[a];
        p.front[a] = t.before[a];
        p.count[a] = t.count[a];
        reach[a] = t.dilation[a] * (t.kernel[a] - 1);
    }
    p.settle(reach);
    return p;
}

/// Calls f with each place of a box of three axes, in their order. nvcc lets no function that a GPU may run call what only the host does.
template <class F> void each_place(const std::int64_t* extent, const F& f) {
    for (std::int64_t i = 0, count = extent[0] * extent[1] * extent[2]; i < count; ++i) {
        const std::int64_t at[3] = {i / (extent[1] * extent[2]), i / extent[2] % extent[1], i % extent[2]};
        f(static_cast<const std::int64_t*>(at));
    }
}

/// The shift of each element of the kernel, and where it lies.
inline void list_shifts(const kernel::convolution_task& t, const image_plane& p, std::int64_t* shift, std::int64_t* of_weight) {
    each_place(t.kernel, [&](const std::int64_t* k) {
        const std::int64_t reach[3] = {k[0] * t.dilation[0], k[1] * t.dilation[1], k[2] * t.dilation[2]};
        *shift++ = p.shift(reach);
        *of_weight++ = k[0] * t.w_at[0] + k[1] * t.w_at[1] + k[2] * t.w_at[2];
    });
}

template <class T, class Arch> struct convolution_body {
    static correlation<T, Arch> job(const kernel::convolution_task& t) {
        correlation<T, Arch> job;
        job.images = t.images;
        job.groups = t.groups;
        job.channels = t.in;
        job.results = t.out;
        job.shifts = t.kernel_size();
        job.plane = plane_of_image(t);
        return job;
    }
    static convolution_room<T> room_of(const kernel::convolution_task& t) {
        const auto made = job(t);
        return {2 * made.shifts, made.weight_numbers(), made.plane_numbers(), made.images * made.groups};
    }
    static void run(const kernel::routine_call& c, const kernel::convolution_task& t, std::byte* room) {
        auto made = job(t);
        const auto rooms = room_of(t);
        std::int64_t* const shifts = rooms.at_indices(room);
        list_shifts(t, made.plane, shifts, shifts + made.shifts);
        made.shift = shifts;
        made.of_weight = shifts + made.shifts;
        made.x = {reinterpret_cast<const T*>(c.data[0]), t.x_image, t.x_channel, {t.x_at[0], t.x_at[1], t.x_at[2]}, {t.image[0], t.image[1], t.image[2]}};
        made.w = reinterpret_cast<const T*>(c.data[1]) + t.w_first;
        made.w_group = t.out * t.w_out;
        made.w_result = t.w_out;
        made.w_channel = t.w_in;
        made.y = reinterpret_cast<T*>(c.data[2]);
        made.y_image = t.y_image;
        made.y_channel = t.y_channel;
        std::copy_n(t.y_at, 3, made.y_at);
        made.run(rooms.at_weights(room), rooms.at_planes(room), rooms.parts);
    }
};

/// The gradient for the image: elements that are a stride apart see the same elements of the kernel, so that each phase of a stride is a convolution of the
/// cotangent with those, from the last to the first.
template <class T, class Arch> struct convolution_input_body {
    /// What the elements of the image of one phase see along an axis.
    struct phase_axis {
        std::int64_t first = 0, count = 0, from = 0, farthest = 0;  // the first place in the padded image by strides, how many, the first one in the image
        static phase_axis of(const kernel::convolution_task& t, int a, std::int64_t phase) {
            phase_axis p;
            p.first = std::max<std::int64_t>(0, (t.before[a] - phase + t.stride[a] - 1) / t.stride[a]);
            p.from = p.first * t.stride[a] + phase - t.before[a];
            p.count = p.from < t.image[a] ? (t.image[a] - p.from + t.stride[a] - 1) / t.stride[a] : 0;
            for (std::int64_t k = 0; k < t.kernel[a]; ++k)
                if (k * t.dilation[a] % t.stride[a] == phase) p.farthest = k * t.dilation[a] / t.stride[a];
            return p;
        }
    };
    static correlation<T, Arch> job(const kernel::convolution_task& t, const std::int64_t* phase, phase_axis* axes) {
        correlation<T, Arch> job;
        job.images = t.images;
        job.groups = t.groups;
        job.channels = t.out;
        job.results = t.in;
        job.shifts = 1;
        std::int64_t reach[3];
        for (int a = 0; a < 3; ++a) {
            axes[a] = phase_axis::of(t, a, phase[a]);
            job.plane.count[a] = axes[a].count;
            job.plane.front[a] = axes[a].farthest - axes[a].first;
            reach[a] = axes[a].farthest;
            std::int64_t seen = 0;
            for (std::int64_t k = 0; k < t.kernel[a]; ++k) seen += k * t.dilation[a] % t.stride[a] == phase[a] ? 1 : 0;
            job.shifts *= seen;
        }
        job.plane.settle(reach);
        return job;
    }
    static convolution_room<T> room_of(const kernel::convolution_task& t) {
        std::int64_t weights = 0, planes = 0;
        phase_axis axes[3];
        each_place(t.stride, [&](const std::int64_t* phase) {
            const auto made = job(t, phase, axes);
            weights = std::max(weights, made.weight_numbers());
            planes = std::max(planes, made.plane_numbers());
        });
        return {2 * t.kernel_size(), weights, planes, t.images * t.groups};
    }
    static void run(const kernel::routine_call& c, const kernel::convolution_task& t, std::byte* room) {
        const auto rooms = room_of(t);
        std::int64_t* const shift = rooms.at_indices(room);
        std::int64_t* const of_weight = shift + t.kernel_size();
        phase_axis axes[3];
        each_place(t.stride, [&](const std::int64_t* phase) {
            auto made = job(t, phase, axes);
            std::int64_t n = 0;
            each_place(t.kernel, [&](const std::int64_t* k) {
                std::int64_t reach[3], weight = 0;
                for (int a = 0; a < 3; ++a) {
                    const std::int64_t at = k[a] * t.dilation[a];
                    if (at % t.stride[a] != phase[a]) return;
                    reach[a] = axes[a].farthest - at / t.stride[a];
                    weight += k[a] * t.w_at[a];
                }
                shift[n] = made.plane.shift(reach);
                of_weight[n++] = weight;
            });
            made.shift = shift;
            made.of_weight = of_weight;
            made.x = {reinterpret_cast<const T*>(c.data[0]), t.y_image, t.y_channel, {t.y_at[0], t.y_at[1], t.y_at[2]}, {t.count[0], t.count[1], t.count[2]}};
            made.w = reinterpret_cast<const T*>(c.data[1]) + t.w_first;
            made.w_group = t.out * t.w_out;
            made.w_result = t.w_in;
            made.w_channel = t.w_out;
            made.y = reinterpret_cast<T*>(c.data[2]);
            made.y_image = t.x_image;
            made.y_channel = t.x_channel;
            for (int a = 0; a < 3; ++a) {
                made.y += axes[a].from * t.x_at[a];
                made.y_at[a] = t.x_at[a] * t.stride[a];
            }
            made.run(rooms.at_weights(room), rooms.at_planes(room), rooms.parts);
        });
    }
};

template <class T, class Arch> struct convolution_weight_body {
    static convolution_room<T> room_of(const kernel::convolution_task& t) {
        const correlation_sums<T, Arch> made(t.in, t.kernel_size(), t.out, plane_of_image(t));
        return {2 * t.kernel_size(), 0, made.numbers(), t.groups * t.out};
    }
    static void run(const kernel::routine_call& c, const kernel::convolution_task& t, std::byte* room) {
        const correlation_sums<T, Arch> sums(t.in, t.kernel_size(), t.out, plane_of_image(t));
        const auto rooms = room_of(t);
        std::int64_t* const shift = rooms.at_indices(room);
        std::int64_t* const of_weight = shift + t.kernel_size();
        list_shifts(t, sums.plane, shift, of_weight);
        const image_source<T> x{reinterpret_cast<const T*>(c.data[0]), t.x_image, t.x_channel, {t.x_at[0], t.x_at[1], t.x_at[2]}, {t.image[0], t.image[1], t.image[2]}};
        const T* const y = reinterpret_cast<const T*>(c.data[1]);
        T* const w = reinterpret_cast<T*>(c.data[2]) + t.w_first;
        const std::int64_t units = t.groups * t.out;
        const int parts = std::min(rooms.parts, parts_of(t.operations(), units));
        parallel(parts, [&](int part) {
            T* const mine = rooms.at_planes(room) + part * rooms.each;
            const std::int64_t end = units * (part + 1) / parts;
            for (std::int64_t unit = units * part / parts; unit < end;) {
                // The results of one group that are this thread's.
                const std::int64_t g = unit / t.out, first = unit % t.out, count = std::min(end - unit, t.out - first);
                T* const to = w + unit * t.w_out;
                const auto number = [&](std::int64_t o, std::int64_t i, std::int64_t k) -> T& { return to[o * t.w_out + i * t.w_in + of_weight[k]]; };
                for (std::int64_t o = 0; o < count; ++o)
                    for (std::int64_t i = 0; i < t.in; ++i)
                        for (std::int64_t k = 0; k < t.kernel_size(); ++k) number(o, i, k) = T{};
                sums.clear(mine);
                for (std::int64_t n = 0; n < t.images; ++n) {
                    sums.fill(mine, x, x.data + n * t.x_image + g * t.in * t.x_channel, y + n * t.y_image + unit * t.y_channel, t.y_channel, t.y_at, count);
                    sums.add(mine, shift, count, number);
                }
                sums.finish(mine, count, number);
                unit += count;
            }
        });
    }
};

template <class Routine, class T, class Arch> struct convolution_bodies;
template <class T, class Arch> struct convolution_bodies<kernel::convolution, T, Arch> : convolution_body<T, Arch> {};
template <class T, class Arch> struct convolution_bodies<kernel::convolution_input, T, Arch> : convolution_input_body<T, Arch> {};
template <class T, class Arch> struct convolution_bodies<kernel::convolution_weight, T, Arch> : convolution_weight_body<T, Arch> {};

/// One of the three by its body, where numbers are floating and nobody asks for loops.
template <class Routine, class T, class Arch> struct convolution_routine_body {
    static bool has_body(const kernel::routine_call& c) { return std::is_floating_point_v<T> && Routine::windows_of_call(c).way != loops; }
    static std::int64_t room(const kernel::routine_call& c) {
        if constexpr (std::is_floating_point_v<T>)
            if (has_body(c)) return convolution_bodies<Routine, T, Arch>::room_of(Routine::task(c)).bytes();
        return 0;
    }
    static void run(const kernel::routine_call& c, std::byte* room) {
        if constexpr (std::is_floating_point_v<T>)
            if (has_body(c)) return convolution_bodies<Routine, T, Arch>::run(c, Routine::task(c), room);
        run_plain_rows<Routine, kernel::routine_types<T, T, T>, Arch>(c);
    }

private:
    static constexpr std::int64_t loops = 1;
};
template <class T, class Arch>
struct routine_body<kernel::convolution, kernel::routine_types<T, T, T>, Arch> : convolution_routine_body<kernel::convolution, T, Arch> {};
template <class T, class Arch>
struct routine_body<kernel::convolution_input, kernel::routine_types<T, T, T>, Arch> : convolution_routine_body<kernel::convolution_input, T, Arch> {};
template <class T, class Arch>
struct routine_body<kernel::convolution_weight, kernel::routine_types<T, T, T>, Arch> : convolution_routine_body<kernel::convolution_weight, T, Arch> {};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
