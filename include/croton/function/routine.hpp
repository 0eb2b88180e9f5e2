// SPDX-License-Identifier: MIT
// Runs a routine of a plan on a device.
#ifndef CROTON_FUNCTION_ROUTINE_HPP
#define CROTON_FUNCTION_ROUTINE_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <croton/core/error.hpp>
#include <croton/device/device.hpp>
#include <croton/kernel/routine.hpp>
#include <croton/plan/view.hpp>

namespace croton::inline v0_1::detail {

/// Step `index` of a plan, a routine, for one shape of the arguments.
inline kernel::routine_call routine_call_of(const plan_view& p, int index, const std::int64_t* extents, const kernel::operand* operands, const std::int64_t* sizes) {
    const step& s = p.steps[index];
    kernel::routine_call c;
    c.rank = s.outer;
    c.length = size_value(s.length, sizes);
    c.attributes = kernel::attributes_of(s.bits);
    for (int i = 0; i < s.outer; ++i) c.extent[i] = extents[i];
    if (p.routines[s.routine]->of_elements) fill_argument_extents(p, s, sizes, c);
    for (int k = 0; k < s.slot_count; ++k) {
        c.data[k] = operands[k].data;
        for (unsigned i = 0; i < max_rank; ++i) c.stride[k][i] = operands[k].stride[i];
    }
    return c;
}

/// Steps whose code is that of step `Form`.
template <class Device, class Plan, int Form> struct routine_step {
    static constexpr step s = Plan::value().steps[Form];
    using routine = typename decltype(type_of(kernel::address_key<Plan::program().routines[s.routine]>{}))::type;
    template <int K> using argument = element_t<Plan::value().buffers[Plan::value().slots[s.slot_from + K].buffer].type>;
    template <int... K> static constexpr auto list_types(std::integer_sequence<int, K...>) {
        return kernel::routine_types<element_t<s.type>, argument<K>...>();
    }
    using types = decltype(list_types(std::make_integer_sequence<int, s.slot_count - 1>()));

    static void run(const kernel::routine_call& c, std::byte* room, [[maybe_unused]] const std::string& function) {
        if (c.rows() * c.along() == 0) return;
        if constexpr (kernel::is_of_matrices<routine>) {
            if constexpr (factors_matrices<Device>)
                if (const std::int64_t wrong = Device::template matrices<routine, element_t<s.type>>(c, room); wrong >= 0) fail(c, wrong, function);
        } else {
            Device::template routine<routine, types>(c, room);
        }
    }
    /// Once for a shape.
    static void check(const kernel::routine_call& c, const std::string& function) {
        constexpr const kernel::routine_facts& facts = kernel::routine_of<routine>::facts;
        if constexpr (facts.of_elements) {
            std::string wrong;
            if (facts.refuse != nullptr) facts.refuse(c, wrong);
            if (!wrong.empty()) throw shape_error(function + ": " + wrong);
        } else if (!facts.of_matrices && facts.measured == 0 && (facts.whole & 1u) == 0 && c.along() > c.length)
            throw shape_error(function + ": " + std::string(routine::name) + ": the axis has extent " + std::to_string(c.length) + ", which is less than " + std::to_string(c.along()));
    }
    static std::int64_t room([[maybe_unused]] const kernel::routine_call& c) {
        if constexpr (kernel::is_of_matrices<routine>) {
            if constexpr (factors_matrices<Device>) return c.rows() * c.along() == 0 ? 0 : Device::template matrices_room<routine, element_t<s.type>>(c);
            else return 0;
        } else if constexpr (works_in_room<Device, routine, types>) return Device::template routine_room<routine, types>(c);
        else return 0;
    }

private:
    [[noreturn, gnu::noinline]] static void fail(const kernel::routine_call& c, std::int64_t wrong, const std::string& function) {
        std::int64_t count = 1;
        for (int i = 0; i < c.rank - 2; ++i) count *= c.extent[i];
        std::string_view who = routine::name;
        if constexpr (requires { routine::caller(c.attributes); }) who = routine::caller(c.attributes);
        throw value_error(function + ": " + std::string(who) + ": " + std::string(kernel::routine_of<routine>::facts.failure) +
                          (c.rank > 2 ? " (matrix " + std::to_string(wrong) + " of " + std::to_string(count) + ", counted from 0)" : ""));
    }
};

}  // namespace croton::inline v0_1::detail

#endif
