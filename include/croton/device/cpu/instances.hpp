// SPDX-License-Identifier: MIT
// What of the CPU a program of many files compiles once: the code for its instruction set that all kernels share, and products of float and double.
#ifndef CROTON_DEVICE_CPU_INSTANCES_HPP
#define CROTON_DEVICE_CPU_INSTANCES_HPP

#include <croton/compiler.hpp>
#include <croton/device/cpu/lane_products.hpp>
#include <croton/device/cpu/loop.hpp>
#include <croton/device/cpu/pack.hpp>
#include <croton/device/cpu/products.hpp>

#include <cstdint>

namespace croton::inline v0_1::detail::cpu_device {

CROTON_ONCE(run_loop<simd::native>)
CROTON_ONCE(run_shares<simd::native>)
CROTON_ONCE(run_axes<simd::native>)
CROTON_ONCE(arrange_many<simd::native>)
CROTON_ONCE(enter_rows<simd::native>)
CROTON_ONCE(wrap_rows<simd::native>)
CROTON_ONCE(fill<simd::native>)

// By the bytes of their elements: of float and double, alone, with truth values and with indices.
#define CROTON_INSTANCES(widths_)                       \
    CROTON_ONCE(run_packed<simd::native, widths_>)      \
    CROTON_ONCE(run_short_rows<simd::native, widths_>)  \
    CROTON_ONCE(run_joined_rows<simd::native, widths_>) \
    CROTON_ONCE(run_lane_rows<simd::native, widths_>)   \
    CROTON_ONCE(copy_rows<simd::native, widths_>)
CROTON_INSTANCES(0)
CROTON_INSTANCES(4)
CROTON_INSTANCES(5)
CROTON_INSTANCES(8)
CROTON_INSTANCES(9)
CROTON_INSTANCES(12)
#undef CROTON_INSTANCES

CROTON_ONCE(copy_turned<simd::native, std::uint32_t>)
CROTON_ONCE(copy_turned<simd::native, std::uint64_t>)

CROTON_ONCE(packing<simd::native>)
CROTON_ONCE(ends_product<simd::native>)
#define CROTON_INSTANCES(type_)                                                                                                                                       \
    CROTON_INSTANCE(void multiply<simd::native, type_>(type_, const matrix<const type_>&, vector<const type_>, type_, vector<type_>, bool))                           \
    CROTON_INSTANCE(void multiply<simd::native, type_>(type_, const matrix<const type_>&, const matrix<const type_>&, type_, const matrix<type_>&, std::byte*, bool)) \
    CROTON_INSTANCE(void multiply<simd::native, type_>(type_, const matrix<const type_>&, const matrix<const type_>&, type_, const matrix<type_>&, std::byte*,        \
                                                       const kernel::block_end&))                                                                                     \
    CROTON_INSTANCE(class lane_products<type_, simd::native>)                                                                                                         \
    CROTON_INSTANCE(struct gemm<type_, simd::native>)                                                                                                                 \
    CROTON_INSTANCE(class gemv<type_, simd::native>)
CROTON_INSTANCES(float)
CROTON_INSTANCES(double)
#undef CROTON_INSTANCES

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
