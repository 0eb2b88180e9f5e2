// SPDX-License-Identifier: MIT
// Convolutions of float and double on the CPU, and both of their gradients.
#ifndef CROTON_DEVICE_CPU_CONVOLUTION_HPP
#define CROTON_DEVICE_CPU_CONVOLUTION_HPP

#include <croton/device/cpu/correlate.hpp>
#include <croton/device/cpu/correlation_sums.hpp>
#include <croton/device/cpu/pointwise.hpp>
#include <croton/device/cpu/winograd.hpp>

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

template <class T> image_source<T> images_of(const kernel::convolution_task& t, const T* data) {
    return {data, t.x_image, t.x_channel, {t.x_at[0], t.x_at[1], t.x_at[2]}, {t.image[0], t.image[1], t.image[2]}};
}
template <class T> image_source<T> results_of(const kernel::convolution_task& t, const T* data) {
    return {data, t.y_image, t.y_channel, {t.y_at[0], t.y_at[1], t.y_at[2]}, {t.count[0], t.count[1], t.count[2]}};
}

/// The planes of the image of a convolution.
template <class Arch> image_plane<Arch> plane_of_image(const kernel::convolution_task& t) {
    image_plane<Arch> p;
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
template <class Arch> void list_shifts(const kernel::convolution_task& t, const image_plane<Arch>& p, std::int64_t* shift, std::int64_t* of_weight) {
    each_place(t.kernel, [&](const std::int64_t* k) {
        const std::int64_t reach[3] = {k[0] * t.dilation[0], k[1] * t.dilation[1], k[2] * t.dilation[2]};
        *shift++ = p.shift(reach);
        *of_weight++ = k[0] * t.w_at[0] + k[1] * t.w_at[1] + k[2] * t.w_at[2];
    });
}

/// Whether a result or the gradient for an image can be computed by tiles.
inline bool has_tiles(const kernel::convolution_task& t) {
    bool one = t.axes == 2;
    for (int a = 1; a < 3; ++a) one = one && t.kernel[a] == 3 && t.stride[a] == 1 && t.dilation[a] == 1;
    return one;
}
template <class T, class Arch> std::int64_t weight_numbers_of(const correlation<T, Arch>& job, bool tiles) {
    return tiles ? winograd_correlation<T, Arch>(job).weight_numbers() : job.weight_numbers();
}
template <class T, class Arch> std::int64_t plane_numbers_of(const correlation<T, Arch>& job, bool tiles) {
    return tiles ? winograd_correlation<T, Arch>(job).plane_numbers() : job.plane_numbers();
}
template <class T, class Arch> void run_correlation(const correlation<T, Arch>& job, bool tiles, const convolution_room<T>& rooms, std::byte* room) {
    if (tiles) winograd_correlation<T, Arch>(job).run(rooms.at_weights(room), rooms.at_planes(room), rooms.parts);
    else job.run(rooms.at_weights(room), rooms.at_planes(room), rooms.parts);
}

/// `biased`: the third argument is added to the channels.
template <class T, class Arch, bool biased> struct convolution_body {
    static correlation<T, Arch> job(const kernel::convolution_task& t) {
        correlation<T, Arch> job;
        job.images = t.images;
        job.groups = t.groups;
        job.channels = t.in;
        job.results = t.out;
        job.shifts = t.kernel_size();
        job.plane = plane_of_image<Arch>(t);
        return job;
    }
    static convolution_room<T> room_of(const kernel::convolution_task& t, bool tiles) {
        const auto made = job(t);
        return {2 * made.shifts, weight_numbers_of(made, tiles), plane_numbers_of(made, tiles), made.images * made.groups};
    }
    static void run(const kernel::routine_call& c, const kernel::convolution_task& t, bool tiles, std::byte* room) {
        auto made = job(t);
        const auto rooms = room_of(t, tiles);
        std::int64_t* const shifts = rooms.at_indices(room);
        list_shifts(t, made.plane, shifts, shifts + made.shifts);
        made.shift = shifts;
        made.of_weight = shifts + made.shifts;
        made.x = images_of(t, reinterpret_cast<const T*>(c.data[0]));
        made.w = reinterpret_cast<const T*>(c.data[1]) + t.w_first;
        made.w_group = t.out * t.w_out;
        made.w_result = t.w_out;
        made.w_channel = t.w_in;
        made.y = reinterpret_cast<T*>(c.data[biased ? 3 : 2]);
        if (biased) made.bias = reinterpret_cast<const T*>(c.data[2]);
        made.bias_at = t.bias;
        made.relu = t.relu;
        made.y_image = t.y_image;
        made.y_channel = t.y_channel;
        std::copy_n(t.y_at, 3, made.y_at);
        run_correlation(made, tiles, rooms, room);
    }
};

/// The gradient for the image: elements that are a stride apart see the same elements of the kernel, so that each phase of a stride is a
/// convolution of the cotangent with those, from the last to the first.
template <class T, class Arch> struct convolution_input_body {
    /// What the elements of the image of one phase see along an axis.
    struct phase_axis {
        std::int64_t first = 0, count = 0;  // the first place in the padded image by strides, and how many there are
        std::int64_t from = 0, farthest = 0;  // the first one in the image, and how far the last element of the kernel reaches
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
    static convolution_room<T> room_of(const kernel::convolution_task& t, bool tiles) {
        std::int64_t weights = 0, planes = 0;
        phase_axis axes[3];
        each_place(t.stride, [&](const std::int64_t* phase) {
            const auto made = job(t, phase, axes);
            weights = std::max(weights, weight_numbers_of(made, tiles));
            planes = std::max(planes, plane_numbers_of(made, tiles));
        });
        return {2 * t.kernel_size(), weights, planes, t.images * t.groups};
    }
    static void run(const kernel::routine_call& c, const kernel::convolution_task& t, bool tiles, std::byte* room) {
        const auto rooms = room_of(t, tiles);
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
            made.x = results_of(t, reinterpret_cast<const T*>(c.data[0]));
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
            run_correlation(made, tiles, rooms, room);
        });
    }
};

template <class T, class Arch> struct convolution_weight_body {
    static convolution_room<T> room_of(const kernel::convolution_task& t, bool) {
        const correlation_sums<T, Arch> made(t.in, t.kernel_size(), t.out, t.images, plane_of_image<Arch>(t));
        return {2 * t.kernel_size(), 0, made.numbers(), t.groups * t.out};
    }
    static void run(const kernel::routine_call& c, const kernel::convolution_task& t, bool, std::byte* room) {
        const correlation_sums<T, Arch> sums(t.in, t.kernel_size(), t.out, t.images, plane_of_image<Arch>(t));
        const auto rooms = room_of(t, false);
        std::int64_t* const shift = rooms.at_indices(room);
        std::int64_t* const of_weight = shift + t.kernel_size();
        list_shifts(t, sums.plane, shift, of_weight);
        const image_source<T> x = images_of(t, reinterpret_cast<const T*>(c.data[0]));
        const image_source<T> y = results_of(t, reinterpret_cast<const T*>(c.data[1]));
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
                const auto add = [&](std::int64_t o, std::int64_t i, std::int64_t k, T sum) { to[o * t.w_out + i * t.w_in + of_weight[k]] += sum; };
                for (std::int64_t o = 0; o < count; ++o)
                    for (std::int64_t i = 0; i < t.in; ++i)
                        for (std::int64_t k = 0; k < t.kernel_size(); ++k) to[o * t.w_out + i * t.w_in + of_weight[k]] = T{};
                sums.clear(mine);
                for (std::int64_t n = 0; n < t.images; n += sums.together) {
                    image_source<T> from = x, of_y = y;
                    from.data += n * x.image + g * t.in * x.channel;
                    of_y.data += n * y.image + unit * y.channel;
                    sums.add(mine, std::min(sums.together, t.images - n), from, of_y, count, shift, add);
                }
                sums.finish(mine, count, add);
                unit += count;
            }
        });
        if (!sums.side_by_side) repair(c, t);
    }

private:
    /// Between rows of windows lie zeros, which an infinity of the image makes to NaN. Such sums are made again, as the plain loops make them.
    static void repair(const kernel::routine_call& c, const kernel::convolution_task& t) {
        T* const w = reinterpret_cast<T*>(c.data[2]);
        row_walk walk(c, 3, c.rank, 0);
        for (std::int64_t left = c.rows() * c.along(); left > 0; --left, walk.next())
            if (T& sum = w[walk.offset[2]]; sum != sum) sum = kernel::convolution_weight::element(t, c, kernel::routine_types<T, T, T>(), walk.index);
    }
};

template <class Routine, class T, class Arch> struct convolution_bodies;
template <class T, class Arch> struct convolution_bodies<kernel::convolution, T, Arch> : convolution_body<T, Arch, false> {};
template <class T, class Arch> struct convolution_bodies<kernel::convolution_biased, T, Arch> : convolution_body<T, Arch, true> {};
template <class T, class Arch> struct convolution_bodies<kernel::convolution_input, T, Arch> : convolution_input_body<T, Arch> {};
template <class T, class Arch> struct convolution_bodies<kernel::convolution_weight, T, Arch> : convolution_weight_body<T, Arch> {};

/// One of the three, in the way that the rule chooses.
template <class Routine, class Types, class T, class Arch> struct convolution_routine_body {
    static std::int64_t room(const kernel::routine_call& c) {
        if constexpr (std::is_floating_point_v<T>) {
            const kernel::convolution_task t = Routine::task(c);
            const convolution_choice way = choice(c, t);
            const bool tiles = way == convolution_choice::tiles;
            if (tiles || way == convolution_choice::blocks) return convolution_bodies<Routine, T, Arch>::room_of(t, tiles).bytes();
            if (way == convolution_choice::products) return pointwise_products<T, Arch>(t).numbers(Routine()) * static_cast<std::int64_t>(sizeof(T));
        }
        return 0;
    }
    static void run(const kernel::routine_call& c, std::byte* room) {
        if constexpr (std::is_floating_point_v<T>) {
            const kernel::convolution_task t = Routine::task(c);
            const convolution_choice way = choice(c, t);
            const bool tiles = way == convolution_choice::tiles;
            if (tiles || way == convolution_choice::blocks) return convolution_bodies<Routine, T, Arch>::run(c, t, tiles, room);
            const auto in = [&](int k) { return reinterpret_cast<const T*>(c.data[k]); };
            T* const to = reinterpret_cast<T*>(c.data[Routine::arguments]);
            if (way == convolution_choice::products) {
                const pointwise_products<T, Arch> products(t);
                if constexpr (Routine::arguments == 3) return products.run(in(0), in(1), in(2), to, room);
                else if constexpr (std::is_same_v<Routine, kernel::convolution>) return products.run(in(0), in(1), nullptr, to, room);
                else return products.run(Routine(), in(0), in(1), to, room);
            }
        }
        run_plain_rows<Routine, Types, Arch>(c);
    }

private:
    static convolution_choice choice(const kernel::routine_call& c, const kernel::convolution_task& t) {
        const bool tiles = !std::is_same_v<Routine, kernel::convolution_weight> && has_tiles(t);
        return choose_convolution(true, Routine::windows_of_call(c).way, pointwise_products<T, Arch>(t).fit(), tiles);
    }
};
template <class T, class Arch>
struct routine_body<kernel::convolution, kernel::routine_types<T, T, T>, Arch>
    : convolution_routine_body<kernel::convolution, kernel::routine_types<T, T, T>, T, Arch> {};
template <class T, class Arch>
struct routine_body<kernel::convolution_biased, kernel::routine_types<T, T, T, T>, Arch>
    : convolution_routine_body<kernel::convolution_biased, kernel::routine_types<T, T, T, T>, T, Arch> {};
template <class T, class Arch>
struct routine_body<kernel::convolution_input, kernel::routine_types<T, T, T>, Arch>
    : convolution_routine_body<kernel::convolution_input, kernel::routine_types<T, T, T>, T, Arch> {};
template <class T, class Arch>
struct routine_body<kernel::convolution_weight, kernel::routine_types<T, T, T>, Arch>
    : convolution_routine_body<kernel::convolution_weight, kernel::routine_types<T, T, T>, T, Arch> {};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
