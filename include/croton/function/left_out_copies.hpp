// SPDX-License-Identifier: MIT
// Leaves out copies where both arrays fit in one memory.
#ifndef CROTON_FUNCTION_LEFT_OUT_COPIES_HPP
#define CROTON_FUNCTION_LEFT_OUT_COPIES_HPP

#include <croton/device/device.hpp>
#include <croton/kernel/argument.hpp>
#include <croton/plan/needless_copies.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace croton::inline v0_1::detail {

/// Which copies of a plan are left out for the shapes of a call.
template <class Device, class Plan> class left_out_copies {
    static constexpr plan_view facts = view_of(Plan::program(), Plan::value());

public:
    static constexpr bool possible = leaves_out_copies<Device> && has_plain_copies(facts);

    /// `any`: whether there are to be such. Where steps run in another order than that of the plan, there are none.
    void find([[maybe_unused]] const std::int64_t* sizes, [[maybe_unused]] bool any) {
        if constexpr (possible) needless_copies::find(facts, sizes, any, places_.data(), spans_.data(), left_out_.data());
    }
    /// Gives slots the strides that they have with those copies, or without.
    void lay_out([[maybe_unused]] kernel::operand* operands, [[maybe_unused]] const std::int64_t* sizes, [[maybe_unused]] bool apart) const {
        if constexpr (possible) each_moved([&](int i) { (void)take_strides(operands, i, sizes, apart ? nullptr : places_.data()); });
    }
    /// Calls `take` for each way in which the operands may lie: where there are such copies with all of them, and without.
    template <class Take> void each_layout(kernel::operand* operands, const std::int64_t* sizes, const Take& take) const {
        for (int apart = possible ? 1 : 0; apart >= 0; --apart) {
            lay_out(operands, sizes, apart != 0);
            take();
        }
    }
    /// What lies in other memory than its own, where all other slots are.
    void bind([[maybe_unused]] kernel::operand* operands, [[maybe_unused]] const std::int64_t* sizes) const {
        if constexpr (possible) each_moved([&](int i) {
            const std::int64_t offset = take_strides(operands, i, sizes, apart_ ? nullptr : places_.data());
            if (!apart_) operands[i].data = kernel::alone(beginning(operands, i, sizes) + offset);
        });
    }

    /// Where they are kept `apart`, every copy runs. Whether that changes.
    bool keep_apart([[maybe_unused]] bool apart) {
        if constexpr (possible) return std::exchange(apart_, apart) != apart;
        else return false;
    }
    bool has(int step) const {
        if constexpr (possible) return !apart_ && left_out_[static_cast<std::size_t>(step)];
        else return step < 0;
    }
    /// When the memory of each buffer is used; null where as the plan says.
    const needless_copies::span* spans() const {
        if constexpr (possible) return spans_.data();
        else return nullptr;
    }

private:
    static constexpr std::size_t room(int count) { return static_cast<std::size_t>(possible ? count : 0); }
    std::array<needless_copies::place, room(facts.buffer_count)> places_{};
    std::array<needless_copies::span, room(facts.buffer_count)> spans_{};
    std::array<bool, room(facts.step_count)> left_out_{};
    bool apart_ = false;

    template <class F> void each_moved(const F& f) const {
        for (int i = 0; i < facts.slot_count; ++i)
            if (places_[static_cast<std::size_t>(facts.slots[i].buffer)].slot >= 0) f(i);
    }
    /// Gives the bytes from the beginning of its memory to its first element.
    static std::int64_t take_strides(kernel::operand* operands, int i, const std::int64_t* sizes, const needless_copies::place* places) {
        std::int64_t along[max_rank], offset = 0;
        // The slot of the copy itself is used by nobody, and may have no strides.
        if (!needless_copies::seen(facts, i, sizes, places, along, offset)) return 0;
        for (std::size_t k = 0; k < max_rank; ++k) operands[i].stride[k] = along[k];
        return offset * static_cast<std::int64_t>(size_of(facts.buffers[facts.slots[i].buffer].type));
    }
    std::byte* beginning(const kernel::operand* operands, int i, const std::int64_t* sizes) const {
        const int there = places_[static_cast<std::size_t>(facts.slots[i].buffer)].slot;
        if (places_[static_cast<std::size_t>(facts.slots[there].buffer)].slot < 0) return operands[there].data;
        std::int64_t along[max_rank], offset = 0;
        (void)needless_copies::seen(facts, there, sizes, places_.data(), along, offset);
        return beginning(operands, there, sizes) + offset * static_cast<std::int64_t>(size_of(facts.buffers[facts.slots[there].buffer].type));
    }
};

}  // namespace croton::inline v0_1::detail

#endif
