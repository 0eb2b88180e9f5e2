// SPDX-License-Identifier: MIT
// Products whose alpha and beta a kernel has computed. A BLAS does not look at what it is told to multiply by 0, and the host does
// not know the factors: what a NaN or an infinity makes of the product is looked after on the device.
#ifndef CROTON_DEVICE_CUDA_FACTORS_HPP
#define CROTON_DEVICE_CUDA_FACTORS_HPP

#include <croton/core/extents.hpp>
#include <croton/kernel/argument.hpp>
#include <croton/kernel/batch.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace croton::inline v0_1::detail::cuda_device {

/// When a kernel looks at the factors of a product.
enum class look : std::uint8_t { before, behind };

/// Its argument: the product `c = alpha a b + beta c`, for each matrix of a batch.
template <class T, class In> struct factor_arguments {
    kernel::matrix<const In> a, b;
    kernel::matrix<T> c;
    kernel::batch over;
    T* factors;  // alpha, beta, and the beta that the product is given
    std::int64_t count, blocks;  // elements of all c
    bool accumulates;
};

/// In front of a product: where beta is 0, c is multiplied by it here, and the product adds to that. Behind it: where alpha is 0,
/// 0 times the sum of each element is added. Elsewhere nothing is read but the factor. Each thread takes one element after the other.
template <look When, class Threads, class T, class In> CROTON_DEVICE void look_at_factors(Threads& t, const factor_arguments<T, In>& p) {
    const T factor = p.factors[When == look::before ? 1 : 0];
    if constexpr (When == look::before)
        if (t.block() == 0 && t.thread() == 0) p.factors[2] = factor == T(0) ? T(1) : factor;
    if (factor != T(0)) return;
    for (std::int64_t i = t.block() * t.threads() + t.thread(); i < p.count; i += p.blocks * t.threads()) {
        const std::int64_t column = i % p.c.cols, row = i / p.c.cols % p.c.rows, matrix = i / p.c.cols / p.c.rows;
        T& c = p.c.data[matrix * p.over.c + row * p.c.row_stride + column * p.c.col_stride];
        if constexpr (When == look::before) {
            c *= factor;
        } else {
            const In* a = p.a.data + matrix * p.over.a + row * p.a.row_stride;
            const In* b = p.b.data + matrix * p.over.b + column * p.b.col_stride;
            T sum(0);
            for (std::int64_t k = 0; k < p.a.cols; ++k, a += p.a.col_stride, b += p.b.row_stride) sum += static_cast<T>(*a) * static_cast<T>(*b);
            c = p.accumulates ? c + factor * sum : factor * sum;
        }
    }
}

/// `c = alpha a b + beta c`, where `product(alpha, beta)` queues it for factors at these addresses as a BLAS does.
template <class Platform, class T, class In, class Product>
void multiply_computed(const kernel::computed_factors<T>& f, const kernel::matrix<const In>& a, const kernel::matrix<const In>& b, const kernel::matrix<T>& c,
                       const kernel::batch& over, Product&& product) {
    factor_arguments<T, In> p{a, b, c, over, f.data, over.count * c.rows * c.cols, 0, f.accumulates};
    if (p.count == 0) return;
    const auto look_at = [&]<look When>(std::integral_constant<look, When>) {
        p.blocks = std::min((p.count + Platform::threads - 1) / Platform::threads, Platform::template resident_factors<When>(p));
        Platform::template launch_factors<When>(p);
    };
    // Products of integers are loops, which read everything.
    constexpr bool by_blas = std::is_floating_point_v<T>;
    const bool look_before = by_blas && f.accumulates && f.beta_computed;
    if constexpr (by_blas)
        if (look_before) look_at(std::integral_constant<look, look::before>());
    product(static_cast<const T*>(f.data), static_cast<const T*>(f.data + (look_before ? 2 : 1)));
    if constexpr (by_blas)
        if (f.alpha_computed) look_at(std::integral_constant<look, look::behind>());
}

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
