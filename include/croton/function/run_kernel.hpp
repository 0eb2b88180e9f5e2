// SPDX-License-Identifier: MIT
// Gives the kernel of a step to the device, with those of the steps that share its launch.
#ifndef CROTON_FUNCTION_RUN_KERNEL_HPP
#define CROTON_FUNCTION_RUN_KERNEL_HPP

#include <cstdint>
#include <utility>

#include <croton/device/device.hpp>
#include <croton/kernel/argument.hpp>
#include <croton/plan/lower.hpp>

namespace croton::inline v0_1::detail {

/// Runs step `s` by the code of step `Form`; `operands` are its slots, and those of the next steps stand behind them.
template <class Device, class Plan, int Form>
void run_kernel(const step* s, const std::int64_t* extents, const kernel::operand* operands, const std::int64_t* sizes) {
    constexpr step form = Plan::value().steps[Form];
    if constexpr (form.closes) {
        [&]<int... I>(std::integer_sequence<int, I...>) {
            const kernel::operand* const then[] = {operands + (s[1 + I].slot_from - s->slot_from)...};
            Device::template run_closed<kernel_type<Plan, Form>, kernel_type<Plan, Form + 1 + I>...>(extents, operands, then, sizes);
        }(std::make_integer_sequence<int, form.together - 1>());
    } else if constexpr (form.together > 1) {
        Device::template run_joined<kernel_type<Plan, Form>, form.together>(extents, operands, s->slot_count, sizes);
    } else {
        Device::template run<kernel_type<Plan, Form>>(extents, operands, sizes);
    }
}

}  // namespace croton::inline v0_1::detail

#endif
