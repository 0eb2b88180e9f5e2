// SPDX-License-Identifier: MIT
// Windows of images of float and double on the CPU: registers of windows beside each other, or of channels where these lie side by side.
#ifndef CROTON_DEVICE_CPU_POOLING_WALK_HPP
#define CROTON_DEVICE_CPU_POOLING_WALK_HPP

#include <croton/device/cpu/pooling_lanes.hpp>

namespace croton::inline v0_1::detail::cpu_device {

/// How a slot of images lies, and how its memory goes on.
template <class E> struct image_slot {
    E* data = nullptr;
    E* end = nullptr;  // behind the last element
    std::int64_t image = 0, channel = 0, at[3]{}, extent[3]{1, 1, 1};
    bool dense = false;  // one element behind the other in the order of the axes, channels in front

    static image_slot of(const kernel::routine_call& c, const kernel::pooling_task& t, int slot, int arguments, bool of_windows) {
        image_slot s;
        s.data = s.end = reinterpret_cast<E*>(c.data[slot]);
        const std::int64_t* const extent = slot == arguments ? c.extent : c.from[slot];
        for (int a = 0; a < c.rank; ++a) s.end += std::max<std::int64_t>(0, (extent[a] - 1) * c.stride[slot][a]);
        ++s.end;
        s.image = c.stride[slot][0];
        s.channel = c.stride[slot][t.channel_axis()];
        std::int64_t next = 1;
        s.dense = !t.channels_last;
        for (int a = 2; a >= 0; --a) {
            s.extent[a] = of_windows ? t.count[a] : t.image[a];
            s.at[a] = a < 3 - t.axes ? 0 : c.stride[slot][t.first_axis() + a - 3 + t.axes];
            s.dense = s.dense && (s.extent[a] == 1 || s.at[a] == next);
            next *= s.extent[a];
        }
        s.dense = s.dense && (t.channels == 1 || s.channel == next) && (t.images == 1 || s.image == next * t.channels);
        return s;
    }
    std::int64_t size() const { return extent[0] * extent[1] * extent[2]; }
    /// Whether what registers hold side by side lies so here.
    bool has_lanes(const kernel::pooling_task& t) const { return (t.channels_last ? channel : at[2]) == 1; }
    E* plane(const kernel::pooling_task& t, std::int64_t unit) const {
        return t.channels_last ? data + unit * image : data + unit / t.channels * image + unit % t.channels * channel;
    }
};

/// Calls `f(unit, end)` on the threads with the pieces of `count` units, of `work` operations together.
template <class F> void share_units(std::int64_t work, std::int64_t count, int most, const F& f) {
    const int parts = std::min(most, parts_of(work, count));
    parallel(parts, [&](int part) { f(part, count * part / parts, count * (part + 1) / parts); });
}

/// Walks over windows whose elements are in registers. A unit is a channel of an image; where channels lie side by side it is an image.
template <class T, class Arch> struct window_walk {
    using lanes = pooling_lanes<T, Arch>;
    using V = typename lanes::V;

    const kernel::pooling_task& t;
    image_slot<const T> x;

    std::int64_t units() const { return t.channels_last ? t.images : t.images * t.channels; }
    /// The largest number that an offset in a window can be.
    std::int64_t reach() const {
        std::int64_t all = 0;
        for (int a = 0; a < 3; ++a) all = all * t.image[a] + (t.kernel[a] - 1) * t.dilation[a];
        return all;
    }
    bool fits() const { return x.has_lanes(t) && reach() < place_lanes<T, Arch>::most_offset; }
    /// Whether windows are two by two elements beside each other in rows.
    bool of_pairs() const {
        for (int a = 1; a < 3; ++a)
            if (t.kernel[a] != 2 || t.stride[a] != 2 || t.dilation[a] != 1 || t.before[a] != 0 || 2 * t.count[a] > t.image[a]) return false;
        return t.axes == 2 && !t.channels_last;
    }

    /// Calls `f(state, window, lane, n)` with `Fold` of the windows of a unit, in their order: of `n` windows from `window` on, or of so many channels from `lane` on.
    template <class Fold, class F> void each(std::int64_t unit, const F& f) const {
        if (t.channels_last) return each_by<Fold, 1>(unit, f);
        if (t.stride[2] == 1) return each_by<Fold, 1>(unit, f);
        if (t.stride[2] == 2) return each_by<Fold, 2>(unit, f);
        return each_by<Fold, 0>(unit, f);
    }
    /// The number in the image, which may be in the padding, of the first element of a window.
    std::int64_t first_place(const std::int64_t* window) const {
        std::int64_t at = 0;
        for (int a = 0; a < 3; ++a) at = at * t.image[a] + window[a] * t.stride[a] - t.before[a];
        return at;
    }

private:
    /// How far elements of a window lie from each other, in memory and in the numbers of an image.
    struct steps {
        std::int64_t in_memory[3], in_image[3], stride;
        const T* end;
    };

    // What the loops need is copied: behind each store a compiler takes it that all memory may have changed.
    template <class Fold, int Step, class F> [[gnu::noinline]] void each_by(std::int64_t unit, const F& f) const {
        const kernel::pooling_task task = t;
        const steps by{{task.dilation[0] * x.at[0], task.dilation[1] * x.at[1], task.dilation[2] * x.at[2]},
                       {task.dilation[0] * task.image[1] * task.image[2], task.dilation[1] * task.image[2], task.dilation[2]}, task.stride[2], x.end};
        const std::int64_t at[3] = {x.at[0], x.at[1], x.at[2]};
        const T* const plane = x.plane(t, unit);
        // Windows along the last axis all of whose elements are in the image.
        const std::int64_t room = task.image[2] + task.before[2] - task.dilation[2] * (task.kernel[2] - 1);
        const std::int64_t low = std::min(task.count[2], (task.before[2] + task.stride[2] - 1) / task.stride[2]);
        const std::int64_t high = std::max(low, std::min(task.count[2], room > 0 ? (room + task.stride[2] - 1) / task.stride[2] : 0));
        std::int64_t window[3];
        kernel::window_span s[3];
        for (window[0] = 0; window[0] < task.count[0]; ++window[0]) {
            s[0] = task.span(0, window[0]);
            for (window[1] = 0; window[1] < task.count[1]; ++window[1]) {
                s[1] = task.span(1, window[1]);
                const T* const row = plane + s[0].start * at[0] + s[1].start * at[1];
                for (window[2] = 0; window[2] < task.count[2];) {
                    const bool inside = window[2] >= low && window[2] < high;
                    if (inside) s[2] = {window[2] * task.stride[2] - task.before[2], 0, task.kernel[2]};
                    else s[2] = task.span(2, window[2]);
                    const T* const from = row + s[2].start * at[2];
                    if (task.channels_last) {
                        for (std::int64_t c = 0; c < task.channels; c += lanes::width) {
                            const std::int64_t n = std::min(lanes::width, task.channels - c);
                            f(fold<Fold, Step>(from + c, s, n, by), static_cast<const std::int64_t*>(window), c, n);
                        }
                        ++window[2];
                    } else {
                        const std::int64_t n = inside ? std::min(lanes::width, high - window[2]) : 1;
                        f(fold<Fold, Step>(from, s, n, by), static_cast<const std::int64_t*>(window), 0, n);
                        window[2] += n;
                    }
                }
            }
        }
    }
    template <int Step, class Fold> CROTON_INLINE static void fold_three(Fold& state, const T* at, const kernel::window_span* s, const steps& by) {
        CROTON_UNROLLED
        for (std::int64_t j = 0; j < 3; ++j, at += by.in_memory[1]) {
            const T place = static_cast<T>(s[0].first * by.in_image[0] + (s[1].first + j) * by.in_image[1] + s[2].first);
            if constexpr (Step == 1) {
                for (int k = 0; k < 3; ++k) state.add(lanes::load(at + k), place + static_cast<T>(k));
            } else {
                const typename lanes::pairs here = lanes::load_pairs(at);
                state.add(lanes::template each_second<0>(here, lanes::sequence), place);
                state.add(lanes::template each_second<1>(here, lanes::sequence), place + T(1));
                state.add(lanes::template each_second<0>(lanes::load_pairs(at + 2), lanes::sequence), place + T(2));
            }
        }
    }
    template <class Fold, int Step> CROTON_INLINE static Fold fold(const T* from, const kernel::window_span* s, std::int64_t n, const steps& by) {
        const bool any = s[0].first < s[0].end && s[1].first < s[1].end && s[2].first < s[2].end;
        const std::int64_t first = s[2].first, end = s[2].end, step = by.in_memory[2];
        Fold state(any ? static_cast<T>(s[0].first * by.in_image[0] + s[1].first * by.in_image[1] + first * by.in_image[2]) : T(-1));
        // Windows of three by three, all of them in the image: what there is most of but two by two.
        if (Step != 0 && step == 1 && end - first == 3 && s[1].end - s[1].first == 3 && s[0].end - s[0].first == 1) {
            const T* const at = from + s[0].first * by.in_memory[0] + s[1].first * by.in_memory[1] + first;
            if (by.end - (at + 2 * by.in_memory[1] + 2) >= Step * lanes::width) {
                fold_three<Step>(state, at, s, by);
                return state;
            }
        }
        for (std::int64_t i = s[0].first; i < s[0].end; ++i)
            for (std::int64_t j = s[1].first; j < s[1].end; ++j) {
                const T* at = from + i * by.in_memory[0] + j * by.in_memory[1] + first * step;
                T place = static_cast<T>(i * by.in_image[0] + j * by.in_image[1] + first * by.in_image[2]);
                const T next = static_cast<T>(by.in_image[2]);
                for (std::int64_t k = first; k < end; ++k, at += step, place += next) state.add(lanes::template take<Step>(at, n, by.stride, by.end), place);
            }
        return state;
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
