// SPDX-License-Identifier: MIT
// Which instructions are one of the processor, or a few, and which are a function such as exp.
#ifndef CROTON_DEVICE_CPU_BRIEF_HPP
#define CROTON_DEVICE_CPU_BRIEF_HPP

#include <croton/kernel/kernel.hpp>

#include <string_view>
#include <type_traits>

namespace croton::inline v0_1::detail::cpu_device {

template <class Op> constexpr bool is_named(std::string_view name) {
    if constexpr (requires { Op::name; }) return Op::name == name;
    else return false;
}

template <class Instruction> inline constexpr bool is_brief = true;
template <class Op, class... A> inline constexpr bool is_brief<kernel::apply<Op, A...>> = [] {
    if constexpr (requires { Op::is_cheap; }) return true;
    else if constexpr (requires { Op::kind; }) return Op::kind != std::remove_cv_t<decltype(Op::kind)>::floating || is_named<Op>("sqrt");
    else return false;
}();
template <class... I> inline constexpr bool is_brief<kernel::block<I...>> = (true && ... && is_brief<I>);

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
