// SPDX-License-Identifier: MIT
// The times of steps on a device that measures itself, because calls return before they have run.
#ifndef CROTON_FUNCTION_MEASURE_STEPS_HPP
#define CROTON_FUNCTION_MEASURE_STEPS_HPP

#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>

#include <croton/device/device.hpp>
#include <croton/profile/recorder.hpp>

namespace croton::inline v0_1::detail {

/// Calls `run(i)` for `Count` launches and tells the call how long each took, which is step `step_of(i)`. Only the end of the last one is waited for. A step may
/// take the device less time than its launch takes the host: it holds until all are queued, but where the host waits for what a step says.
template <class Device, int Count, bool HostWaits, class StepOf, class Run> void measure_steps(recorded_call& call, StepOf&& step_of, Run&& run) {
    using event = typename Device::event;
    const auto marks = std::make_unique<std::array<event, static_cast<std::size_t>(Count + 1)>>();
    const auto mark = [&](int i) -> event& { return (*marks)[static_cast<std::size_t>(i)]; };
    {
        [[maybe_unused]] const std::conditional_t<HostWaits, nothing_recorded, gate_t<Device>> held{};
        mark(0).record();
        for (int i = 0; i < Count; ++i) {
            run(i);
            mark(i + 1).record();
        }
    }
    for (int i = 0; i < Count; ++i) call.step(step_of(i), mark(i + 1).since(mark(i)));
}

}  // namespace croton::inline v0_1::detail

#endif
