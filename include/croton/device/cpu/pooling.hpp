// SPDX-License-Identifier: MIT
// The largest elements and the means of windows on the CPU, and what comes back to the elements.
#ifndef CROTON_DEVICE_CPU_POOLING_HPP
#define CROTON_DEVICE_CPU_POOLING_HPP

#include <croton/device/cpu/pooling_walk.hpp>

namespace croton::inline v0_1::detail::cpu_device {

/// What is made of windows: their largest elements or, with `Mean`, their means.
template <bool Mean, class T, class Arch> struct window_values {
    using walk_of = window_walk<T, Arch>;
    using lanes = typename walk_of::lanes;
    using fold = std::conditional_t<Mean, sum_lanes<T, Arch>, largest_lanes<T, Arch>>;

    static bool run(const kernel::routine_call& c, const kernel::pooling_task& t, std::byte*) {
        const walk_of walk{t, image_slot<const T>::of(c, t, 0, 1, false)};
        const auto y = image_slot<T>::of(c, t, 1, 1, true);
        if (!walk.fits() || !y.has_lanes(t)) return false;
        share_units(t.operations(), walk.units(), most_threads, [&](int, std::int64_t first, std::int64_t end) {
            const T* const limit = y.dense ? y.data + end * y.size() : nullptr;
            for (std::int64_t unit = first; unit < end; ++unit)
                if (walk.of_pairs()) run_pairs(walk, y, unit, limit);
                else run_windows(walk, y, unit, limit);
        });
        return true;
    }

private:
    static void run_windows(const walk_of& walk, const image_slot<T>& y, std::int64_t unit, const T* limit) {
        T* const plane = y.plane(walk.t, unit);
        const kernel::pooling_task& t = walk.t;
        std::int64_t row = -1, of_row = 0;
        walk.template each<fold>(unit, [&](const fold& made, const std::int64_t* window, std::int64_t lane, std::int64_t n) {
            T* const to = plane + window[0] * y.at[0] + window[1] * y.at[1] + window[2] * y.at[2] + lane;
            auto value = made.value;
            // Of a register of windows all or one reach beyond the last axis.
            if constexpr (Mean) {
                if (const std::int64_t here = window[0] * t.count[1] + window[1]; here != row) {
                    row = here;
                    of_row = t.counted(0, window[0]) * t.counted(1, window[1]);
                }
                value = value / lanes::all(static_cast<T>(of_row * t.counted(2, window[2])));
            }
            lanes::put(to, n, limit != nullptr ? limit : to + n, value);
        });
    }
    [[gnu::noinline]] static void run_pairs(const walk_of& walk, const image_slot<T>& y, std::int64_t unit, const T* limit) {
        const T *from = walk.x.plane(walk.t, unit), *const end = walk.x.end;
        T* to = y.plane(walk.t, unit);
        const std::int64_t rows = walk.t.count[1], count = walk.t.count[2], below = walk.x.at[1], next = y.at[1];
        const std::int64_t n = std::min(lanes::width, count);
        for (std::int64_t p = 0; p < rows; ++p, from += 2 * below, to += next)
            for (std::int64_t q = 0; q < count; q = lanes::behind(q, count)) {
                typename lanes::V a, b, c, d;
                lanes::take_pairs(from + 2 * q, n, end, a, b);
                lanes::take_pairs(from + below + 2 * q, n, end, c, d);
                lanes::put(to + q, n, limit != nullptr ? limit : to + count, fold::of_four(a, b, c, d));
            }
    }
};

/// The places of the largest elements.
template <class T, class I, class Arch> struct window_places {
    static bool run(const kernel::routine_call& c, const kernel::pooling_task& t, std::byte*) {
        using fold = place_lanes<T, Arch>;
        const window_walk<T, Arch> walk{t, image_slot<const T>::of(c, t, 0, 1, false)};
        const auto y = image_slot<I>::of(c, t, 1, 1, true);
        if (!walk.fits()) return false;
        share_units(t.operations(), walk.units(), most_threads, [&](int, std::int64_t first, std::int64_t end) {
            for (std::int64_t unit = first; unit < end; ++unit)
                walk.template each<fold>(unit, [&](const fold& made, const std::int64_t* window, std::int64_t lane, std::int64_t n) {
                    I* const to = y.plane(t, unit) + window[0] * y.at[0] + window[1] * y.at[1] + window[2] * y.at[2] + lane * y.channel;
                    const std::int64_t at = walk.first_place(window), by = t.channels_last ? 0 : t.stride[2];
                    const std::int64_t beside = t.channels_last ? y.channel : y.at[2];
                    for (std::int64_t i = 0; i < n; ++i)
                        to[i * beside] = static_cast<I>(made.value[i] < 0 ? 0 : at + i * by + static_cast<std::int64_t>(made.value[i]));
                });
        });
        return true;
    }
};

/// Writes a channel of images, which are dense, of windows of two by two elements: `made(q, n, given, put)` says of `n` windows from `q` of a row on, and
/// what is given for each, what their four elements get.
template <class Lanes, class Y, class Z, class Made>
CROTON_INLINE void put_pairs_of_rows(const kernel::pooling_task& t, const Y& y, const Z& to, std::int64_t unit, decltype(y.data) limit,
                                     const Made& made) {
    using V = typename Lanes::V;
    const std::int64_t width = t.image[2], rows = t.count[1], count = t.count[2], next = y.at[1], n = std::min(Lanes::width, count);
    const bool leaves = 2 * count < width;
    auto *v = y.plane(t, unit), *const end = y.end;
    auto* z = to.plane(t, unit);
    for (std::int64_t p = 0; p < rows; ++p, v += next, z += 2 * width) {
        // What a register that holds a row writes beyond its end is the next one, which comes later.
        for (std::int64_t q = 0; q < count; q = Lanes::behind(q, count)) {
            made(q, n, Lanes::template take<1>(v + q, n, 1, end), [&](const V& a, const V& b, const V& c, const V& d) CROTON_INLINED {
                Lanes::put_pairs(z + 2 * q, n, limit, a, b);
                if (leaves && q + Lanes::width >= count) std::fill(z + 2 * count, z + width, 0);
                Lanes::put_pairs(z + width + 2 * q, n, limit, c, d);
            });
        }
        if (leaves) std::fill(z + width + 2 * count, z + 2 * width, 0);
    }
    std::fill_n(z, (t.image[1] - 2 * t.count[1]) * width, 0);
}

/// What comes back to the largest elements.
template <class T, class Arch> struct window_max_sums {
    using walk_of = window_walk<T, Arch>;
    using lanes = typename walk_of::lanes;
    using V = typename lanes::V;

    static bool run(const kernel::routine_call& c, const kernel::pooling_task& t, std::byte*) {
        const walk_of walk{t, image_slot<const T>::of(c, t, 0, 2, false)};
        const auto y = image_slot<const T>::of(c, t, 1, 2, true);
        const auto to = image_slot<T>::of(c, t, 2, 2, false);
        const std::int64_t row = t.image[2] * t.channels;
        const bool channels_in_order = to.channel == 1 && to.at[2] == t.channels && (t.image[1] == 1 || to.at[1] == row) && (t.image[0] == 1 || to.at[0] == t.image[1] * row);
        const bool in_order = t.channels_last ? channels_in_order : to.dense;
        if (!walk.fits() || !in_order) return false;
        share_units(2 * t.operations(), walk.units(), most_threads, [&](int, std::int64_t first, std::int64_t end) {
            const bool pairs = walk.of_pairs() && y.at[2] == 1;
            for (std::int64_t unit = first; unit < end; ++unit)
                if (pairs) run_pairs(walk, y, to, unit, to.data + end * to.size());
                else run_windows(walk, y, to, unit);
        });
        return true;
    }

private:
    static void run_windows(const walk_of& walk, const image_slot<const T>& y, const image_slot<T>& to, std::int64_t unit) {
        using fold = place_lanes<T, Arch>;
        const kernel::pooling_task& t = walk.t;
        T* const plane = to.plane(t, unit);
        const T* const from = y.plane(t, unit);
        const std::int64_t beside = t.channels_last ? t.channels : 1;
        std::fill_n(plane, t.image_size() * beside, T{});
        walk.template each<fold>(unit, [&](const fold& made, const std::int64_t* window, std::int64_t lane, std::int64_t n) CROTON_INLINED {
            const T* const here = from + window[0] * y.at[0] + window[1] * y.at[1] + window[2] * y.at[2] + lane * y.channel;
            const std::int64_t at = walk.first_place(window), by = t.channels_last ? 0 : t.stride[2], next = t.channels_last ? y.channel : y.at[2];
            if (made.value[0] < 0) return;
            // The register at once: what lies in memory need not be taken out of it number by number.
            alignas(64) std::int32_t behind[lanes::width];
            made.put_places(behind);
            T* const images = plane + at * beside + (t.channels_last ? lane : 0);
            const std::int64_t turn = by * beside + (t.channels_last ? 1 : 0);
            add_back(images, turn, behind, beside, here, next, n);
        });
    }
    // Inlined, its loop would have too few registers.
    [[gnu::noinline]] static void add_back(T* images, std::int64_t turn, const std::int32_t* behind, std::int64_t beside, const T* from, std::int64_t next, std::int64_t n) {
        for (std::int64_t i = 0; i < n; ++i) images[i * turn + behind[i] * beside] += from[i * next];
    }
    [[gnu::noinline]] static void run_pairs(const walk_of& walk, const image_slot<const T>& y, const image_slot<T>& to, std::int64_t unit,
                                            const T* limit) {
        const std::int64_t row = walk.x.at[1], count = walk.t.count[2];
        const T *x = walk.x.plane(walk.t, unit), *const end = walk.x.end;
        put_pairs_of_rows<lanes>(walk.t, y, to, unit, limit, [&](std::int64_t q, std::int64_t n, const V& given, const auto& put) CROTON_INLINED {
            V a, b, c, d;
            lanes::take_pairs(x + 2 * q, n, end, a, b);
            lanes::take_pairs(x + row + 2 * q, n, end, c, d);
            const V above = larger_lanes(a, b), below = larger_lanes(c, d);
            const auto [upper, lower] = split(above, below, given);
            const auto [u, v] = split(a, b, upper);
            const auto [w, z] = split(c, d, lower);
            put(u, v, w, z);
            if (q + lanes::width >= count) x += 2 * row;
        });
    }
    /// `given` to the larger of two, and nothing to the other one.
    CROTON_INLINE static std::pair<V, V> split(const V& a, const V& b, const V& given) {
        const auto larger = second_is_larger(a, b);
        const V zero{};
        return {larger ? zero : given, larger ? given : zero};
    }
};

/// What comes back to the elements of means.
template <class T, class Arch> struct window_mean_sums {
    using lanes = pooling_lanes<T, Arch>;
    using V = typename lanes::V;

    /// A thread has a row of sums over the first axes, with zeros around it, what each is divided by, a row that is made of it by strides, and the parts
    /// that the windows of so many rows give each of their elements: a row of an image is in all of them at once.
    struct rooms {
        std::int64_t margin, phases, places, sums, line;  // `margin` windows lie behind an element of a phase up to `phases`, and one less behind the others
        std::int64_t deep, high, part;
        explicit rooms(const kernel::pooling_task& t)
            : margin((t.kernel[2] - 1) / t.stride[2]), phases((t.kernel[2] - 1) % t.stride[2]), places((t.image[2] + t.before[2] - 1) / t.stride[2] + 1),
              sums(margin + std::max(places, t.count[2]) + 2 * lanes::width), line(t.stride[2] * (places + lanes::width) + 2 * lanes::width),
              deep((t.kernel[0] - 1) / t.stride[0] + 1), high((t.kernel[1] - 1) / t.stride[1] + 1), part(t.count[2] + lanes::width) {}
        std::int64_t numbers() const { return (2 * sums + line + deep * high * part + 15) / 16 * 16; }
        T* sums_in(T* mine) const { return mine + margin; }
        T* divisors_in(T* mine) const { return mine + sums; }
        T* line_in(T* mine) const { return mine + 2 * sums; }
        T* parts_in(T* mine, std::int64_t i, std::int64_t j) const { return mine + 2 * sums + line + (i * high + j) * part; }
    };
    static std::int64_t room(const kernel::routine_call& c) {
        return most_threads * rooms(kernel::window_mean_input::task(c)).numbers() * static_cast<std::int64_t>(sizeof(T));
    }
    static bool run(const kernel::routine_call& c, const kernel::pooling_task& t, std::byte* memory) {
        const auto y = image_slot<const T>::of(c, t, 0, 1, true);
        const auto to = image_slot<T>::of(c, t, 1, 1, false);
        if (t.channels_last || y.at[2] != 1 || to.at[2] != 1) return false;
        bool pairs = t.axes == 2 && to.dense;
        for (int a = 1; a < 3; ++a) pairs = pairs && t.kernel[a] == 2 && t.stride[a] == 2 && t.before[a] == 0 && 2 * t.count[a] <= t.image[a];
        const rooms r(t);
        share_units(2 * t.operations(), t.images * t.channels, most_threads, [&](int part, std::int64_t first, std::int64_t end) {
            T* const mine = reinterpret_cast<T*>(memory) + part * r.numbers();
            const T* const limit = to.data + end * to.size();
            std::fill_n(mine, r.numbers(), T{});
            for (std::int64_t q = 0; q < r.sums; ++q) r.divisors_in(mine)[q] = q < t.count[2] ? static_cast<T>(t.counted(2, q)) : T(1);
            for (std::int64_t unit = first; unit < end; ++unit)
                if (pairs) run_pairs(t, y, to, unit, limit);
                else run_plane(t, r, y, to, unit, mine, limit);
        });
        return true;
    }

private:
    static void run_pairs(const kernel::pooling_task& t, const image_slot<const T>& y, const image_slot<T>& to, std::int64_t unit, const T* limit) {
        put_pairs_of_rows<lanes>(t, y, to, unit, limit, [](std::int64_t, std::int64_t, const V& given, const auto& put) CROTON_INLINED {
            const V part = given * lanes::all(T(0.25));
            put(part, part, part, part);
        });
    }
    static void run_plane(const kernel::pooling_task& t, const rooms& r, const image_slot<const T>& y, const image_slot<T>& to, std::int64_t unit,
                          T* mine, const T* limit) {
        T *const sums = r.sums_in(mine), *const line = r.line_in(mine);
        std::int64_t at[2], first, last;
        for (at[0] = 0; at[0] < t.image[0]; ++at[0]) {
            t.windows_at(0, at[0], &first, &last);
            const std::int64_t deep = last - first + 1;
            // The rows of windows `from` up to `end` have this row of the image; their parts lie in a ring. Nothing is divided by strides on the way.
            std::int64_t from = 0, end = 0, front = 0, back = 0;
            const auto next = [&](std::int64_t place) { return place + 1 == r.high ? 0 : place + 1; };
            for (at[1] = 0; at[1] < t.image[1]; ++at[1]) {
                const std::int64_t padded = at[1] + t.before[1];
                for (; end < t.count[1] && end * t.stride[1] <= padded; ++end, back = next(back))
                    for (std::int64_t i = 0; i < deep; ++i) divide(t, y, unit, first + i, end, r.parts_in(mine, i, back), r.divisors_in(mine));
                for (; from < end && from * t.stride[1] + t.kernel[1] <= padded; ++from) front = next(front);
                for (std::int64_t q = 0; q < t.count[2]; q += lanes::width) {
                    V sum{};
                    for (std::int64_t i = 0; i < deep; ++i)
                        for (std::int64_t j = from, place = front; j < end; ++j, place = next(place)) sum += lanes::load(r.parts_in(mine, i, place) + q);
                    // Behind the last window there are zeros.
                    lanes::store(sums + q, lanes::first(sum, std::min(lanes::width, t.count[2] - q)));
                }
                T* const row = to.plane(t, unit) + at[0] * to.at[0] + at[1] * to.at[1];
                // What is written beyond the end of a row is the next one, which comes later.
                if (to.dense && t.before[2] == 0 && limit - row >= r.line) {
                    spread(t, r, sums, row);
                } else {
                    spread(t, r, sums, line);
                    std::copy_n(line + t.before[2], t.image[2], row);
                }
            }
        }
    }
    /// What the windows of a row give each of their elements, once for all rows that they have: nothing takes as long as to divide.
    static void divide(const kernel::pooling_task& t, const image_slot<const T>& y, std::int64_t unit, std::int64_t window0,
                       std::int64_t window1, T* to, const T* divisors) {
        const T* const from = y.plane(t, unit) + window0 * y.at[0] + window1 * y.at[1];
        const V rows = lanes::all(static_cast<T>(t.counted(0, window0) * t.counted(1, window1)));
        for (std::int64_t q = 0; q < t.count[2]; q += lanes::width) {
            const std::int64_t n = std::min(lanes::width, t.count[2] - q);
            lanes::store(to + q, lanes::template take<1>(from + q, n, 1, y.end) / (rows * lanes::load(divisors + q)));
        }
    }
    /// Element stride * place + phase of the padded row is in the windows up to `place`, as far back as the kernel reaches.
    static void spread(const kernel::pooling_task& t, const rooms& r, const T* sums, T* line) {
        const std::int64_t by = t.stride[2];
        const auto phase_at = [&](std::int64_t place, std::int64_t phase) CROTON_INLINED {
            V sum{};
            for (std::int64_t back = phase <= r.phases ? r.margin : r.margin - 1; back >= 0; --back) sum += lanes::load(sums + place - back);
            return sum;
        };
        for (std::int64_t place = 0; place < r.places; place += lanes::width) {
            if (by == 1) lanes::store(line + place, phase_at(place, 0));
            else if (by == 2) lanes::put_pairs(line + 2 * place, lanes::width, line + r.line, phase_at(place, 0), phase_at(place, 1));
            else
                for (std::int64_t phase = 0; phase < by; ++phase) {
                    const V sum = phase_at(place, phase);
                    for (std::int64_t i = 0; i < lanes::width; ++i) line[(place + i) * by + phase] = sum[i];
                }
        }
    }
};

/// A routine by its body; plain loops where that does not take how the arrays lie.
template <class Body, class Routine, class Types, class Arch> struct pooling_routine_body {
    static std::int64_t room(const kernel::routine_call& c) {
        if constexpr (requires { Body::room(c); }) return Body::room(c);
        else return 0;
    }
    static void run(const kernel::routine_call& c, std::byte* memory) {
        if (!Body::run(c, Routine::task(c), memory)) run_plain_rows<Routine, Types, Arch>(c);
    }
};
template <class T, class I, class Arch>
    requires std::is_floating_point_v<T>
struct routine_body<kernel::window_max_place, kernel::routine_types<I, T>, Arch>
    : pooling_routine_body<window_places<T, I, Arch>, kernel::window_max_place, kernel::routine_types<I, T>, Arch> {};
template <class T, class Arch>
    requires std::is_floating_point_v<T>
struct routine_body<kernel::window_max, kernel::routine_types<T, T>, Arch>
    : pooling_routine_body<window_values<false, T, Arch>, kernel::window_max, kernel::routine_types<T, T>, Arch> {};
template <class T, class Arch>
    requires std::is_floating_point_v<T>
struct routine_body<kernel::window_mean, kernel::routine_types<T, T>, Arch>
    : pooling_routine_body<window_values<true, T, Arch>, kernel::window_mean, kernel::routine_types<T, T>, Arch> {};
template <class T, class Arch>
    requires std::is_floating_point_v<T>
struct routine_body<kernel::window_max_input, kernel::routine_types<T, T, T>, Arch>
    : pooling_routine_body<window_max_sums<T, Arch>, kernel::window_max_input, kernel::routine_types<T, T, T>, Arch> {};
template <class T, class Arch>
    requires std::is_floating_point_v<T>
struct routine_body<kernel::window_mean_input, kernel::routine_types<T, T>, Arch>
    : pooling_routine_body<window_mean_sums<T, Arch>, kernel::window_mean_input, kernel::routine_types<T, T>, Arch> {};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
