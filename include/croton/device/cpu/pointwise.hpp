// SPDX-License-Identifier: MIT
// Convolutions on the CPU whose kernels have one element and see each element of the image once: they are matrix products.
#ifndef CROTON_DEVICE_CPU_POINTWISE_HPP
#define CROTON_DEVICE_CPU_POINTWISE_HPP

#include <croton/device/cpu/correlate.hpp>
#include <croton/device/cpu/products.hpp>
#include <croton/kernel/routine/convolution.hpp>

namespace croton::inline v0_1::detail::cpu_device {

/// For each image and group the kernel [out,in] times the image [in,places]. Where channels lie last, or there is one place, all images
/// are one.
template <class T, class Arch> class pointwise_products {
public:
    explicit pointwise_products(const kernel::convolution_task& task) : t_(task), images_(task.images), places_(task.image_size()) {
        std::int64_t of_x = 1, of_y = 1, inner = 1;
        for (int a = 3; a-- > 0;) {
            is_one_ = is_one_ && t_.kernel[a] == 1 && t_.stride[a] == 1 && t_.before[a] == 0 && t_.image[a] == t_.count[a];
            if (t_.image[a] == 1) continue;
            if (inner == 1) of_x = t_.x_at[a], of_y = t_.y_at[a];
            is_one_ = is_one_ && t_.x_at[a] == of_x * inner && t_.y_at[a] == of_y * inner;
            inner *= t_.image[a];
        }
        x_place_ = of_x;
        y_place_ = of_y;
        if (places_ == 1) {
            x_place_ = t_.x_image;
            y_place_ = t_.y_image;
        } else if (!is_one_ || t_.x_image != places_ * of_x || t_.y_image != places_ * of_y)
            return;
        places_ *= images_;
        images_ = std::min<std::int64_t>(images_, 1);
    }

    bool fit() const { return is_one_; }

    /// The numbers that the products copy on the way.
    std::int64_t numbers(kernel::convolution) const { return packing_of(weight<const void>(), image<const void>(), result<void>()); }
    std::int64_t numbers(kernel::convolution_biased) const { return numbers(kernel::convolution()); }
    std::int64_t numbers(kernel::convolution_input) const { return packing_of(transposed(weight<const void>()), result<const void>(), image<void>()); }
    std::int64_t numbers(kernel::convolution_weight) const { return packing_of(result<const void>(), transposed(image<const void>()), weight<void>()); }

    /// What is done to each element besides is done while the image is in cache. `bias` may be null.
    void run(const T* x, const T* w, const T* bias, T* y, std::byte* room) const {
        each([&](std::int64_t n, std::int64_t g) {
            const matrix<T> to = result(y, n, g);
            multiply<Arch, T>(T{1}, weight(w, g), image(x, n, g), T{}, to, room);
            for (std::int64_t o = 0; (bias != nullptr || t_.relu) && o < to.rows; ++o)
                end_run<Arch>(to.data + o * to.row_stride, to.col_stride, to.cols, bias == nullptr ? T{} : bias[(g * t_.out + o) * t_.bias], t_.relu);
        });
    }
    void run(kernel::convolution_input, const T* y, const T* w, T* x, std::byte* room) const {
        each([&](std::int64_t n, std::int64_t g) { multiply<Arch, T>(T{1}, transposed(weight(w, g)), result(y, n, g), T{}, image(x, n, g), room); });
    }
    void run(kernel::convolution_weight, const T* x, const T* y, T* w, std::byte* room) const {
        for (std::int64_t g = 0; images_ == 0 && g < t_.groups; ++g) scale<Arch>(T{}, weight(w, g));
        each([&](std::int64_t n, std::int64_t g) {
            multiply<Arch, T>(T{1}, result(y, n, g), transposed(image(x, n, g)), n == 0 ? T{} : T{1}, weight(w, g), room);
        });
    }

private:
    const kernel::convolution_task& t_;
    std::int64_t images_, places_, x_place_ = 1, y_place_ = 1;
    bool is_one_ = true;

    template <class F> void each(const F& f) const {
        for (std::int64_t n = 0; n < images_; ++n)
            for (std::int64_t g = 0; g < t_.groups; ++g) f(n, g);
    }
    static std::int64_t packing_of(const matrix<const void>& a, const matrix<const void>& b, const matrix<void>& c) {
        return static_cast<std::int64_t>(packing<Arch>(a, b, c));
    }
    template <class U> matrix<U> image(U* x = nullptr) const { return {x, t_.in, places_, t_.x_channel, x_place_}; }
    template <class U> matrix<U> weight(U* w = nullptr) const { return {w, t_.out, t_.in, t_.w_out, t_.w_in}; }
    template <class U> matrix<U> result(U* y = nullptr) const { return {y, t_.out, places_, t_.y_channel, y_place_}; }

    template <class U> matrix<U> image(U* x, std::int64_t n, std::int64_t g) const { return image(x + n * t_.x_image + g * t_.in * t_.x_channel); }
    template <class U> matrix<U> weight(U* w, std::int64_t g) const { return weight(w + g * t_.out * t_.w_out); }
    template <class U> matrix<U> result(U* y, std::int64_t n, std::int64_t g) const { return result(y + n * t_.y_image + g * t_.out * t_.y_channel); }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
