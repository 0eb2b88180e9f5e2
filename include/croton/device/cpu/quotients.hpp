// SPDX-License-Identifier: MIT
// Lanes of kernels in which quotients of double are most of the work.
#ifndef CROTON_DEVICE_CPU_QUOTIENTS_HPP
#define CROTON_DEVICE_CPU_QUOTIENTS_HPP

#include <croton/device/cpu/analysis.hpp>
#include <croton/device/cpu/brief.hpp>

#include <type_traits>

namespace croton::inline v0_1::detail::cpu_device {

#if CROTON_HAS_AVX512

/// Lanes that divide by products. The results are those of the divider, so that it makes no difference where it is chosen.
template <class Lanes> struct dividing_lanes : Lanes {};

template <class Instruction> inline constexpr bool is_quotient_of_double = false;
template <class Op, class First, class... A>
inline constexpr bool is_quotient_of_double<kernel::apply<Op, First, A...>> = is_named<Op>("divide") && std::is_same_v<typename First::type, double>;
template <class Instruction> inline constexpr bool is_root = false;
template <class Op, class... A> inline constexpr bool is_root<kernel::apply<Op, A...>> = is_named<Op>("sqrt");

/// Instructions beside each quotient from which on the divider has time enough beside the multipliers.
inline constexpr int most_beside_quotient = 8;

template <class... I> constexpr bool waits_for_divider(kernel::block<I...>) {
    constexpr int quotients = (0 + ... + is_quotient_of_double<I>);
    // A root is a formula of products already.
    return quotients > 0 && is_brief<kernel::block<I...>> && !(false || ... || is_root<I>) && sizeof...(I) <= most_beside_quotient * quotients;
}

template <class... Block> inline constexpr bool any_waits_for_divider = (false || ... || waits_for_divider(kernel::listed_t<Block>{}));

/// `Lanes`, or those that divide by products where the element blocks of a kernel wait for the divider.
template <class Lanes, class... Block>
using with_quotients =
    std::conditional_t<CROTON_HAS_SLOW_DIVIDER && any_waits_for_divider<Block...> && simd::math::divides_by_products<double, typename Lanes::arch>,
                       dividing_lanes<Lanes>, Lanes>;

#else

template <class Lanes, class... Block> using with_quotients = Lanes;

#endif

}  // namespace croton::inline v0_1::detail::cpu_device

#if CROTON_HAS_AVX512

namespace croton::inline v0_1::kernel::detail {

template <class Lanes, class Op, class... A>
    requires croton::detail::cpu_device::is_quotient_of_double<apply<Op, A...>>
struct step<croton::detail::cpu_device::dividing_lanes<Lanes>, apply<Op, A...>, false> {
    template <class U, class R, class E> CROTON_LAYER static auto run(any_port, const U& us, const R& rs, const E& es) {
        return simd::divided_by_products(fetch<Lanes>(A{}, us, rs, es)...);
    }
};

}  // namespace croton::inline v0_1::kernel::detail

#endif

#endif
