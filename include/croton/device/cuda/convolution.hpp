// SPDX-License-Identifier: MIT
// Convolutions on the GPU as products of matrices that are never written out: the image is gathered piece by piece.
#ifndef CROTON_DEVICE_CUDA_CONVOLUTION_HPP
#define CROTON_DEVICE_CUDA_CONVOLUTION_HPP

#include <croton/device/cuda/routines.hpp>
#include <croton/device/cuda/tile_product.hpp>
#include <croton/kernel/routine/convolution.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <utility>

namespace croton::inline v0_1::detail::cuda_device {

/// The three convolutions as products. What stands side by side in a row of results: places of images, or, for kernels, channels and places in them.
class convolution_products {
public:
    convolution_products(const kernel::routine_call& c, const kernel::convolution_task& t) : c_(c), t_(t) {}

    /// Whether numbers of elements and places have 30 bits, and there is work for a tile: the plain way takes what does not fit, and groups of
    /// few results, of whose tiles most would be empty.
    template <class Routine> bool fit() const {
        constexpr std::int64_t most = std::int64_t{1} << 30;
        std::int64_t all = std::max<std::int64_t>(t_.images, 1) * std::max(t_.in, t_.out);
        for (int a = 0; a < 3; ++a) {
            const std::int64_t reach = std::max(t_.kernel[a] * t_.dilation[a], t_.count[a] * t_.stride[a]) + std::max(t_.image[a], std::abs(t_.before[a]));
            if (reach >= most || all >= most) return false;
            all *= std::max<std::int64_t>({t_.kernel[a], t_.count[a], t_.image[a], 1});
        }
        if (all >= most || t_.groups >= most) return false;
        if constexpr (std::is_same_v<Routine, kernel::convolution_weight>) return true;
        else if constexpr (std::is_same_v<Routine, kernel::convolution_input>) return t_.in >= few && t_.stride[0] * t_.stride[1] * t_.stride[2] <= most_phases;
        else return t_.out >= few;
    }

    /// Calls f with each of the products that make the result, whose elements are apart.
    template <class Routine, class F> void each(Routine, const F& f) const {
        if constexpr (std::is_same_v<Routine, kernel::convolution_input>) each_phase(f);
        else if constexpr (std::is_same_v<Routine, kernel::convolution_weight>) f(weight());
        else f(result(Routine::arguments));
    }

private:
    static constexpr std::int64_t few = 3, most_phases = 64;

    tile_task result(int arguments) const {
        tile_task p;
        p.groups = static_cast<int>(t_.groups);
        p.m = static_cast<int>(t_.out);
        p.n = tile_box::of(t_.images, t_.count, false);
        p.k = tile_box::of(t_.in, t_.kernel, t_.channels_last);
        p.b = c_.data[0];
        p.a = c_.data[1];
        p.c = c_.data[arguments];
        if (arguments == 3) {
            p.bias = c_.data[2];
            p.bias_m = t_.bias;
        }
        p.relu = t_.relu;
        p.a_first = t_.w_first;
        p.a_m = t_.w_out;
        p.a_group = t_.out * t_.w_out;
        p.a_outer = t_.w_in;
        p.b_group = t_.in * t_.x_channel;
        p.b_n = t_.x_image;
        p.b_k = t_.x_channel;
        p.c_m = t_.y_channel;
        p.c_group = t_.out * t_.y_channel;
        p.c_outer = t_.y_image;
        for (int a = 0; a < 3; ++a) {
            p.a_at[a] = t_.w_at[a];
            p.b_at[a] = t_.x_at[a];
            p.c_at[a] = t_.y_at[a];
            p.b_start[a] = static_cast<int>(-t_.before[a]);
            p.b_by_n[a] = static_cast<int>(t_.stride[a]);
            p.b_by_k[a] = static_cast<int>(t_.dilation[a]);
            p.b_limit[a] = static_cast<int>(t_.image[a]);
        }
        return p;
    }
    tile_task weight() const {
        tile_task p = result(2);
        p.n = tile_box::of(t_.in, t_.kernel, t_.channels_last);
        p.k = tile_box::of(t_.images, t_.count, false);
        p.a = c_.data[1];
        p.a_m = t_.y_channel;
        p.a_group = t_.out * t_.y_channel;
        p.a_outer = t_.y_image;
        p.c_m = t_.w_out;
        p.c_group = t_.out * t_.w_out;
        p.c_outer = t_.w_in;
        std::swap(p.b_n, p.b_k);
        for (int a = 0; a < 3; ++a) {
            p.a_at[a] = t_.y_at[a];
            p.c_at[a] = t_.w_at[a];
            std::swap(p.b_by_n[a], p.b_by_k[a]);
        }
        p.a_first = 0;
        p.c_first = t_.w_first;
        return p;
    }
    /// Elements of the image that meet the same elements of the kernel, for each rest of their places by the stride.
    template <class F> void each_phase(const F& f) const {
        for (std::int64_t number = 0; number < t_.stride[0] * t_.stride[1] * t_.stride[2]; ++number) {
            const std::int64_t rest[3] = {number / t_.stride[2] / t_.stride[1], number / t_.stride[2] % t_.stride[1], number % t_.stride[2]};
            tile_task p = result(2);
            std::int64_t places[3], of_kernel[3], a_first = 0, c_first = 0;
            p.m = static_cast<int>(t_.in);
            p.a_m = t_.w_in;
            p.a_outer = t_.w_out;
            std::swap(p.b_group, p.c_group);
            p.b_n = t_.y_image;
            p.b_k = t_.y_channel;
            p.c_m = t_.x_channel;
            p.c_outer = t_.x_image;
            for (int a = 0; a < 3; ++a) {
                const std::int64_t s = t_.stride[a], from = ((rest[a] - t_.before[a]) % s + s) % s;
                std::int64_t first = 0, apart = 1;
                while (apart < s && apart * t_.dilation[a] % s != 0) ++apart;
                while (first < apart && first * t_.dilation[a] % s != rest[a]) ++first;
                places[a] = from < t_.image[a] ? (t_.image[a] - from + s - 1) / s : 0;
                of_kernel[a] = first < apart && first < t_.kernel[a] ? (t_.kernel[a] - first + apart - 1) / apart : 0;
                a_first += first * t_.w_at[a];
                c_first += from * t_.x_at[a];
                p.a_at[a] = apart * t_.w_at[a];
                p.b_at[a] = t_.y_at[a];
                p.c_at[a] = s * t_.x_at[a];
                p.b_start[a] = static_cast<int>(of_kernel[a] == 0 ? 0 : (from + t_.before[a] - first * t_.dilation[a]) / s);
                p.b_by_n[a] = 1;
                p.b_by_k[a] = static_cast<int>(-(apart * t_.dilation[a] / s));
                p.b_limit[a] = static_cast<int>(t_.count[a]);
            }
            p.n = tile_box::of(t_.images, places, false);
            p.k = tile_box::of(t_.out, of_kernel, t_.channels_last);
            p.a_first = t_.w_first + a_first;
            p.c_first = c_first;
            f(p);
        }
    }

    const kernel::routine_call& c_;
    const kernel::convolution_task& t_;
};

/// One of the three on this device.
template <class Routine, class T, class A, class B> struct convolution_body {
    template <class Platform> static std::int64_t room(const kernel::routine_call& c) {
        std::int64_t most = 0;
        if (const auto t = Routine::task(c); takes_tiles(c, t))
            convolution_products(c, t).each(Routine(), [&](tile_task p) {
                split<Platform>(p);
                if (p.splits > 1) most = std::max(most, p.splits * p.results() * static_cast<std::int64_t>(sizeof(arithmetic_t<T>)));
            });
        return most;
    }
    template <class Platform, class Types> static void run(const kernel::routine_call& c, std::byte* room, Types types) {
        const auto t = Routine::task(c);
        if (!takes_tiles(c, t)) return run_rows<Platform, Routine>(c, types);
        convolution_products(c, t).each(Routine(), [&](tile_task p) {
            if (p.results() == 0) return;
            split<Platform>(p);
            p.partial = room;
            p.find_vectors(sizeof(of_a), sizeof(of_b));
            if (p.m <= flat_tile<Platform::threads>::m) launch<Platform, flat_tile<Platform::threads>>(p);
            else if (sizeof(arithmetic_t<T>) > 4 || p.m <= middle_tile<Platform::threads>::m) launch<Platform, middle_tile<Platform::threads>>(p);
            else if constexpr (sizeof(arithmetic_t<T>) <= 4) launch<Platform, large_tile<Platform::threads>>(p);
            if (p.splits > 1) Platform::run_blocks(std::type_identity<tile_sum<T>>(), (p.results() + Platform::threads - 1) / Platform::threads, p);
        });
    }

private:
    // The matrix that is taken as it lies is the kernel, or the cotangent of the result.
    using of_a = B;
    using of_b = A;

    static bool takes_tiles(const kernel::routine_call& c, const kernel::convolution_task& t) {
        return c.rows() * c.along() != 0 && Routine::windows_of_call(c).way != asks_loops && convolution_products(c, t).template fit<Routine>();
    }
    template <class Platform, class Shape> static void launch(tile_task& p) {
        const std::int64_t blocks = p.cut(Shape::m, Shape::n);
        Platform::run_blocks(std::type_identity<tile_product<T, of_a, of_b, Shape>>(), blocks, p);
    }
    /// Kernels are small and what they are summed over is long: parts of it are summed apart. How many depends on extents alone, and so do the bits.
    template <class Platform> static void split(tile_task& p) {
        p.splits = 1;
        if constexpr (std::is_same_v<Routine, kernel::convolution_weight>) {
            tile_task cut = p;
            const std::int64_t tiles = std::max<std::int64_t>(cut.cut(middle_tile<Platform::threads>::m, middle_tile<Platform::threads>::n), 1);
            p.splits = static_cast<int>(std::clamp<std::int64_t>(wanted_blocks / tiles, 1, std::max(p.k.count / least_chunk, 1)));
        }
        p.chunk = ((p.k.count + p.splits - 1) / p.splits + 15) / 16 * 16;
        p.splits = p.chunk == 0 ? 1 : (p.k.count + p.chunk - 1) / p.chunk;
    }
    static constexpr std::int64_t asks_loops = 1, wanted_blocks = 512;
    static constexpr int least_chunk = 256;
};

/// A convolution whose arguments have these types.
template <class Routine, class T, class A, class B, class... Bias> struct convolution_routine_body {
    using body = convolution_body<Routine, T, A, B>;
    template <class Platform> static std::int64_t room(const kernel::routine_call& c) { return body::template room<Platform>(c); }
    template <class Platform> static void run(const kernel::routine_call& c, std::byte* room) {
        body::template run<Platform>(c, room, kernel::routine_types<T, A, B, Bias...>());
    }
};
template <class T, class A, class B>
struct routine_body<kernel::convolution, kernel::routine_types<T, A, B>> : convolution_routine_body<kernel::convolution, T, A, B> {};
template <class T, class A, class B>
struct routine_body<kernel::convolution_biased, kernel::routine_types<T, A, B, T>> : convolution_routine_body<kernel::convolution_biased, T, A, B, T> {};
template <class T, class A, class B>
struct routine_body<kernel::convolution_input, kernel::routine_types<T, A, B>> : convolution_routine_body<kernel::convolution_input, T, A, B> {};
template <class T, class A, class B>
struct routine_body<kernel::convolution_weight, kernel::routine_types<T, A, B>> : convolution_routine_body<kernel::convolution_weight, T, A, B> {};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
