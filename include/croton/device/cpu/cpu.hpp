// SPDX-License-Identifier: MIT
// The CPU device: SIMD loops, CBLAS and threads behind the device policy.
#ifndef CROTON_DEVICE_CPU_CPU_HPP
#define CROTON_DEVICE_CPU_CPU_HPP

#include <croton/device/cpu/loop.hpp>
#include <croton/device/device.hpp>
#include <croton/device/reference/reference.hpp>

namespace croton::inline v0_1 {

/// SIMD loops through xsimd, matrix products through CBLAS, on `threads()` threads.
struct cpu {
    static constexpr bool rewrites = true;
    static constexpr bool fuses = true;

    /// Runs a kernel type over the loop axes `extents`. A slot stored through the memory of a slot loaded has its strides.
    template <class Kernel, class Arch = simd::native>
    static void run(const std::int64_t* extents, const kernel::operand* slots, const std::int64_t* scalars) {
        detail::cpu_device::engine<Kernel, Arch>::run(extents, slots, scalars);
    }
    template <class T>
    static void gemm(std::type_identity_t<T> alpha, kernel::matrix<const T> a, kernel::matrix<const T> b,
                     std::type_identity_t<T> beta, kernel::matrix<T> c) {
        reference::gemm<T>(alpha, a, b, beta, c);
    }
    template <class T>
    static void gemv(std::type_identity_t<T> alpha, kernel::matrix<const T> a, kernel::vector<const T> x,
                     std::type_identity_t<T> beta, kernel::vector<T> y) {
        reference::gemv<T>(alpha, a, x, beta, y);
    }
    template <class T>
    static void copy(int rank, const std::int64_t* extents, const kernel::operand& from, const kernel::operand& to) {
        reference::copy<T>(rank, extents, from, to);
    }
    static void* allocate(std::size_t bytes) { return reference::allocate(bytes); }
    static void deallocate(void* memory, std::size_t bytes) noexcept { reference::deallocate(memory, bytes); }
    static std::int64_t clock() noexcept { return reference::clock(); }
};

static_assert(device<cpu> && device<reference>);

}  // namespace croton::inline v0_1

#endif
