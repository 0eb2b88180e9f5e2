// SPDX-License-Identifier: MIT
// What a step is run with: memory with strides for kernels, matrices and vectors for products.
#ifndef CROTON_KERNEL_ARGUMENT_HPP
#define CROTON_KERNEL_ARGUMENT_HPP

#include <croton/config.hpp>
#include <croton/core/extents.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace croton::inline v0_1::kernel {

/// The axis that an index displaces along. No index leads out of an axis that has elements.
struct index_axis {
    std::int64_t stride = 0, extent = 1;

    /// What to add for `index`: from the end where it is negative, the nearest element where it names none.
    template <class I> CROTON_HD constexpr std::int64_t offset(I index) const {
        const std::int64_t last = extent - 1;
        if constexpr (static_cast<I>(-1) > I(0) && sizeof(I) == 8) {
            return (index > static_cast<I>(last) ? last : static_cast<std::int64_t>(index)) * stride;
        } else {
            const std::int64_t at = index, from_start = at < 0 ? at + extent : at;
            return (from_start < 0 ? 0 : from_start > last ? last : from_start) * stride;
        }
    }
    /// Whether the elements lie side by side, and their number is an int.
    CROTON_HD constexpr bool is_dense() const { return stride == 1 && extent <= 0x7fffffff; }
};

/// The memory behind a slot: the first element and a stride per loop axis, in elements; 0 broadcasts.
struct operand {
    std::byte* data;
    std::array<std::int64_t, max_rank> stride;
    index_axis along{};  // of a slot that is gathered from
};

/// A pointer that goes to memory by itself. Several that g++ gathers in a vector register may pass through memory on the way, and are loaded
/// from there only when every store before has left: a short call feels it.
inline std::byte* alone(std::byte* p) {
    asm("" : "+r"(p));
    return p;
}

/// A number of which a loop computes anew what it needs of it: what compilers compute in front of the loop instead lies in memory for want of registers.
inline std::int64_t anew(std::int64_t n) {
    asm volatile("" : "+r"(n));
    return n;
}

/// A run-time number a kernel reads with `scalar`.
struct number {
    std::int64_t value;
};

/// A borrowed matrix `[rows, cols]`, strides in elements, any sign.
template <class T> struct matrix {
    T* data;
    std::int64_t rows, cols, row_stride, col_stride;
};

/// A borrowed vector `[size]`, stride in elements, any sign.
template <class T> struct vector {
    T* data;
    std::int64_t size, stride;
};

/// The factors of a product `alpha a b + beta c` where a kernel has computed one or both of them: side by side in the memory of the
/// device, with room for a third number.
template <class T> struct computed_factors {
    T* data;
    bool accumulates;  // c is read
    bool alpha_computed, beta_computed;
};

/// What a product `[m,n]` does to each element before it stores it: `x + bias`, then `Activation::value(x)` where that is not void.
template <class T, class Activation> struct epilogue {
    vector<const T> bias{nullptr, 0, 0};  // [n]; null adds nothing
};

/// What follows a product: called for parts of its result, each of them once and as soon as it is there. Where it needs `whole_rows`, a part has all columns.
struct block_end {
    void (*run)(void* context, std::int64_t row, std::int64_t rows, std::int64_t column, std::int64_t columns);
    void* context;
    bool whole_rows;
};

}  // namespace croton::inline v0_1::kernel

#endif
