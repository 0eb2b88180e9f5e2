// SPDX-License-Identifier: MIT
// First weights by the names that papers gave them, for arrays and for models.
#ifndef CROTON_RANDOM_INITIALISERS_HPP
#define CROTON_RANDOM_INITIALISERS_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <croton/core/leaves.hpp>
#include <croton/core/windows.hpp>
#include <croton/random/distributions.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// How many numbers a weight's output is made of, and how many are made of an input. A matrix is [in,out], as dot(x, w) has it; a kernel of a
/// convolution is [out,in,k,...] or, where channels are last, [k,...,in,out].
template <int Rank> struct fans {
    double in = 1, out = 1;

    fans(const extents_of<Rank>& extents, image_layout layout) {
        static_assert(Rank >= 2, "croton: an initialiser of this name is for matrices [in,out] and kernels of convolutions [out,in,k,...]");
        if constexpr (Rank >= 2) {
            constexpr std::size_t rank = Rank;
            const bool last = Rank == 2 || layout == nhwc;
            const std::size_t of_in = last ? rank - 2 : 1, of_out = last ? rank - 1 : 0;
            for (std::size_t i = 0; i < rank; ++i) {
                const auto n = static_cast<double>(extents[i]);
                if (i != of_out) in *= n;
                if (i != of_in) out *= n;
            }
        }
    }
};

/// The sum of the products, in eight parts side by side.
inline double dot_of_rows(const double* a, const double* b, std::int64_t size) {
    double part[8] = {}, sum = 0;
    std::int64_t i = 0;
    for (; i + 8 <= size; i += 8)
        for (int k = 0; k < 8; ++k) part[k] += a[i + k] * b[i + k];
    for (; i < size; ++i) sum += a[i] * b[i];
    for (const double p : part) sum += p;
    return sum;
}

/// Makes rows, at most as many as they are long, orthonormal by the modified Gram-Schmidt process, done twice. What it leaves of normal numbers is a
/// rotation of which every one is as probable: the diagonal of the triangle, the lengths, is positive (Mezzadri, How to generate random matrices from
/// the classical compact groups, 2007).
inline void make_orthonormal(double* rows, std::int64_t count, std::int64_t size) {
    for (std::int64_t i = 0; i < count; ++i) {
        double* const row = rows + i * size;
        for (int pass = 0; pass < 2; ++pass)
            for (std::int64_t k = 0; k < i; ++k) {
                const double* const other = rows + k * size;
                const double along = dot_of_rows(row, other, size);
                for (std::int64_t e = 0; e < size; ++e) row[e] -= along * other[e];
            }
        const double scale = 1 / std::sqrt(dot_of_rows(row, row, size));
        for (std::int64_t e = 0; e < size; ++e) row[e] *= scale;
    }
}

/// What an initialiser divides by: the numbers in, or the mean of those in and out.
enum class fan : std::uint8_t { in, mean };

}  // namespace detail

namespace random {

/// Weights of variance `Gain` by a fan times the square of `gain`: uniform or normal. A function object, so that `initialise` takes it.
template <int Gain, detail::fan Fan, bool Normal> struct scaled_by_fan {
    image_layout layout = nchw;

    constexpr scaled_by_fan operator()(image_layout of_kernels) const { return {of_kernels}; }
    template <detail::fillable To> void operator()(To&& to, const stream_of& seed, double gain = 1) const {
        const detail::fans<std::remove_cvref_t<To>::rank> f(to.extents(), layout);
        const double by = Fan == detail::fan::in ? f.in : (f.in + f.out) / 2;
        const double deviation = gain * std::sqrt(Gain / by), limit = std::sqrt(3.0) * deviation;
        if (!(by > 0)) return;
        if constexpr (Normal) normal(to, seed, 0, deviation);
        else uniform(to, seed, -limit, limit);
    }
};

/// Weights whose rows or columns, of which there are fewer, are orthonormal, times `gain`; kernels of convolutions count as [out, in k ...]
/// or, where channels are last, [k ... in, out].
/// (Saxe, McClelland, Ganguli: Exact solutions to the nonlinear dynamics of learning in deep linear neural networks, 2014.)
struct orthogonal_rows {
    image_layout layout = nchw;

    constexpr orthogonal_rows operator()(image_layout of_kernels) const { return {of_kernels}; }
    template <detail::fillable To> void operator()(To&& to, const stream_of& seed, double gain = 1) const {
        using T = detail::drawn_element<To>;
        detail::check_has_fractions<T>();
        [[maybe_unused]] const detail::fans<std::remove_cvref_t<To>::rank> has_fans(to.extents(), layout);
        std::int64_t high = to.extents()[0];
        if (layout == nhwc)
            for (std::size_t i = 1; i + 1 < std::size_t{std::remove_cvref_t<To>::rank}; ++i) high *= to.extents()[i];
        detail::write_elements(to, [&](T* data, std::int64_t size) {
            if (size == 0) return;
            const std::int64_t wide = size / high, count = high < wide ? high : wide, length = high < wide ? wide : high;
            array<double, 2> rows(count, length);
            normal(rows, seed);
            detail::make_orthonormal(rows.data(), count, length);
            for (std::int64_t i = 0; i < high; ++i)
                for (std::int64_t k = 0; k < wide; ++k)
                    data[i * wide + k] = static_cast<T>(static_cast<arithmetic_t<T>>(gain * (high < wide ? rows(i, k) : rows(k, i))));
        });
    }
};

/// @name Initialisers
/// `random::he_uniform(w, 42)` fills a matrix [in,out] or the kernel of a convolution [out,in,k,...], and `random::he_uniform(nhwc)(w, 42)` one whose
/// channels are last, [k,...,in,out]: what an array is made for cannot be seen in its extents. A third argument multiplies the weights.
/// Uniform ones go as far as gives the variance: 6 by the fan is 2 times 3. @{ Variance 2 / (in + out). (Glorot, Bengio: Understanding the difficulty
/// of training deep feedforward neural networks, 2010.)
inline constexpr scaled_by_fan<1, detail::fan::mean, false> glorot_uniform;
inline constexpr scaled_by_fan<1, detail::fan::mean, true> glorot_normal;
/// Variance 2 / in, for relu. (He, Zhang, Ren, Sun: Delving deep into rectifiers, 2015.)
inline constexpr scaled_by_fan<2, detail::fan::in, false> he_uniform;
inline constexpr scaled_by_fan<2, detail::fan::in, true> he_normal;
/// Variance 1 / in. (LeCun, Bottou, Orr, Mueller: Efficient BackProp, 1998.)
inline constexpr scaled_by_fan<1, detail::fan::in, false> lecun_uniform;
inline constexpr scaled_by_fan<1, detail::fan::in, true> lecun_normal;
inline constexpr orthogonal_rows orthogonal;
/// @}

/// Fills a model of arrays that have their extents: what has two axes or more by the initialiser, each array with a stream of its own, and what has
/// fewer, the biases, with zeros: `initialise(model, 42, random::he_normal(nhwc))`. The streams are those of `seed` from 2^15 on, which draws in
/// functions, counted from 0, do not come to.
template <class Model, class Initialiser = scaled_by_fan<1, detail::fan::mean, false>>
void initialise(Model& model, const stream_of& seed, const Initialiser& fill = {}) {
    detail::for_each_leaf(model, [&](auto& x, auto index) {
        using type = std::remove_cvref_t<decltype(x)>;
        if constexpr (type::rank < 2) x.fill(typename type::value_type(0));
        else fill(x, stream_of(seed.key, seed.stream + (1u << 15) + static_cast<std::uint32_t>(decltype(index)::value), seed.calls, seed.turn));
    });
}

}  // namespace random

}  // namespace croton::inline v0_1

#endif
